/// An event that posts itself: the app's newest style, not yet used everywhere.
protocol PostedEvent {
  var eventName: String { get }
  var payload: [String: Any] { get }
}

extension PostedEvent {
  func post(to logger: any EventLogger) {
    logger.logEvents(name: eventName, parameters: [payload])
  }
}

struct AppLaunched: PostedEvent {
  let isCold: Bool
  let milliseconds: Int
  let eventName = "app.launch"

  var payload: [String: Any] {
    ["cold": isCold ? "1" : "0", "ms": String(milliseconds)]
  }
}

struct AppLeft: PostedEvent {
  let seconds: Double

  var eventName: String { "app.background" }
  var payload: [String: Any] { ["sec": seconds, "debug": "background"] }
}

struct AppUpdated: PostedEvent {
  let old: String
  let new: String

  var eventName: String { "app.update" }
  var payload: [String: Any] { ["version": ["old": old, "new": new]] }
}

struct MemoryWarning: PostedEvent {
  let megabytes: Int

  var eventName: String { "app.memory_warning" }
  var payload: [String: Any] { ["mb": megabytes] }
}

struct ConsentAnswered: PostedEvent {
  let isGranted: Bool
  let purposes: [String]

  var eventName: String { isGranted ? "consent.grant" : "consent.deny" }
  var payload: [String: Any] { ["purposes": purposes] }
}
