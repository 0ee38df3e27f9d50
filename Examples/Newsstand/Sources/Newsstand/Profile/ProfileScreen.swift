/// The reader's profile.
struct ProfileScreen {
  let logger: any EventLogger

  func show(isSignedIn: Bool) {
    logger.trackView("profile", ["signed_in": isSignedIn])
  }

  func changePicture(bytes: Int) {
    logger.track("profile.picture.change", ["bytes": bytes])
  }

  func changeName(characters: Int) {
    logger.track("profile.name.change", ["chars": characters])
  }

  func openHistory() {
    logger.trackTap("profile.history.tap", on: "profile")
  }

  func openSaved() {
    logger.trackTap("profile.saved.tap", on: "profile", at: 1)
  }

  func openComments() {
    logger.trackTap("profile.comments.tap", on: "profile", at: 2)
  }

  func export(format: String) {
    logger.track("profile.export", ["format": format])
  }

  func askToDelete() {
    logger.track("profile.delete.ask")
  }

  func delete(because reason: String) {
    logger.track("profile.delete", ["reason": reason, "debug": "gdpr"])
  }

  func close() {
    logger.track("profile.close")
  }
}
