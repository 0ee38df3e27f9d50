import DualSendCore

/// Recorded events in the shapes of other tools, as legacy events. A line with a `name` of its own is never one.
///
/// By their public descriptions: Segment's and RudderStack's `track` calls, Amplitude's and PostHog's events, Google Analytics 4
/// as BigQuery exports it, and the events of this package's own tracker.
enum ForeignShape: String, CaseIterable {
  case segment = "Segment's track calls"
  case amplitude = "Amplitude's events"
  case postHog = "PostHog's events"
  case ga4 = "Google Analytics 4 as BigQuery exports it"
  case own = "events of the new tracker"

  /// The shape and the legacy event of a line; `nil` if it has none of these shapes.
  static func read(_ value: EventValue) -> (shape: ForeignShape, event: EventValue)? {
    guard case .object(let members) = value, members["name"] == nil else { return nil }
    for shape in allCases {
      if let event = shape.event(members) { return (shape, .object(event)) }
    }
    return nil
  }

  private func event(_ members: [String: EventValue]) -> [String: EventValue]? {
    switch self {
    case .segment:
      guard members["type"] == "track" else { return nil }
      return Self.event(
        members["event"], members["properties"] ?? [:], unit: members["userId"] ?? members["anonymousId"],
        time: Self.milliseconds(members["timestamp"]))
    case .amplitude:
      guard let name = members["event_type"] else { return nil }
      return Self.event(
        name, members["event_properties"] ?? [:], unit: members["user_id"] ?? members["device_id"],
        time: members["time"] ?? .null)
    case .postHog:
      guard let unit = members["distinct_id"] else { return nil }
      return Self.event(
        members["event"], members["properties"] ?? [:], unit: unit, time: Self.milliseconds(members["timestamp"]))
    case .ga4:
      guard let name = members["event_name"], case .array(let parameters)? = members["event_params"] else { return nil }
      return Self.event(
        name, .object(Self.parameters(parameters)), unit: members["user_pseudo_id"],
        time: Self.number(members["event_timestamp"]).map { .int($0 / 1000) } ?? .null)
    case .own:
      return Self.event(members["eventName"], members["payload"] ?? [:], unit: nil, time: members["eventTime"] ?? .null)
    }
  }

  private static func event(
    _ name: EventValue?, _ parameters: EventValue, unit: EventValue?, time: EventValue
  ) -> [String: EventValue]? {
    guard case .string? = name, let name, case .object = parameters else { return nil }
    var event = ["name": name, "parameters": parameters]
    if case .string? = unit { event["unitID"] = unit }
    if case .int = time { event["time"] = time }
    return event
  }

  /// `[{"key": …, "value": {"string_value": …}}]` as an object.
  private static func parameters(_ list: [EventValue]) -> [String: EventValue] {
    var parameters: [String: EventValue] = [:]
    for case .object(let one) in list {
      guard case .string(let key)? = one["key"], case .object(let values)? = one["value"] else { continue }
      if let text = values["string_value"], text != .null {
        parameters[key] = text
      } else if let number = number(values["int_value"]) {
        parameters[key] = .int(number)
      } else if let number = values["double_value"] ?? values["float_value"], number != .null {
        parameters[key] = number
      }
    }
    return parameters
  }

  /// A whole number, which BigQuery's JSON writes as a text.
  private static func number(_ value: EventValue?) -> Int64? {
    switch value {
    case .int(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }

  private static func milliseconds(_ value: EventValue?) -> EventValue {
    guard case .string(let text)? = value else { return .null }
    return Timestamp.milliseconds(text: text).map { .int($0) } ?? .null
  }
}
