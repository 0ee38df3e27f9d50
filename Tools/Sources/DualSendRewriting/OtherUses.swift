import DualSendInventory
import DualSendSource
import SwiftSyntax

/// Shows that a text which is to change goes to log calls and nowhere else.
///
/// A literal must stand in the log call itself: as an argument, or in the dictionary of one. A raw value may change if its
/// enum is named only in log calls. Where a function passes the text on, every use of its parameter must be a log call.
/// What is not one of these may be a request's body, an image's name or a stored key, and stays.
struct OtherUses {
  private let found: SourceInventory
  private let trees: SourceTrees
  private let texts: SourceTexts
  /// The functions of the sources, by their names.
  private let declarations: [String: [Function]]
  /// The calls that log.
  private let calls: Set<WrittenSite.Entry>
  /// The names of the functions that pass what they are given on to a logger.
  private let logging: Set<String>
  /// Every place where the name of an enum stands whose raw values are logged.
  private let mentions: [String: [Mention]]

  fileprivate struct Function {
    let file: Int
    let node: FunctionDeclSyntax

    /// The parameter that takes an argument; `nil` if there is none with its label at its place.
    func parameter(for argument: LabeledExprSyntax, of call: FunctionCallExprSyntax) -> FunctionParameterSyntax? {
      let all = node.signature.parameterClause.parameters
      if let label = argument.label { return all.first { $0.firstName.text == label.text } }
      let place = call.arguments.firstIndex(of: argument).map {
        call.arguments.distance(from: call.arguments.startIndex, to: $0)
      }
      return place.flatMap { place in
        Array(all).indices.contains(place) ? Array(all)[place] : nil
      }.flatMap { $0.firstName.tokenKind == .wildcard ? $0 : nil }
    }
  }

  fileprivate struct Mention {
    let file: Int
    let token: TokenSyntax
  }

  init(_ found: SourceInventory, _ trees: SourceTrees, _ texts: SourceTexts, functions: [LoggingFunction]) {
    (self.found, self.trees, self.texts) = (found, trees, texts)
    let between = Set(found.written.flatMap { $0.site.via.map { String($0.prefix { $0 != "(" }) } + $0.forwarders })
    logging = between.union(functions.filter { !$0.isOldLogger }.map(\.name))
    calls = Set(found.written.flatMap { [$0.place] + $0.through })
    let enums = Set(found.declared.values.compactMap(\.owner))
    var (declarations, mentions): ([String: [Function]], [String: [Mention]]) = ([:], [:])
    for file in texts.paths.indices {
      guard let text = texts.text(file) else { continue }
      let names = logging.filter { text.contains("func \($0)") }, types = enums.filter { text.contains($0) }
      guard !names.isEmpty || !types.isEmpty, let tree = trees.tree(file) else { continue }
      for token in tree.tokens(viewMode: .sourceAccurate) {
        if types.contains(token.text) { mentions[token.text, default: []].append(Mention(file: file, token: token)) }
        guard names.contains(token.text), let node = token.parent?.as(FunctionDeclSyntax.self) else { continue }
        declarations[token.text, default: []].append(Function(file: file, node: node))
      }
    }
    (self.declarations, self.mentions) = (declarations, mentions)
  }

  /// Why a text of a place must stay; `nil` if all its uses are log calls.
  func reason(_ text: WrittenSite.Text, of one: WrittenSite) -> String? {
    if let declared = found.declared[text] { return reason(text, declared, of: one) }
    let calls = [one.place] + one.through.filter { $0.file == text.file }
    guard let call = calls.first(where: { $0.file == text.file && $0.range.contains(text.range.lowerBound) }) else {
      return reason(ofLocal: text)
    }
    guard let node = trees.node(call.range, in: call.file, as: FunctionCallExprSyntax.self),
      let literal = trees.tree(text.file)?.token(at: AbsolutePosition(utf8Offset: text.range.lowerBound)),
      let argument = argument(of: node, with: Syntax(literal))
    else {
      return "`\(text.text)` goes through other code before it is logged: change it by hand"
    }
    return reason(passing: argument, to: node)
  }

  /// Why an element of a dictionary must stay; `nil` if the dictionary stands in the log call.
  func reason(_ entry: WrittenSite.Entry, of one: WrittenSite) -> String? {
    let text = WrittenSite.Text(
      literal: "an element", file: entry.file, range: entry.range)
    return reason(text, of: one)
  }

  /// Why a literal outside of the log call must stay; `nil` if it is the value of a local `let` that only log calls use.
  private func reason(ofLocal text: WrittenSite.Text) -> String? {
    let byHand =
      "`\(text.text)` is written in \(place(text.file, text.range.lowerBound)), where other code may use it:"
      + " change it by hand"
    guard let token = trees.tree(text.file)?.token(at: AbsolutePosition(utf8Offset: text.range.lowerBound)),
      let binding = token.ancestors.first(where: { !$0.passesValueOn })?.as(InitializerClauseSyntax.self)?
        .parent?.as(PatternBindingSyntax.self),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let variable = binding.enclosing(VariableDeclSyntax.self), variable.bindingSpecifier.tokenKind == .keyword(.let),
      let block = variable.parent?.parent?.parent?.as(CodeBlockSyntax.self)
    else { return byHand }
    var seen: Set<SyntaxIdentifier> = []
    return reason(using: name, in: Syntax(block), of: text.file, &seen) { "`\(name)` is also used in \($0)" }
  }

  // MARK: Raw values

