package import DualSendCore
import DualSendJSONLines

/// Reads the decisions of lines. Caches them by text, because few texts occur in many lines.
package struct StampReader {
  private static let maximumKnown = 4096

  private var known: [TextHash: DecisionStamp?] = [:]

  /// The `decision` of a line; `nil` if it has none.
  mutating func stamp(of line: EventLine) -> DecisionStamp? {
    guard let text = line.decision else { return nil }
    var key = TextHash()
    key.add(text)
    if let stamp = known[key] { return stamp }
    let stamp: DecisionStamp? = if case .string(let text)? = ScalarText(text).value { DecisionStamp(text) } else { nil }
    if known.count < Self.maximumKnown { known[key] = stamp }
    return stamp
  }

  /// The `decision` in the members of a line; `nil` if there is none.
  package static func decision(in members: [String: EventValue]) -> DecisionStamp? {
    guard case .string(let text)? = members["decision"] else { return nil }
    return DecisionStamp(text)
  }

  /// Removes the decision from an old payload and returns it; `nil` if there is no valid one.
  package static func take(from payload: inout [String: EventValue]) -> DecisionStamp? {
    guard case .string(let text)? = payload.value(exactly: DecisionStamp.key), let stamp = DecisionStamp(text) else {
      return nil
    }
    payload.removeValue(forKey: DecisionStamp.key)
    return stamp
  }
}
