import DualSendCore
import DualSendRollout

/// A one-line summary of what apps see of the changes between two rollout documents.
struct RolloutChange: CustomStringConvertible {
  /// The most changes that are named; the others are counted.
  private static let named = 3
  private static let nameLimit = 40

  /// Such as `top level, new tracker: 5 % → 20 %`.
  let description: String

  init(from old: RolloutDocument, to new: RolloutDocument) {
    var changes = old.salt.isExactly(new.salt) ? [] : ["another salt: every unit gets another bucket"]
    changes += Self.shares("top level", old.shares, new.shares)
    let isSame = (old.missingUnit, old.allowNeither) == (new.missingUnit, new.allowNeither)
    if !isSame || !Self.areSame(old.sinks, new.sinks) { changes.append("top level: other settings") }
    let (pairs, removed, added) = Self.paired(old.rules, new.rules)
    for (before, after) in pairs {
      let (rule, earlier, label) = (new.rules[after], old.rules[before], Self.label(new.rules, after))
      changes += Self.shares(label, earlier.shares, rule.shares)
      if earlier.match != rule.match { changes.append("\(label): other conditions") }
      if earlier.name != rule.name { changes.append("\(label) was \(Self.label(old.rules, before))") }
      if earlier.allowNeither != rule.allowNeither || !Self.areSame(earlier.sinks, rule.sinks) {
        changes.append("\(label): other settings")
      }
    }
    changes += removed.map { "\(Self.label(old.rules, $0)) removed" }
    changes += added.map { index in
      let shares = zip(["old logger", "new tracker"], new.rules[index].shares).filter { $0.1 != nil }
        .map { "\($0) \(Self.words($1))" }
      return "\(Self.label(new.rules, index)) added\(shares.isEmpty ? "" : " (\(shares.joined(separator: ", ")))")"
    }
    if zip(pairs, pairs.dropFirst()).contains(where: { $0.old > $1.old }) { changes.append("another order of rules") }
    let more = changes.count > Self.named ? "; and \(changes.count - Self.named) more" : ""
    description = changes.isEmpty ? "nothing that apps read" : changes.prefix(Self.named).joined(separator: "; ") + more
  }

  /// The rules of both documents that are one rule: those with the same name and conditions, else with the same conditions, else
  /// with the same name; in the order of the new document.
  private static func paired(
    _ old: [RolloutRule], _ new: [RolloutRule]
  ) -> (pairs: [(old: Int, new: Int)], removed: [Int], added: [Int]) {
    var partners = [Int?](repeating: nil, count: new.count)
    let head = zip(old, new).prefix { $0.name == $1.name && $0.match == $1.match }.count
    for index in 0..<head { partners[index] = index }
    var left = Array(head..<old.count)
    let tests: [(RolloutRule, RolloutRule) -> Bool] = [
      { $0.name == $1.name && $0.match == $1.match }, { $0.match == $1.match },
      { $0.name != nil && $0.name == $1.name },
    ]
    for test in tests {
      for index in new.indices where partners[index] == nil {
        guard let place = left.firstIndex(where: { test(old[$0], new[index]) }) else { continue }
        partners[index] = left.remove(at: place)
      }
    }
    let pairs = partners.enumerated().compactMap { index, partner in partner.map { (old: $0, new: index) } }
    return (pairs, left, partners.indices.filter { partners[$0] == nil })
  }

  private static func label(_ rules: [RolloutRule], _ index: Int) -> String {
    rules[index].name.map { "rule \"\($0.printable(limit: nameLimit))\"" } ?? "rule \(index + 1)"
  }

  /// The shares that differ; `nil` is one that a rule does not set.
  private static func shares(_ label: String, _ old: [RolloutFlag?], _ new: [RolloutFlag?]) -> [String] {
    zip(["old logger", "new tracker"], zip(old, new)).filter { $0.1.0 != $0.1.1 }.map { name, flags in
      "\(label), \(name): \(words(flags.0)) → \(words(flags.1))"
    }
  }

  private static func words(_ flag: RolloutFlag?) -> String {
    switch flag {
    case nil: "not set"
    case .percentage(let share)?: share.description
    case .schedule?: "a schedule"
    }
  }

  private static func areSame(_ old: [RolloutSinkShare], _ new: [RolloutSinkShare]) -> Bool {
    old.map(\.sink) == new.map(\.sink) && old.map(\.flag) == new.map(\.flag)
  }
}

extension RolloutDocument {
  fileprivate var shares: [RolloutFlag?] { [shouldSendLogToOldLogger, shouldSendLogToNewTracker] }
}

extension RolloutRule {
  fileprivate var shares: [RolloutFlag?] { [shouldSendLogToOldLogger, shouldSendLogToNewTracker] }
}
