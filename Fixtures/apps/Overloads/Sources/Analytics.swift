/// What happens, with its own parameters.
protocol TrackedEvent {
  var name: String { get }
  var values: [String: Any] { get }
}

/// An event without a type of its own.
struct Plain: TrackedEvent {
  let name: String
  var values: [String: Any] = [:]
}

/// Sends events, by functions with one name and one label.
final class Analytics {
  static let shared = Analytics()

  static func track(_ event: any TrackedEvent) { shared.track(event) }
  static func track(_ screen: Screen) { shared.track(screen) }

  func track(_ event: any TrackedEvent) { Output.write(name: event.name, parameters: event.values) }
  func track(_ screen: Screen) { track(screen.event) }
  func track(_ text: String) { track(Plain(name: "tap_" + text)) }
  func track(_ text: String, at place: Int) { track(Plain(name: "tap_" + text, values: ["place": place])) }
}
