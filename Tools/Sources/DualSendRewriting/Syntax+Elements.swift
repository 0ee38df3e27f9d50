import DualSendCore
import DualSendSource
import SwiftParser
import SwiftSyntax

extension DictionaryExprSyntax {
  var elementList: [DictionaryElementSyntax] {
    if case .elements(let list) = content { Array(list) } else { [] }
  }
}

extension DictionaryElementSyntax {
  /// The byte range without the comma.
  var core: Range<Int> { key.bytes.lowerBound..<value.bytes.upperBound }

  /// The indentation of its line, if it starts the line.
  var ownIndent: String? { startsLine ? leadingTrivia.indentation : nil }
}

extension SyntaxProtocol {
  /// Whether there is a comment in it, or before or after it on its line.
  var hasComment: Bool {
    tokens(viewMode: .sourceAccurate).contains {
      ($0.leadingTrivia.pieces + $0.trailingTrivia.pieces).contains(where: \.isComment)
    }
  }

  /// Whether it starts its line.
  var startsLine: Bool { leadingTrivia.contains(where: \.isNewline) }

  var hasCommentBefore: Bool { leadingTrivia.contains(where: \.isComment) }

  /// The position of the line break before it.
  var lineStart: Int {
    let start = bytes.lowerBound
    return start - leadingTrivia.sourceLength.utf8Length
  }
}

extension Trivia {
  /// The indentation of its last line.
  var indentation: String {
    String(description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).last ?? "")
  }
}

extension ExprSyntax {
  /// The value of a literal.
  var literalValue: EventValue? {
    switch self.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr(let literal): literal.representedLiteralValue.map { .string($0) }
    case .integerLiteralExpr(let literal): literal.representedLiteralValue.map { .int(Int64($0)) }
    case .floatLiteralExpr(let literal): literal.representedLiteralValue.map { .double($0) }
    case .booleanLiteralExpr(let literal): .bool(literal.literal.text == "true")
    default: nil
    }
  }

  /// The type of a parameter of the enclosing function, if it is one and no other declaration has its name.
  var parameterType: String? {
    guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.text,
      let function = ancestors.first(where: \.isFunction)?.as(FunctionDeclSyntax.self)
    else { return nil }
    let all = NameFinder()
    all.walk(function)
    let own = function.signature.parameterClause.parameters.filter { ($0.secondName ?? $0.firstName).text == name }
    return own.count == 1 && all.declared[name] == 1 ? own.first?.type.trimmedDescription : nil
  }

  /// Whether it can be removed without other effects: it has no side effects, and is not the only use of a local.
  func checkRemoval(of key: String) throws(NotRewritten) {
    let finder = NameFinder()
    finder.walk(self)
    if finder.doesMore {
      throw NotRewritten("the table drops `\(key)`, whose value is computed by a call: remove it by hand")
    }
    guard let function = ancestors.first(where: \.isFunction) else { return }
    let all = NameFinder()
    all.walk(function)
    for (name, count) in finder.names.sorted(by: { $0.key < $1.key })
    where all.declared[name] != nil && all.names[name] == count {
      throw NotRewritten("the table drops `\(key)`, the only use of `\(name)`: remove both by hand")
    }
  }
}

extension Syntax {
  fileprivate var isFunction: Bool {
    self.is(FunctionDeclSyntax.self) || self.is(InitializerDeclSyntax.self) || self.is(AccessorDeclSyntax.self)
      || self.is(VariableDeclSyntax.self) && parent?.is(MemberBlockItemSyntax.self) == true
      || self.is(SourceFileSyntax.self)
  }
}

/// The names that some code uses and declares, and whether it does more than read.
private final class NameFinder: SyntaxVisitor {
  private(set) var names: [String: Int] = [:]
  private(set) var declared: [String: Int] = [:]
  private(set) var doesMore = false

  init() { super.init(viewMode: .sourceAccurate) }

  override func visitPost(_ node: DeclReferenceExprSyntax) {
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id { return }
    names[node.baseName.text, default: 0] += 1
  }
  override func visitPost(_ node: IdentifierPatternSyntax) { declared[node.identifier.text, default: 0] += 1 }
  override func visitPost(_ node: FunctionParameterSyntax) {
    declared[(node.secondName ?? node.firstName).text, default: 0] += 1
  }
  override func visitPost(_ node: ClosureShorthandParameterSyntax) { declared[node.name.text, default: 0] += 1 }
  override func visitPost(_ node: FunctionCallExprSyntax) {
    let called = node.calledExpression.trimmedDescription
    doesMore = doesMore || !["String", "Int", "Double", "Bool", "Float"].contains(called)
  }
  override func visitPost(_ node: AwaitExprSyntax) { doesMore = true }
  override func visitPost(_ node: TryExprSyntax) { doesMore = true }
}
