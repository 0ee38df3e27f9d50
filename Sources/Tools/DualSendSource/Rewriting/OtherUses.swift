import SwiftSyntax

/// Shows that a text which is to change goes to log calls and nowhere else.
///
/// A literal must stand in the log call itself, as an argument or as a key in the dictionary of one. A raw value may change
/// if its enum is named only in log calls. If a function passes the text on, every use of its parameter must be a log call.
/// Any other text may be a request's body, an image's name or a stored key, and stays.
struct OtherUses {
  private let found: SourceInventory
  private let trees: SourceTrees
  private let texts: SourceTexts
  /// The described functions, by their names.
  private let described: [String: [LoggingFunction]]
  /// The functions of the sources that log or pass on to a logger, by their names.
  private let declarations: [String: [Function]]
  /// Every place where the name of an enum stands whose raw values are logged.
  private let mentions: [String: [Mention]]
  /// The places that make a value of any enum out of a text.
  private let parsing: [Mention]

  private typealias Function = (file: Int, node: FunctionDeclSyntax)
  private typealias Mention = (file: Int, token: TokenSyntax)
  /// An argument with the text as its value, or as a key of it.
  fileprivate typealias Passed = (argument: LabeledExprSyntax, isKey: Bool)

  init(_ found: SourceInventory, _ trees: SourceTrees, _ texts: SourceTexts, functions: [LoggingFunction]) {
    (self.found, self.trees, self.texts) = (found, trees, texts)
    // The types of receivers are not known here, and many services have a `log`.
    described = Dictionary(grouping: functions.filter { !$0.staysAfterMigration } + LoggingFunction.new, by: \.name)
    let between = found.written.flatMap { $0.site.via.map { String($0.prefix { $0 != "(" }) } + $0.forwarders }
    let logging = Set(between).union(functions.filter { !$0.isOldLogger }.map(\.name))
    let enums = Set(found.declared.values.compactMap(\.owner))
    var (declarations, mentions, parsing): ([String: [Function]], [String: [Mention]], [Mention]) = ([:], [:], [])
    for file in texts.paths.indices {
      guard let text = texts.text(file) else { continue }
      let types = enums.filter { text.contains($0) }, parses = !enums.isEmpty && text.contains("rawValue:")
      guard parses || !types.isEmpty || logging.contains(where: { text.contains("func \($0)") }),
        let tree = trees.tree(file)
      else { continue }
      for token in tree.tokens(viewMode: .sourceAccurate) {
        let name = token.identifierText
        if types.contains(name) { mentions[name, default: []].append((file, token)) }
        if name == "rawValue", token.parsesAnyType { parsing.append((file, token)) }
        guard logging.contains(name), let node = token.parent?.as(FunctionDeclSyntax.self) else { continue }
        declarations[name, default: []].append((file, node))
      }
    }
    (self.declarations, self.mentions, self.parsing) = (declarations, mentions, parsing)
  }

  /// Why a text of a place must stay; `nil` if all its uses are log calls.
  func reason(_ text: WrittenSite.Text, of one: WrittenSite) -> String? {
    if let declared = found.declared[text] { return reason(declared) }
    let (file, offset) = (text.origin.file, text.origin.range.lowerBound)
    var seen: Set<SyntaxIdentifier> = []
    guard let token = trees.token(at: text.origin),
      let place = ([one.place] + one.through).first(where: { $0.file == file && $0.range.contains(offset) }),
      let call = trees.node(at: place, as: FunctionCallExprSyntax.self),
      let passed = token.passed(to: call, isKey: false)
    else {
      return "`\(text.text)` is written in \(self.place(file, offset)), where other code may use it: change it by hand"
    }
    return reason(passing: passed, to: call, in: file, &seen)
  }

  // MARK: Raw values

  private func reason(_ declared: DeclaredText) -> String? {
    guard let owner = declared.owner else {
      return "`\(declared.name)` is a constant, which other code may use: give the event its own"
    }
    for mention in (mentions[owner] ?? []) + parsing {
      if let node = mention.token.parent?.as(EnumDeclSyntax.self), node.name.id == mention.token.id {
        if node.usesItsRawValues { return "`\(owner)` uses its texts itself: change `\(declared.name)` by hand" }
        continue
      }
      var seen: Set<SyntaxIdentifier> = []
      let reason: String?
      if let parameter = mention.token.enclosing(FunctionParameterSyntax.self), parameter.defaultValue == nil,
        let node = parameter.enclosing(FunctionDeclSyntax.self),
        declarations[node.name.identifierText]?.contains(where: { $0.node.id == node.id }) == true
      {
        let function: Function = (mention.file, node)
        reason = self.reason(using: parameter, of: function, isKey: false, &seen)
      } else {
        reason = self.reason(logging: mention.token, in: mention.file, isKey: false, &seen) {
          "`\(declared.name)` is used elsewhere, too, in \($0): give the event its own"
        }
      }
      if let reason { return reason }
    }
    return nil
  }

  // MARK: Arguments

  /// Why a use of a value is none of a log call's; `nil` if it is.
  private func reason(
    logging node: some SyntaxProtocol, in file: Int, isKey: Bool, _ seen: inout Set<SyntaxIdentifier>,
    sentence: (String) -> String
  ) -> String? {
    guard let call = node.enclosing(FunctionCallExprSyntax.self), let passed = node.passed(to: call, isKey: isKey)
    else {
      guard let token = node.firstToken(viewMode: .sourceAccurate) else { return sentence("") }
      return sentence(place(file, token.bytes.lowerBound))
    }
    return reason(passing: passed, to: call, in: file, &seen, sentence: sentence)
  }

