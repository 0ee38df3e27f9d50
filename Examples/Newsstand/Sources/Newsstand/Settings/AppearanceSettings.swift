/// The appearance settings.
struct AppearanceSettings {
  enum Theme {
    case light, dark, system
  }

  let logger: any EventLogger

  func setTheme(_ theme: Theme) {
    let value =
      switch theme {
      case .light: "light"
      case .dark: "dark"
      case .system: "system"
      }
    logger.logEvents(name: "appearance.theme", parameters: [["theme": value]])
  }

  func turnDim(on isOn: Bool) {
    logger.logEvents(name: isOn ? "appearance.dim.on" : "appearance.dim.off", parameters: [[:]])
  }

  func setFont(serif isSerif: Bool, size: Int) {
    logger.logEvents(name: "appearance.font", parameters: [["font": isSerif ? "serif" : "sans", "size": String(size)]])
  }

  func setJustified(_ isOn: Bool) {
    logger.logEvents(name: "appearance.justify", parameters: [["on": isOn ? 1 : 0]])
  }

  func preview(_ theme: Theme) {
    let name: String
    switch theme {
    case .light: name = "appearance.preview.light"
    case .dark: name = "appearance.preview.dark"
    case .system: name = "appearance.preview.system"
    }
    logger.logEvents(name: name, parameters: [["src": "settings"]])
  }

  func setMotion(reduced: Bool) {
    let name = reduced ? "appearance.motion.reduce" : "appearance.motion.allow"
    logger.logEvents(name: name, parameters: [["by": "reader"]])
  }

  func setColumns(_ count: Int) {
    let layout = count == 1 ? "single" : count == 2 ? "double" : "many"
    logger.logEvents(name: "appearance.columns", parameters: [["layout": layout, "n": count]])
  }

  func setIcon(_ name: String?) {
    logger.logEvents(name: "appearance.icon", parameters: [["icon": name ?? "default"]])
  }

  func reset(everything: Bool) {
    logger.logEvents(
      name: "appearance.reset", parameters: everything ? [["scope": "all", "debug": "reset"]] : [["scope": "theme"]])
  }

  func close(changed: Bool) {
    if changed {
      logger.logEvents(name: "appearance.close", parameters: [["changed": "1"]])
    } else {
      logger.logEvents(name: "appearance.close", parameters: [["changed": "0"]])
    }
  }
}
