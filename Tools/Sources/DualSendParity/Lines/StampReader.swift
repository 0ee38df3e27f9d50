package import DualSendCore
import DualSendJSONLines

/// Reads the decisions that lines carry. Few texts occur in many lines, so each is read once.
package struct StampReader {
  private static let maximumKnown = 4096

  private var known: [TextHash: DecisionStamp?] = [:]

  /// What a line says as its `decision`; `nil` if it has none.
  mutating func stamp(of line: EventLine) -> DecisionStamp? {
    guard let text = line.decision else { return nil }
    var key = TextHash()
    key.add(text)
    if let stamp = known[key] { return stamp }
    let stamp: DecisionStamp? = if case .string(let text)? = ScalarText(text).value { DecisionStamp(text) } else { nil }
    if known.count < Self.maximumKnown { known[key] = stamp }
    return stamp
  }

  /// What the members of a line say as its `decision`; `nil` if they do not.
  package static func decision(in members: [String: EventValue]) -> DecisionStamp? {
    guard case .string(let text)? = members["decision"] else { return nil }
    return DecisionStamp(text)
  }

  /// What an old payload says under the adapter's key, which is taken out of it; `nil` if that is no stamp.
  package static func take(from payload: inout [String: EventValue]) -> DecisionStamp? {
    guard case .string(let text)? = payload.value(exactly: DecisionStamp.key), let stamp = DecisionStamp(text) else {
      return nil
    }
    payload.removeValue(forKey: DecisionStamp.key)
    return stamp
  }
}
