import DualSendCore
import DualSendRemapping
import DualSendSource

/// Writes an event's name as the table has it.
struct NameRewriter {
  let table: RemappingTable

  /// The rule for an event, and its new name.
  ///
  /// - Throws: if it has several names, and the table says more of them than other names.
  func rewritten(_ event: LiteralCall.Event) throws(NotRewritten) -> (rule: EventRule, name: RewrittenValue) {
    if let name = event.name.onlyText {
      let rule = table.rule(for: name)
      return (rule, RewrittenValue(text: SwiftText.literal(.string(rule.name ?? name))))
    }
    guard case .oneOf(let values) = event.name.shape, let written = event.writtenName else {
      throw NotRewritten("its name is not one text")
    }
    var rules: [EventRule] = []
    var isRenamed = false
    for value in values {
      guard let name = value.onlyText else { throw NotRewritten("its name is not one text") }
      let rule = table.rule(for: name)
      isRenamed = isRenamed || (rule.name ?? name) != name
      rules.append(rule)
    }
    guard let first = rules.first, rules.allSatisfy({ $0.saysTheSame(as: first) }) else {
      throw NotRewritten("its name is not one text, and the table treats one event otherwise than another")
    }
    if !isRenamed, let text = written.text { return (first, RewrittenValue(text: text, uses: written.uses)) }
    guard let choice = written.choice else {
      throw NotRewritten("its name is not one text, and is made elsewhere")
    }
    return (first, try rewritten(choice))
  }

  private func rewritten(_ choice: WrittenExpression.Choice) throws(NotRewritten) -> RewrittenValue {
    var names: [RewrittenValue] = []
    for branch in choice.branches {
      if let name = branch.value.onlyText {
        names.append(RewrittenValue(text: SwiftText.literal(.string(table.rule(for: name).name ?? name))))
      } else if let inner = branch.choice {
        names.append(try rewritten(inner))
      } else {
        throw NotRewritten("its name is not one text, and is made elsewhere")
      }
    }
    return RewrittenValue(
      text: "\(choice.condition) ? " + names.map(\.text).joined(separator: " : "),
      uses: choice.uses + names.flatMap(\.uses))
  }
}

extension EventRule {
  /// Whether both make the same of every payload.
  fileprivate func saysTheSame(as other: EventRule) -> Bool {
    rows == other.rows && constants == other.constants && unmapped == other.unmapped
      && clashPolicy == other.clashPolicy
  }
}