  /// Where a function uses an argument other than in a log call.
  private func reason(
    passing passed: Passed, to call: FunctionCallExprSyntax, in file: Int, _ seen: inout Set<SyntaxIdentifier>,
    sentence: (String) -> String = { "it is passed to a function in \($0) that is not followed: change it by hand" }
  ) -> String? {
    let name = call.calledName?.identifierText ?? ""
    let isEvent = described[name]?.contains { $0.takes(passed.argument, of: call) } == true
    var isFollowed = isEvent
    for function in declarations[name] ?? [] {
      // Without such a parameter, it is an overload.
      guard let parameter = function.node.parameter(for: passed.argument, of: call) else { continue }
      isFollowed = true
      if let reason = reason(using: parameter, of: function, isKey: passed.isKey, &seen) { return reason }
    }
    return isFollowed ? nil : sentence(place(file, call.bytes.lowerBound))
  }

  private func reason(
    using parameter: FunctionParameterSyntax, of function: Function, isKey: Bool, _ seen: inout Set<SyntaxIdentifier>
  ) -> String? {
    guard let body = function.node.body, seen.insert(parameter.id).inserted else { return nil }
    let name = (parameter.secondName ?? parameter.firstName).identifierText
    for reference in body.references(to: name) {
      let other = reason(logging: reference, in: function.file, isKey: isKey, &seen) {
        "`\(function.node.name.text)` also uses `\(name)` in \($0): change it by hand"
      }
      if let other { return other }
    }
    return nil
  }

  private func place(_ file: Int, _ offset: Int) -> String {
    let line = (texts.text(file) ?? "").utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    return "\(texts.paths[file]):\(line)"
  }
}

extension LoggingFunction {
  /// Whether an argument has the event's name or its parameters, or is the event.
  fileprivate func takes(_ argument: LabeledExprSyntax, of call: FunctionCallExprSyntax) -> Bool {
    content.arguments.contains { call.argument($0, of: self)?.id == argument.id }
  }
}

extension FunctionDeclSyntax {
  /// The parameter that takes an argument; `nil` if there is none with its label at its place.
  fileprivate func parameter(for argument: LabeledExprSyntax, of call: FunctionCallExprSyntax)
    -> FunctionParameterSyntax?
  {
    let all = Array(signature.parameterClause.parameters)
    if let label = argument.label { return all.first { $0.firstName.identifierText == label.identifierText } }
    let position = Array(call.arguments).firstIndex { $0.id == argument.id } ?? all.count
    return all.dropFirst(position).first.flatMap { $0.firstName.tokenKind == .wildcard ? $0 : nil }
  }
}

extension SyntaxProtocol {
  fileprivate func enclosing<Node: SyntaxProtocol>(_: Node.Type) -> Node? {
    ancestors.lazy.compactMap { $0.as(Node.self) }.first
  }

  /// The argument of a call that gets this node's value as it is, or as a key of a dictionary; `nil` if the value is used on
  /// the way, or is a value of a dictionary.
  fileprivate func passed(to call: FunctionCallExprSyntax, isKey: Bool) -> OtherUses.Passed? {
    var (isKey, last) = (isKey, Syntax(self))
    for ancestor in ancestors {
      if let argument = ancestor.as(LabeledExprSyntax.self), argument.parent?.parent?.id == call.id {
        return (argument, isKey)
      }
      guard ancestor.passesValueOn else { return nil }
      if let element = ancestor.as(DictionaryElementSyntax.self), !isKey {
        guard element.key.id == last.id else { return nil }
        isKey = true
      }
      last = ancestor
    }
    return nil
  }
}

extension TokenSyntax {
  /// Whether this is the label of `.init(rawValue:)`, or of `T(rawValue:)` with a type that is not known here.
  fileprivate var parsesAnyType: Bool {
    guard let argument = parent?.as(LabeledExprSyntax.self), argument.label?.id == id,
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    else { return false }
    if let access = call.calledExpression.as(MemberAccessExprSyntax.self) { return access.base == nil }
    let name = call.calledName?.identifierText
    return ancestors.contains { node in
      node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause?.parameters
        .contains { $0.name.identifierText == name } == true
        || node.is(ProtocolDeclSyntax.self)
        || node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription == "RawRepresentable"
    }
  }
}

extension Syntax {
  /// Whether the value of a part of this node is its value too, or an element of it.
  fileprivate var passesValueOn: Bool {
    switch kind {
    case .stringSegment, .stringLiteralSegmentList, .stringLiteralExpr, .labeledExpr, .labeledExprList, .arrayExpr,
      .arrayElement, .arrayElementList, .dictionaryExpr, .dictionaryElement, .dictionaryElementList, .tupleExpr,
      .ternaryExpr, .asExpr, .forceUnwrapExpr, .declReferenceExpr:
      true
    case .memberAccessExpr:
      self.as(MemberAccessExprSyntax.self).map { access in
        access.declName.baseName.text == "rawValue" || access.base?.isTypeName ?? true
      } ?? false
    default: false
    }
  }
}

extension EnumDeclSyntax {
  private static let plainTypes: Set = ["String", "Sendable", "Hashable", "Equatable", "CaseIterable"]

  /// Whether its members or conformances may read its raw values.
  fileprivate var usesItsRawValues: Bool {
    !Set(inheritedNames).isSubset(of: Self.plainTypes)
      || memberBlock.members.contains { !$0.decl.is(EnumCaseDeclSyntax.self) }
  }
}
