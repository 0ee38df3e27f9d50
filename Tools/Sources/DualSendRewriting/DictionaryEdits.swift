import DualSendCodeGeneration
import DualSendCore
import DualSendRemapping
import DualSendSource
import SwiftSyntax

/// Edits dictionaries: removes elements, replaces their values, or moves them below another key.
struct DictionaryEdits {
  let trees: SourceTrees
  let types: DictionaryTypes

  /// The edits for some elements, by file.
  func edits(_ all: [WrittenSite.Entry: ElementChange]) throws(NotRewritten) -> [Int: [SourceEdit]] {
    var edits: [Int: [SourceEdit]] = [:]
    for (file, entries) in Dictionary(grouping: all, by: \.key.file) {
      let changes = ElementChanges(entries.map { ($0.key.range, $0.value) }) { first, _ in first }
      var hosts: [Range<Int>: DictionaryExprSyntax] = [:]
      for (key, change) in changes.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
        if let element = trees.node(key, in: file, as: ExprSyntax.self)?.parent?.as(DictionaryElementSyntax.self) {
          guard let host = host(of: element, changes) else { throw NotRewritten("its dictionary is not found again") }
          hosts[host.bytes] = host
        } else if let argument = trees.node(key, in: file, as: LabeledExprSyntax.self) {
          edits[file, default: []].append(try edit(argument, change))
        } else {
          throw NotRewritten("one of its keys is not found again")
        }
      }
      for host in hosts.values { edits[file, default: []] += try self.edits(host, changes) }
    }
    return edits
  }

  /// The dictionary whose elements change: the outer one, if an element leaves its own.
  private func host(of element: DictionaryElementSyntax, _ changes: ElementChanges) -> DictionaryExprSyntax? {
    guard let own = element.parent?.parent?.as(DictionaryExprSyntax.self) else { return nil }
    guard own.elementList.contains(where: { changes[$0.key.bytes]?.leaves == true }) else { return own }
    return own.parent?.as(DictionaryElementSyntax.self)?.parent?.parent?.as(DictionaryExprSyntax.self)
  }

  // MARK: literals

  private struct Leaf {
    let keys: [String]
    let value: String
  }

  private func edits(
    _ literal: DictionaryExprSyntax, _ changes: ElementChanges
  ) throws(NotRewritten) -> [SourceEdit] {
    let elements = literal.elementList
    var edits: [SourceEdit] = []
    var members: [Int: [WrittenMember]] = [:]
    var moved: Set<Int> = []
    for (place, element) in elements.enumerated() {
      if case .convert(let rule)? = changes[element.key.bytes] {
        _ = try valueType(literal)
        if let text = try converted(element.value, rule) { edits.append(SourceEdit(element.value.bytes, text)) }
      }
      if case .replace(let text)? = changes[element.key.bytes] {
        _ = try valueType(literal)
        try element.value.checkRemoval(of: element.key.trimmedDescription)
        edits.append(SourceEdit(element.value.bytes, text))
      }
      guard let leaves = try leaves(element, changes) else { continue }
      moved.insert(place)
      next: for leaf in leaves {
        for first in members.keys.sorted() {
          for member in (members[first] ?? []).indices
          where members[first]?[member].add(leaf.keys[...], leaf.value) == true { continue next }
        }
        members[place, default: []].append(WrittenMember(leaf.keys[...], leaf.value))
      }
    }
    for (place, written) in members {
      let type = try valueType(literal)
      let indent = elements[place].ownIndent
      let texts = written.map { $0.text(type: type, indent: indent) }
      edits.append(SourceEdit(elements[place].core, texts.joined(separator: indent.map { ",\n" + $0 } ?? ", ")))
    }
    return edits + (try removals(literal, elements, moved.filter { members[$0] == nil }))
  }

  /// The new form of an element; `nil` if it stays unchanged.
  private func leaves(_ element: DictionaryElementSyntax, _ changes: ElementChanges) throws(NotRewritten) -> [Leaf]? {
    switch changes[element.key.bytes] {
    case .drop?:
      try element.value.checkRemoval(of: element.key.trimmedDescription)
      return []
    case .move(let keys, false, let rule)?:
      if element.value.is(DictionaryExprSyntax.self) {
        throw NotRewritten("the table moves `\(element.key.trimmedDescription)`, a dictionary: move it by hand")
      }
      let value = try rule.flatMap { rule throws(NotRewritten) in try converted(element.value, rule) }
      return [Leaf(keys: keys, value: value ?? element.value.trimmedDescription)]
    default: break
    }
    guard let inner = element.value.as(DictionaryExprSyntax.self)?.elementList,
      inner.contains(where: { changes[$0.key.bytes]?.leaves == true })
    else { return nil }
    var leaves: [Leaf] = []
    for one in inner {
      switch changes[one.key.bytes] {
      case .drop?: try one.value.checkRemoval(of: one.key.trimmedDescription)
      case .move(let keys, true, let rule)?:
        let value = try rule.flatMap { rule throws(NotRewritten) in try converted(one.value, rule) }
        leaves.append(Leaf(keys: keys, value: value ?? one.value.trimmedDescription))
      default:
        throw NotRewritten("the table moves a part of `\(element.key.trimmedDescription)`: move it by hand")
      }
    }
    return leaves
  }

  private func removals(
    _ literal: DictionaryExprSyntax, _ elements: [DictionaryElementSyntax], _ gone: Set<Int>
  ) throws(NotRewritten) -> [SourceEdit] {
    if gone.isEmpty { return [] }
    for place in gone
    where elements[place].hasComment || place + 1 < elements.count && elements[place + 1].hasCommentBefore {
      throw NotRewritten("a comment stands beside `\(elements[place].key.trimmedDescription)`: change it by hand")
    }
    guard gone.count < elements.count else {
      _ = try valueType(literal)
      return [SourceEdit(literal.leftSquare.bytes.upperBound..<literal.rightSquare.bytes.lowerBound, ":")]
    }
    var edits: [SourceEdit] = []
    var place = 0
    while place < elements.count {
      defer { place += 1 }
      guard gone.contains(place) else { continue }
      let first = place
      while gone.contains(place + 1) { place += 1 }
      edits.append(
        place + 1 < elements.count
          ? SourceEdit(elements[first].bytes.lowerBound..<elements[place + 1].bytes.lowerBound, "")
          : SourceEdit(elements[first - 1].core.upperBound..<elements[place].core.upperBound, ""))
    }
    return edits
  }

  /// The type of a dictionary's values, if any type is allowed.
  private func valueType(_ literal: DictionaryExprSyntax) throws(NotRewritten) -> String {
    guard let type = types.values(of: ExprSyntax(literal)) else {
      throw NotRewritten("the type of its dictionary may not take every value: write the change by hand")
    }
    return type
  }

  // MARK: subscripts

  private func edit(_ key: LabeledExprSyntax, _ change: ElementChange) throws(NotRewritten) -> SourceEdit {
    guard let part = key.parent?.parent?.as(SubscriptCallExprSyntax.self),
      let assigned = part.parent?.as(InfixOperatorExprSyntax.self), assigned.leftOperand.id == part.id
    else { throw NotRewritten("`\(key.trimmedDescription)` is set in a way that is not changed: write it by hand") }
    switch change {
    case .convert(let rule):
      let right = assigned.rightOperand
      guard types.values(ofVariable: part.calledExpression) != nil, let text = try converted(right, rule) else {
        throw NotRewritten("the table converts `\(key.trimmedDescription)`: write the conversion by hand")
      }
      return SourceEdit(right.bytes, text)
    case .drop:
      guard let item = assigned.parent?.as(CodeBlockItemSyntax.self),
        let list = item.parent?.as(CodeBlockItemListSyntax.self),
        list.count > 1, let place = list.firstIndex(of: item), !item.hasComment, item.startsLine
      else { break }
      let next = list.index(after: place)
      if next < list.endIndex, list[next].hasCommentBefore { break }
      try assigned.rightOperand.checkRemoval(of: key.trimmedDescription)
      // From the end of the previous line to the end of its own.
      return SourceEdit(item.lineStart..<item.bytes.upperBound, "")
    case .replace(let text) where types.values(ofVariable: part.calledExpression) != nil:
      try assigned.rightOperand.checkRemoval(of: key.trimmedDescription)
      return SourceEdit(assigned.rightOperand.bytes, text)
    case .move, .replace: break
    }
    throw NotRewritten("the table changes the place of `\(key.trimmedDescription)`: write it by hand")
  }

  // MARK: values

  /// A literal, or a choice between literals, after conversion by a rule; `nil` if it stays unchanged.
  private func converted(_ value: ExprSyntax, _ rule: ValueRule) throws(NotRewritten) -> String? {
    if let known = value.literalValue {
      let (new, outcome) = rule.apply(to: known)
      if outcome == .unchanged || outcome == .failed { return nil }
      if let text = new.swiftLiteral { return text }
    }
    if let inner = value.as(TupleExprSyntax.self)?.elements, inner.count == 1, let only = inner.first {
      return try converted(only.expression, rule)
    }
    if let choice = value.as(TernaryExprSyntax.self) {
      let condition = choice.condition.trimmedDescription
      let sides = [choice.thenExpression, choice.elseExpression]
      guard sides.allSatisfy({ $0.literalValue != nil }) else { throw Self.byHand(value) }
      var texts: [String] = []
      for side in sides { texts.append(try converted(side, rule) ?? side.trimmedDescription) }
      if texts == ["true", "false"] { return condition }
      if texts == ["false", "true"] {
        return choice.condition.is(InfixOperatorExprSyntax.self) ? "!(\(condition))" : "!\(condition)"
      }
      return "\(condition) ? \(texts[0]) : \(texts[1])"
    }
    // A text that was converted only for the old logger.
    if rule.table == nil, let call = value.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      call.calledExpression.trimmedDescription == "String", let only = call.arguments.first, only.label == nil,
      let type = only.expression.parameterType,
      rule.type == .int && type == "Int" || rule.type == .bool && type == "Bool"
    {
      return only.expression.trimmedDescription
    }
    throw Self.byHand(value)
  }

  private static func byHand(_ value: ExprSyntax) -> NotRewritten {
    let call = value.as(FunctionCallExprSyntax.self)
    let made = call?.calledExpression.trimmedDescription == "String" ? call?.arguments.first?.expression : nil
    let example = made.map { ", such as `\($0.trimmedDescription)` if its type fits" } ?? ""
    return NotRewritten(
      "the table converts `\(value.trimmedDescription)`, which is no literal: write the conversion by hand" + example)
  }
}
