/// The list of settings.
struct SettingsScreen {
  let logger: any EventLogger

  func show() {
    logger.logEvents(name: "settings.view", parameters: [[:]])
  }

  func setPush(_ isOn: Bool) {
    logger.logEvents(name: "settings.push.change", parameters: [["on": isOn]])
  }

  func setLanguage(_ code: String) {
    logger.logEvents(name: "settings.language.change", parameters: [["lang": code]])
  }

  func setImages(overMobileData isOn: Bool) {
    logger.logEvents(
      name: "settings.images.change", parameters: [["network": ["kind": "mobile", "images": isOn]]])
  }

  func clearCache(megabytes: Double, files: Int) {
    logger.logEvents(name: "settings.cache.clear", parameters: [["mb": megabytes, "files": files]])
  }

  func openLicences() {
    logger.logEvents(name: "settings.licences.view", parameters: [[:]])
  }

  func writeToSupport(topic: String) {
    logger.logEvents(name: "settings.support.write", parameters: [["topic": topic, "channel": "mail"]])
  }

  func rate(_ stars: Int) {
    logger.logEvents(name: "settings.app.rate", parameters: [["stars": String(stars)]])
  }

  func signOut(everywhere: Bool) {
    logger.logEvents(name: "settings.sign_out", parameters: [["all": everywhere, "schema": 1]])
  }

  func close() {
    logger.logEvents(name: "settings.close", parameters: [[:]])
  }
}
