/// The tab bar. Its events are named after the tabs.
struct TabBar {
  enum Tab: String, CaseIterable {
    case home, search, audio, library
  }

  let logger: any EventLogger

  func select(_ tab: Tab, from old: Tab) {
    logger.logEvents(name: "tab_\(tab.rawValue)", parameters: [["from": old.rawValue]])
  }

  func reselect(_ tab: Tab) {
    logger.logEvents(name: "tab_\(tab.rawValue)_again", parameters: [[:]])
  }

  func showBadge(_ tab: Tab, count: Int) {
    let name = "badge_" + tab.rawValue
    logger.logEvents(name: name, parameters: [["n": count]])
  }

  func press(_ name: String) {
    logger.logEvents(name: "tab_press_\(name)", parameters: [["name": name]])
  }

  func swipe(to name: String, velocity: Double) {
    logger.logEvents(name: "tab_swipe_\(name)", parameters: [["v": velocity]])
  }

  func scrollToTop(_ name: String) {
    logger.logEvents(name: "tab_\(name)_top", parameters: [[:]])
  }

  func openShortcut(_ name: String, position: Int) {
    logger.logEvents(name: "shortcut_\(name)", parameters: [["pos": String(position)]])
  }

  func openWidget(_ size: String) {
    logger.logEvents(name: "widget_\(size)", parameters: [["size": size]])
  }

  func restore(_ name: String) {
    let event = "restore_\(name)"
    logger.logEvents(name: event, parameters: [["debug": "restore"]])
  }

  func rotate(to orientation: String) {
    logger.logEvents(name: "rotate.\(orientation)", parameters: [["to": orientation]])
  }
}
