import DualSendCore
import SwiftSyntax

/// Functions of the sources that may log.
extension LoggingSuggestions.Candidate {
  /// - Parameter declared: all functions with the same name and labels.
  /// - Returns: `nil` if they take no event, or log for people.
  init?(_ declared: [Declaration], _ index: DeclarationIndex, _ units: UnitStore) {
    let nodes = declared.compactMap { units.unit($0)?.node.as(FunctionDeclSyntax.self) }
    guard let first = declared.first, !Self.isForPeople(first, nodes) else { return nil }
    let types = first.parameters.map { DeclarationIndex.plain($0.type) }
    guard let event = Self.event(first, types, index) else { return nil }
    let parameters = types.indices.first { $0 != event && first.parameters[$0].type.dictionaryTypes != nil }
    let properties = parameters == nil ? Self.properties(of: types[event], in: first, index) : nil
    var content: [String: EventValue] = [properties == nil ? "name" : "event": .int(Int64(event))]
    content["parameters"] = parameters.map { place in
      let label = first.parameters[place].label
      return label == "_" ? .int(Int64(place)) : .string(label)
    }
    content.merge(properties ?? [:]) { $1 }
    let owners = Set(declared.map(\.owner))
    let isText = Self.isText(types[event])
    let property: String? =
      if case .string(let path)? = properties?["nameProperty"] { PropertyPath(path)?.first } else { nil }
    // The body determines the text of an enum.
    let changesText =
      (isText || properties != nil)
      && nodes.contains { node in
        let parameter = node.declaredParameters.dropFirst(event).first
        return parameter.map { node.changes($0.name, property) } == true
      }
    self.init(
      name: first.name, labels: first.labels, type: owners.count == 1 && !first.owner.isEmpty ? first.owner : nil,
      content: content, isLikely: parameters != nil || !isText, changesText: changesText)
  }

  /// Whether a function writes messages: by its words, by the position of its caller, or because it only prints.
  private static func isForPeople(_ one: Declaration, _ nodes: [FunctionDeclSyntax]) -> Bool {
    let words = [one.name] + one.parameters.flatMap { [$0.label, $0.name, $0.type] }
    if words.contains(where: { !TrackingWords.ofMessages.isDisjoint(with: TrackingWords.words($0)) }) { return true }
    let defaults = nodes.flatMap(\.signature.parameterClause.parameters).compactMap(\.defaultValue?.value)
    if defaults.contains(where: { $0.is(MacroExpansionExprSyntax.self) }) { return true }
    let bodies = nodes.compactMap(\.body).filter { !$0.statements.isEmpty }
    return !bodies.isEmpty && bodies.allSatisfy(\.onlyPrints)
  }

  /// The parameter with the event: an event, else a text or an enum that is called so, else the first of them.
  private static func event(_ one: Declaration, _ types: [String], _ index: DeclarationIndex) -> Int? {
    if let event = types.indices.first(where: { isEvent(types[$0]) }) { return event }
    let named = types.indices.filter { isText(types[$0]) || isEnumeration(types[$0], in: one, index) }
    let called = named.first { place in
      let words = TrackingWords.words(one.parameters[place].label) + TrackingWords.words(one.parameters[place].name)
      return !Set(words).isDisjoint(with: ["event", "name", "action", "key"])
    }
    return called ?? named.first { $0 == 0 }
  }

  private static func isText(_ type: String) -> Bool { ["String", "StaticString"].contains(type) }

  private static func isEvent(_ type: String) -> Bool {
    !isText(type) && ["event", "events", "pixel", "stat"].contains(TrackingWords.words(type).last ?? "")
  }

  private static func isEnumeration(_ type: String, in one: Declaration, _ index: DeclarationIndex) -> Bool {
    declaration(of: type, in: one, index)?.kind == .enumeration
  }

  private static func declaration(of type: String, in one: Declaration, _ index: DeclarationIndex) -> Declaration? {
    index.type(type, in: one.owner, file: one.file).flatMap(index.declaration)
  }

  /// The properties that hold the name and the parameters of an event; `nil` if it is a text or an enum.
  private static func properties(
    of type: String, in one: Declaration, _ index: DeclarationIndex
  ) -> [String: EventValue]? {
    guard !isText(type), !isEnumeration(type, in: one, index) else { return nil }
    guard let reference = index.type(type, in: one.owner, file: one.file) else { return [:] }
    let all = index.properties(of: reference).map { index[$0] }.filter { !$0.isStatic }
    let texts = all.filter { isText(DeclarationIndex.plain($0.type ?? "")) }
    func isNamed(_ one: Declaration) -> Bool { TrackingWords.words(one.name).contains("name") }
    let name =
      texts.first(where: isNamed)?.name
      ?? all.first { isNamed($0) && hasRawText($0, index) }.map { $0.name + ".rawValue" } ?? texts.first?.name
    let parameters = all.first { $0.type?.dictionaryTypes != nil }?.name
    return ["nameProperty": name, "parametersProperty": parameters].compactMapValues { $0.map { .string($0) } }
  }

  /// Whether a property is an enum whose raw values are texts.
  private static func hasRawText(_ one: Declaration, _ index: DeclarationIndex) -> Bool {
    let declared = declaration(of: one.type ?? "", in: one, index)
    return declared?.kind == .enumeration && declared?.inherited.contains("String") == true
  }
}

extension FunctionDeclSyntax {
  /// Whether a text is made of a parameter or of a property of it, other than for people.
  fileprivate func changes(_ parameter: String, _ property: String?) -> Bool {
    guard let body else { return false }
    return body.references(to: parameter).contains { reference in
      if reference.ancestors.contains(where: { $0.as(FunctionCallExprSyntax.self)?.isPrinting == true }) {
        return false
      }
      guard let property else { return Syntax(reference).becomesText }
      let access = reference.parent?.as(MemberAccessExprSyntax.self)
      return access.map { $0.declName.baseName.identifierText == property && Syntax($0).becomesText } ?? false
    }
  }
}

extension CodeBlockSyntax {
  /// Whether it calls functions that print, and no other.
  fileprivate var onlyPrints: Bool {
    let calls = all(FunctionCallExprSyntax.self).filter { $0.calledName != nil }
    return !calls.isEmpty && calls.allSatisfy(\.isPrinting)
  }
}

extension FunctionCallExprSyntax {
  fileprivate var isPrinting: Bool {
    let name = calledName?.identifierText ?? ""
    return ["print", "debugPrint", "dump", "NSLog", "os_log"].contains(name) || TrackingWords.ofMessages.contains(name)
  }
}

extension Syntax {
  /// Members of a text that are no other text.
  private static let harmless: Set = [
    "isEmpty", "count", "hasPrefix", "hasSuffix", "contains", "hashValue", "utf8", "self",
  ]

  /// Whether this text becomes a part of another one, or another one by a member.
  fileprivate var becomesText: Bool {
    guard let parent else { return false }
    switch parent.as(SyntaxEnum.self) {
    case .memberAccessExpr(let access):
      let name = access.declName.baseName.identifierText
      guard access.base?.id == id else { return false }
      return name == "rawValue" ? parent.becomesText : !Self.harmless.contains(name)
    case .forceUnwrapExpr, .optionalChainingExpr, .tupleExpr: return parent.becomesText
    case .infixOperatorExpr(let infix): return infix.operator.trimmedDescription.hasPrefix("+")
    case .labeledExpr: return parent.parent?.parent?.is(ExpressionSegmentSyntax.self) == true
    default: return false
    }
  }
}
