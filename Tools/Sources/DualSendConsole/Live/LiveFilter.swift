import DualSendCore

/// Which entries somebody wants to see: those that every given condition holds for.
package struct LiveFilter: Sendable {
  var before: Int64?
  var limit = 100
  var unit: String?
  var name: String?
  var states: Set<String>?
  var text: String?
  /// The most entries of one answer.
  static let maximumLimit = 1000

  /// Reads `before`, `limit`, `unit`, `name`, `state` (several with commas between them) and `q`.
  ///
  /// `q` is looked for in names, units, ids and reasons; never in payloads, whose hidden values could be found by guessing.
  package init(_ query: [String: String]) throws(ConsoleFailure) {
    if let text = query["before"] {
      guard let before = Int64(text) else { throw ConsoleFailure(400, "`before` is not a sequence") }
      self.before = before
    }
    if let text = query["limit"] {
      guard let limit = Int(text), (1...Self.maximumLimit).contains(limit) else {
        throw ConsoleFailure(400, "`limit` is not a number from 1 to \(Self.maximumLimit)")
      }
      self.limit = limit
    }
    func word(_ key: String) -> String? { query[key].flatMap { $0.isEmpty ? nil : $0 } }
    unit = word("unit")
    name = word("name")?.lowercased()
    text = word("q")?.lowercased()
    states = word("state").map { Set($0.split(separator: ",").map(String.init)) }
  }

  func matches(_ entry: borrowing LiveEntry) -> Bool {
    if let states, !states.contains(entry.state.rawValue) { return false }
    if let unit, entry.unit?.isExactly(unit) != true { return false }
    if let name, !Self.contains(entry.oldName, name), !Self.contains(entry.newName, name) { return false }
    guard let text else { return true }
    return Self.contains(entry.oldName, text) || Self.contains(entry.newName, text) || Self.contains(entry.unit, text)
      || entry.id.description.contains(text) || Self.contains(entry.decision?.reason, text)
  }

  private static func contains(_ text: String?, _ part: String) -> Bool {
    text?.lowercased().contains(part) ?? false
  }
}
