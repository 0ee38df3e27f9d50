/// The player's controls on the lock screen and in the car.
struct PlayerControls {
  enum Place: String {
    case car, lockScreen = "lock_screen", watch
  }

  enum Button {
    case play, pause, next, previous
  }

  let logger: any EventLogger
  let place: Place

  private func name(of button: Button) -> String {
    switch button {
    case .play: "controls.play"
    case .pause: "controls.pause"
    case .next, .previous: "controls.skip"
    }
  }

  func press(_ button: Button) {
    logger.logEvents(name: name(of: button), parameters: [["place": place.rawValue]])
  }

  func hold(forward: Bool, seconds: Double) {
    logger.logEvents(name: forward ? "controls.forward" : "controls.rewind", parameters: [["sec": seconds]])
  }

  func volume(_ percent: Int) {
    logger.logEvents(
      name: "controls.volume", parameters: [["level": percent == 0 ? "mute" : "loud", "pct": String(percent)]])
  }

  func connect(wireless: Bool) {
    let kind = wireless ? "wireless" : "cable"
    logger.logEvents(name: "controls.connect", parameters: [["device": ["kind": kind, "place": place.rawValue]]])
  }

  func disconnect(because reason: String?) {
    logger.logEvents(
      name: "controls.disconnect", parameters: reason == nil ? [[:]] : [["reason": reason ?? ""]])
  }

  func speak(_ command: String?) {
    let name = command == nil ? "controls.voice.unknown" : "controls.voice"
    logger.logEvents(name: name, parameters: [["cmd": command ?? "none"]])
  }

  func lock(_ isLocked: Bool) {
    let flag = isLocked ? "1" : "0"
    logger.logEvents(name: "controls.lock", parameters: [["locked": flag]])
  }

  func fail(_ code: Int) {
    let reason =
      switch code {
      case 1: "network"
      case 2: "format"
      default: "other"
      }
    logger.logEvents(name: "controls.error", parameters: [["reason": reason, "err": String(code)]])
  }

  func hide(_ isLast: Bool) {
    logger.logEvents(name: isLast ? "controls.end" : "controls.hide", parameters: [["debug": isLast ? "end" : "hide"]])
  }
}
