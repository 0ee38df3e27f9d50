import DualSendCore
import DualSendRemapping

extension TableDraft {
  /// Drafts a table from names only. Names with the same words match; a key with one word more or less is a guess,
  /// which its row says. Everything else is an open question.
  ///
  /// A row converts the value if both sides have one type and these differ.
  package init(old: NamedEvents, new: NamedEvents) {
    let match = NameMatch(old: Set(old.events.keys), new: Set(new.events.keys))
    let open = Dictionary(match.open.map { ($0.old, $0.candidates) }, uniquingKeysWith: { first, _ in first })
    self.init(
      old.events.map { name, keys in
        var event = DraftedEvent(name: name.text)
        if let newName = match.pairs[name] {
          if newName != name { (event.newName, event.nameReason) = (newName.text, "the same words") }
          event.draft(keys, new.events[newName] ?? [:])
        } else {
          event.isNameOpen = true
          event.open.append("the new name: " + NameMatch.text(open[name] ?? []))
        }
        return event
      })
  }
}

extension DraftedEvent {
  fileprivate typealias Keys = [ExactText: Set<ValueType>]

  fileprivate mutating func draft(_ old: Keys, _ new: Keys) {
    let match = NameMatch(old: Set(old.keys), new: Set(new.keys))
    let guesses = match.guesses.map { (source: $0.key, target: $0.value, reason: "a guess: one word more or less") }
    let sure = match.pairs.map { (source: $0.key, target: $0.value, reason: "the same words") }
    for (source, target, reason) in (sure + guesses).sorted(by: { $0.source < $1.source }) {
      guard let from = try? KeyPathPattern(source.text), let to = try? KeyPathPattern(target.text) else { continue }
      let type = Self.conversion(from: old[source] ?? [], to: new[target] ?? [])
      if from == to, type == nil { continue }
      guard from.arrays == to.arrays else {
        open.append("`\(from)` may be `\(to)`: they are in different arrays")
        continue
      }
      let isAround = rows.contains { row in
        row.source.overlaps(from) || row.target?.overlaps(to) ?? false
      }
      guard !isAround else {
        open.append("`\(from)` may be `\(to)`: another row overlaps with it")
        continue
      }
      rows.append(Row(source: from, target: to, rule: type.map { ValueRule(type: $0) }, reason: reason))
    }
    for question in match.open where !question.old.text.isEmpty && match.guesses[question.old] == nil {
      open.append("`\(question.old)` " + NameMatch.text(question.candidates))
    }
  }

  /// The new type, if each side has exactly one type and they differ.
  private static func conversion(from old: Set<ValueType>, to new: Set<ValueType>) -> ValueType? {
    guard old.count == 1, new.count == 1, old != new else { return nil }
    return new.first
  }
}

extension KeyPathPattern {
  fileprivate var arrays: Int { steps.count { $0 == .eachElement } }
}
