package import DualSendRemapping

/// The lines of one stream while they are read, by one thread. Afterwards they are a constant that all threads read.
protocol LineCollector {
  associatedtype Lines: Sendable

  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  mutating func append(_ record: LineRecord) throws

  consuming func ended() throws -> Lines
}

/// Joins the lines of two streams. Each share of the matches may be read by its own thread.
protocol LineJoin: Sendable {
  /// Calls `body` with each match of a share. Each line is in exactly one match of one share. The lines of a match are valid
  /// until `body` returns.
  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws
}

/// The result of a join for one line or a pair.
enum LineMatch {
  /// Ambiguous if a side has several lines of the id that say different things: nobody knows which of them was meant.
  case pair(old: LineRecord, new: LineRecord, isAmbiguous: Bool = false)
  case unpaired(LineRecord)
  /// A line whose id the line of a pair, or one without a partner, has; and whether that one has another name or payload.
  case duplicate(LineRecord, isOther: Bool)
}

// MARK: - Join rule

/// How the two lines of an event are joined.
package enum JoinRule: Sendable, Hashable {
  /// By event id.
  ///
  /// - Parameter parameter: the parameter of the old payload that has the id, which is removed before the comparison;
  ///   `nil` if the old line has it as `eventId`.
  case eventID(parameter: String?)
  /// By new name, unit, and order in time. The lines of both sides with one name and unit are sorted by time, and each old
  /// line is paired with the first new line that is at most `window` milliseconds away.
  ///
  /// - Parameters:
  ///   - unit: the path of the unit's id in the new payload; `nil` joins by name and time only.
  ///   - window: in milliseconds; `nil` pairs by order only.
  case order(unit: KeyPathPattern?, window: Int64?)
}

extension JoinRule {
  /// Whether the old payload has the id as an extra parameter.
  var hasIDInPayload: Bool {
    if case .eventID(_?) = self { return true }
    return false
  }
}

extension JoinRule: CustomStringConvertible {
  /// The rule as text for reports.
  package var description: String {
    switch self {
    case .eventID(let parameter): return "event id" + (parameter.map { " (`\($0)` of the old payload)" } ?? "")
    case .order(let unit, let window):
      let names = ["name"] + (unit.map { ["unit (`\($0)`)"] } ?? [])
      return names.joined(separator: ", ") + " and order" + (window.map { " within \($0) ms" } ?? "")
    }
  }
}
