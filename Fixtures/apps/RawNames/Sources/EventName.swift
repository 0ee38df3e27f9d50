/// What the app logs.
enum EventName: String {
  case opened
  case closed = "app_closed"
  case recipeShown = "recipe_shown"
  case recipeSaved = "recipe_saved"
  case recipeShared = "recipe_shared"
  case stepDone = "step_done"
  case timerStarted = "timer_started", timerStopped = "timer_stopped"
  case searchDone = "search.done"
  case searchEmpty = "search.empty"
  case ratingGiven
  case unitsChanged = "units-changed"
  case accountDeleted = "account_deleted"
}

/// Where a person is.
enum Screen {
  case home, recipe, settings
  case tab(Int)

  var name: String {
    switch self {
    case .home: return "screen_home"
    case .recipe: return "screen_recipe"
    case .settings: return "screen_settings"
    case .tab(let index): return "screen_tab_\(index)"
    }
  }
}

/// What goes with every event of a recipe.
enum Key {
  static let recipe = "recipe"
  static let duration = "duration_s"
}
