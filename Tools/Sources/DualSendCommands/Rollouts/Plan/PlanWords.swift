import DualSend
import DualSendCore
import DualSendRollout

/// What the blocks of a plan say in the same words, whatever they are about.
enum PlanWords {
  private static let shownPatterns = 8

  /// `home.*, shop.*`; the first few of many.
  static func list(_ patterns: [EventPattern]) -> String {
    let shown = patterns.prefix(shownPatterns).map(\.words).joined(separator: ", ")
    let hidden = patterns.count - shownPatterns
    return shown + (hidden > 0 ? " and \(hidden) more" : "")
  }

  /// `new 5 % → 25 %`.
  static func change(_ subject: String, _ before: RolloutPercentage, _ after: RolloutPercentage) -> String {
    before == after ? "\(subject) stays \(before)" : "\(subject) \(before) → \(after)"
  }

  /// Which rules set what was changed.
  static func deciding(_ before: [String], _ after: [String]) -> String {
    let (old, new) = (words(before), words(after))
    return old == new ? "set by \(old)" : "was set by \(old), will be set by \(new)"
  }

  private static func words(_ deciding: [String]) -> String {
    deciding.map { $0.printable() }.joined(separator: " and ")
  }
}

extension EventPattern {
  /// The pattern as a document spells it; `*` with what it means beside other groups.
  fileprivate var words: String {
    self == .prefix("") ? "* (all events without a closer pattern)" : description.printable()
  }
}

extension DecisionContext {
  /// A unit that rules name.
  var namedSubject: String { "unit `\((unitID ?? "").printable())`" }

  /// What else must hold for such a unit to move.
  var withContext: String { description.isEmpty ? "" : "e.g. with \(description)" }
}

extension DecisionContext? {
  /// One unit of a share.
  var unitExample: String {
    self?.unitID.map { "e.g. `\($0.printable())`" } ?? ""
  }
}
