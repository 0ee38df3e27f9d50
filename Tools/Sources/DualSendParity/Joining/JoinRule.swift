package import DualSendRemapping

/// How the two lines of one event find each other.
package enum JoinRule: Sendable, Hashable {
  /// By the id that both lines carry.
  ///
  /// - Parameter parameter: the key under which the adapter stamps the id into the old payload, from which it is taken out
  ///   before the comparison; `nil` if the old line has it as `eventId`.
  case eventID(parameter: String?)
  /// By new name, unit, and order in time: within a name and unit the lines of both sides are sorted by time, and each old
  /// one takes the first new one that is at most `window` milliseconds away.
  ///
  /// - Parameters:
  ///   - unit: where the new payload carries the unit's id; `nil` joins by name and time alone.
  ///   - window: in milliseconds; `nil` pairs by order alone.
  case order(unit: KeyPathPattern?, window: Int64?)
}

extension JoinRule {
  /// Whether the old payload carries an id that is no part of it.
  var stampsPayload: Bool {
    if case .eventID(_?) = self { return true }
    return false
  }
}

extension JoinRule: CustomStringConvertible {
  /// What a report says about the rule.
  package var description: String {
    switch self {
    case .eventID(let parameter): return "event id" + (parameter.map { " (`\($0)` of the old payload)" } ?? "")
    case .order(let unit, let window):
      let names = ["name"] + (unit.map { ["unit (`\($0)`)"] } ?? [])
      return names.joined(separator: ", ") + " and order" + (window.map { " within \($0) ms" } ?? "")
    }
  }
}
