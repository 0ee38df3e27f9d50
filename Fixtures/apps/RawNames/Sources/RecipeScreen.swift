/// One recipe.
final class RecipeScreen {
  let recipe: String
  var isSaved = false
  private let analytics: Analytics

  init(recipe: String, analytics: Analytics = .shared) {
    self.recipe = recipe
    self.analytics = analytics
  }

  func appear(from source: String?) {
    analytics.screen(.recipe)
    analytics.track(.recipeShown, parameters: [Key.recipe: recipe, "from": source ?? "unknown"])
  }

  func toggleSaved() {
    isSaved.toggle()
    analytics.track(.recipeSaved, parameters: ["recipe": recipe, "saved": isSaved])
  }

  func share(to target: String?) {
    var parameters: [String: Any] = ["recipe": recipe]
    if let target { parameters["target"] = target }
    analytics.track(.recipeShared, parameters: parameters)
  }

  func finishStep(_ number: Int, of total: Int) {
    analytics.track(
      .stepDone,
      parameters: [
        "step": number,
        "total": total,
      ])
  }

  func toggleTimer(isRunning: Bool, seconds: Int) {
    analytics.track(isRunning ? .timerStopped : .timerStarted, parameters: [Key.duration: seconds])
  }

  func rate(_ stars: Int) {
    Analytics.shared.track(.ratingGiven, parameters: ["stars": stars])
  }
}
