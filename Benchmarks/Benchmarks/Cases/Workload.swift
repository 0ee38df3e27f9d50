import DualSend
import DualSendCore

/// The event that all benchmarks send: 10 parameters of the kinds that apps have.
enum Workload {
  static let eventName = "home.like_button.tap"

  /// Room for everything that a benchmark leaves waiting.
  static let unlimited = TrackerConfiguration.Quota(events: 10_000_000, bytes: 1 << 40)

  /// Built anew by every call, as at a call site; keys and most texts do not fit a string's inline form.
  static func parameters(_ number: Int) -> [String: any Sendable] {
    [
      "item_identifier": number, "screen_name_shown": "home feed, recommended", "position_in_list": number % 40,
      "is_liked_by_user": number % 2 == 0, "price_in_currency": 12.75, "currency": "JPY",
      "session_identifier": "9b1deb4d-3b7d-4bad-9bdd", "experiment_variant": "control", "scroll_depth_ratio": 0.4375,
      "referrer_event_name": "home.banner.view",
    ]
  }

  static func values(_ number: Int) -> [String: EventValue] {
    [
      "item_identifier": .int(Int64(number)), "screen_name_shown": "home feed, recommended",
      "position_in_list": .int(Int64(number % 40)), "is_liked_by_user": .bool(number % 2 == 0),
      "price_in_currency": 12.75, "currency": "JPY", "session_identifier": "9b1deb4d-3b7d-4bad-9bdd",
      "experiment_variant": "control", "scroll_depth_ratio": 0.4375, "referrer_event_name": "home.banner.view",
    ]
  }

  /// The wire form of ``values(_:)``, stored as the tracker stores it.
  static func stored(_ number: Int, id: EventID) -> TrackingData {
    let time: Int64 = 1_760_000_000_000 + Int64(number)
    let element = EventValue.object([
      "eventId": .string(id.description), "eventName": .string(eventName), "eventTime": .int(time),
      "payload": .object(values(number)),
    ])
    return TrackingData(id: id, time: time, name: eventName, body: element.canonicalJSON)
  }
}