  private func reason(_ text: WrittenSite.Text, _ declared: DeclaredText, of one: WrittenSite) -> String? {
    guard let owner = declared.owner else {
      return "`\(declared.name)` is a constant, which other code may use: change it by hand"
    }
    if declared.isCoded { return "`\(declared.name)` is also read or stored as text: give the event its own" }
    for mention in mentions[owner] ?? [] {
      if let node = mention.token.parent?.as(EnumDeclSyntax.self), node.name.id == mention.token.id {
        if node.usesItsRawValues { return "`\(owner)` uses its texts itself: change `\(declared.name)` by hand" }
        continue
      }
      if let call = logCall(around: Syntax(mention.token), in: mention.file) {
        guard let argument = argument(of: call, with: Syntax(mention.token)) else {
          return elsewhere(declared, mention)
        }
        if let reason = reason(passing: argument, to: call) { return reason }
      } else if let parameter = mention.token.enclosing(FunctionParameterSyntax.self),
        let function = parameter.enclosing(FunctionDeclSyntax.self), logging.contains(function.name.text)
      {
        var seen: Set<SyntaxIdentifier> = []
        let owner = Function(file: mention.file, node: function)
        if let reason = reason(using: parameter, of: owner, &seen) { return reason }
      } else {
        return elsewhere(declared, mention)
      }
    }
    return nil
  }

  private func elsewhere(_ declared: DeclaredText, _ mention: Mention) -> String {
    let line = place(mention.file, mention.token.bytes.lowerBound)
    return "`\(declared.name)` is used elsewhere, too, in \(line): give the event its own"
  }

  /// The log call that a node stands in, with no other call in between.
  private func logCall(around node: Syntax, in file: Int) -> FunctionCallExprSyntax? {
    guard let call = node.enclosing(FunctionCallExprSyntax.self) else { return nil }
    let isKnown = calls.contains(WrittenSite.Entry(file: file, range: call.bytes))
    return isKnown || call.calledName.map(logging.contains) == true ? call : nil
  }

  // MARK: Arguments

  /// The argument that holds a node, if the node's value is passed as it is: alone, or in a literal.
  private func argument(of call: FunctionCallExprSyntax, with node: Syntax) -> LabeledExprSyntax? {
    var last: LabeledExprSyntax?
    for ancestor in node.ancestors {
      if ancestor.id == call.id { return last }
      last = ancestor.as(LabeledExprSyntax.self) ?? last
      guard ancestor.passesValueOn else { return nil }
    }
    return nil
  }

  /// Where a function uses an argument other than in a log call; `nil` if nowhere, or if it is not among the sources.
  private func reason(passing argument: LabeledExprSyntax, to call: FunctionCallExprSyntax) -> String? {
    var seen: Set<SyntaxIdentifier> = []
    return reason(passing: argument, to: call, &seen)
  }

  private func reason(
    passing argument: LabeledExprSyntax, to call: FunctionCallExprSyntax, _ seen: inout Set<SyntaxIdentifier>
  ) -> String? {
    for function in call.calledName.flatMap({ declarations[$0] }) ?? [] {
      // Without such a parameter, it is an overload.
      guard let parameter = function.parameter(for: argument, of: call) else { continue }
      if let reason = reason(using: parameter, of: function, &seen) { return reason }
    }
    return nil
  }

  private func reason(
    using parameter: FunctionParameterSyntax, of function: Function, _ seen: inout Set<SyntaxIdentifier>
  ) -> String? {
    guard let body = function.node.body, seen.insert(parameter.id).inserted else { return nil }
    let name = (parameter.secondName ?? parameter.firstName).text
    return reason(using: name, in: Syntax(body), of: function.file, &seen) {
      "`\(function.node.name.text)` also uses `\(name)` in \($0)"
    }
  }

  /// - Parameter sentence: says that the place of a use is none of a log call.
  private func reason(
    using name: String, in body: Syntax, of file: Int, _ seen: inout Set<SyntaxIdentifier>, sentence: (String) -> String
  ) -> String? {
    for token in body.tokens(viewMode: .sourceAccurate) where token.text == name {
      guard let reference = token.parent?.as(DeclReferenceExprSyntax.self), !reference.isMember else { continue }
      guard let call = logCall(around: Syntax(reference), in: file),
        let argument = argument(of: call, with: Syntax(reference))
      else { return sentence(place(file, token.bytes.lowerBound)) + ": change it by hand" }
      if let reason = reason(passing: argument, to: call, &seen) { return reason }
    }
    return nil
  }

  private func place(_ file: Int, _ offset: Int) -> String {
    let line = (texts.text(file) ?? "").utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    return "\(texts.paths[file]):\(line)"
  }
}

extension SyntaxProtocol {
  fileprivate func enclosing<Node: SyntaxProtocol>(_: Node.Type) -> Node? {
    ancestors.lazy.compactMap { $0.as(Node.self) }.first
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

extension ExprSyntax {
  /// Whether this names a type: `Screen`, `Names.Screen`.
  fileprivate var isTypeName: Bool {
    let name =
      self.as(DeclReferenceExprSyntax.self)?.baseName ?? self.as(MemberAccessExprSyntax.self)?.declName.baseName
    return name?.text.first?.isUppercase ?? false
  }
}

extension DeclReferenceExprSyntax {
  /// Whether this is the member of an access: `name` in `self.name`.
  fileprivate var isMember: Bool {
    parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id == id } ?? false
  }
}

extension FunctionCallExprSyntax {
  fileprivate var calledName: String? {
    let name = calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
    return (name ?? calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName)?.text
  }
}

extension EnumDeclSyntax {
  private static let plainTypes: Set = ["String", "Sendable", "Hashable", "Equatable", "CaseIterable"]

  /// Whether its members or conformances may read its raw values.
  fileprivate var usesItsRawValues: Bool {
    let types = inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    return !Set(types).isSubset(of: Self.plainTypes)
      || memberBlock.members.contains { !$0.decl.is(EnumCaseDeclSyntax.self) }
  }
}
