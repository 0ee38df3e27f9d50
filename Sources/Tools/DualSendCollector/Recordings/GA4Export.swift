import DualSendCommandLine
import DualSendCore

/// Events of Google Analytics 4 as BigQuery exports them, each a JSON object
/// (https://support.google.com/analytics/answer/7029846).
///
/// The elements of `event_params` become keys. `items`, which is a column of its own, becomes the key that the app logged it
/// under; fields that are null or `(not set)` are left out. `user_properties` and all other columns are not read.
enum GA4Export {
  static func event(_ value: EventValue) -> Result<RecordedEvent, RecordedFault> {
    guard case .object(let members) = value, case .string(let name)? = members["event_name"], !name.isEmpty else {
      return .failure(RecordedFault("`event_name` is missing, empty or not a string"))
    }
    let list: [EventValue]
    switch members["event_params"] {
    case .array(let elements)?: list = elements
    case nil, .null?: list = []
    default: return .failure(RecordedFault("`event_params` is not an array"))
    }
    var payload = parameters(list)
    if case .array(let items)? = members["items"], !items.isEmpty { payload["items"] = .array(items.map(item)) }
    var event = RecordedEvent(name: name, payload: payload)
    // In microseconds; BigQuery's JSON writes 64-bit integers as texts.
    event.time = wholeNumber(members["event_timestamp"]).map { $0 / 1000 }
    for case .string(let unit)? in [members["user_pseudo_id"], members["user_id"]] where event.unit == nil {
      event.unit = unit
    }
    return .success(event)
  }

  /// `[{"key": …, "value": {"string_value": …}}]` as an object.
  private static func parameters(_ list: [EventValue]) -> [String: EventValue] {
    var parameters: [String: EventValue] = [:]
    for case .object(let one) in list {
      guard case .string(let key)? = one["key"], case .object(let values)? = one["value"] else { continue }
      if let text = values["string_value"], text != .null {
        parameters[key] = text
      } else if let number = wholeNumber(values["int_value"]) {
        parameters[key] = .int(number)
      } else if let number = [values["double_value"], values["float_value"]].compactMap({ $0 }).first(where: {
        $0 != .null
      }) {
        parameters[key] = number
      }
    }
    return parameters
  }

  private static func item(_ value: EventValue) -> EventValue {
    guard case .object(var fields) = value else { return value }
    if case .array(let own)? = fields.removeValue(forKey: "item_params") {
      fields.merge(parameters(own)) { field, _ in field }
    }
    return .object(fields.filter { $0.value != .null && $0.value != "(not set)" })
  }

  private static func wholeNumber(_ value: EventValue?) -> Int64? {
    switch value {
    case .int(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
