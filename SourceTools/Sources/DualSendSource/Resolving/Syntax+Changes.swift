import SwiftSyntax

extension Resolver {
  /// The names of what some code may change.
  ///
  /// - Parameter isOuter: without what closures in it do, and without the change that the code is itself, which is followed.
  func mutated(_ node: Syntax, isOuter: Bool = false) -> Set<String> {
    if !isOuter, let known = mutations[node.id] { return known }
    let finder = ChangeFinder(isOuter ? node : nil)
    finder.walk(node)
    let names = Set(finder.changes.map(\.name))
    if !isOuter { mutations[node.id] = names }
    return names
  }

  /// What is changed behind some code in the function that it stands in, or anywhere in a loop around it.
  func mutatedLater(than node: Syntax) -> Set<String> {
    var root = node
    var loop: Syntax?
    while let parent = root.parent {
      if root.is(ForStmtSyntax.self) || root.is(WhileStmtSyntax.self) || root.is(RepeatStmtSyntax.self) { loop = root }
      if parent.is(MemberBlockItemSyntax.self) || parent.is(SourceFileSyntax.self) { break }
      root = parent
    }
    let changes: [ChangeFinder.Change]
    if let known = laterChanges[root.id] {
      changes = known
    } else {
      let finder = ChangeFinder(nil)
      finder.walk(root)
      changes = finder.changes
      laterChanges[root.id] = changes
    }
    let start = loop?.position ?? node.endPosition
    return Set(changes.filter { $0.position >= start }.map(\.name))
  }
}

final class ChangeFinder: SyntaxVisitor {
  struct Change {
    let name: String
    let position: AbsolutePosition
  }

  private let outer: Syntax?
  private(set) var changes: [Change] = []

  init(_ outer: Syntax?) {
    self.outer = outer
    super.init(viewMode: .sourceAccurate)
  }

  private func add(_ expression: ExprSyntax) {
    // The name that stands first, or all names of what is not understood.
    var here = expression
    while true {
      if let access = here.as(MemberAccessExprSyntax.self), let base = access.base {
        if base.localName == "self" {
          changes.append(Change(name: access.declName.baseName.identifierText, position: expression.position))
        }
        here = base
      } else if let call = here.as(SubscriptCallExprSyntax.self) {
        here = call.calledExpression
      } else if let chained = here.as(OptionalChainingExprSyntax.self) {
        here = chained.expression
      } else if let forced = here.as(ForceUnwrapExprSyntax.self) {
        here = forced.expression
      } else {
        break
      }
    }
    if let name = here.localName {
      changes.append(Change(name: name, position: expression.position))
    } else {
      for name in here.trimmedDescription.words { changes.append(Change(name: name, position: expression.position)) }
    }
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.isAssignment, outer?.id != node.id { add(node.leftOperand) }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    // Operators of an order that is not known: anything in it may be changed.
    for name in node.trimmedDescription.words { changes.append(Change(name: name, position: node.position)) }
    return .visitChildren
  }

  override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
    add(node.expression)
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if outer.flatMap(\.innerCall)?.id == node.id, node.changedPlace != nil { return .visitChildren }
    if let access = node.calledExpression.as(MemberAccessExprSyntax.self), let base = access.base,
      !Self.harmless.contains(access.declName.baseName.text), let place = Resolver.Place(base), place.name != "self"
    {
      add(base)
    }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    outer == nil ? .visitChildren : .skipChildren
  }

  /// Functions that change nothing that they are called on.
  private static let harmless: Set<String> = [
    "merging", "mapValues", "compactMapValues", "filter", "map", "compactMap", "flatMap", "reduce", "forEach",
    "contains",
    "lowercased", "uppercased", "appending", "replacingOccurrences", "replacing", "joined", "split", "sorted", "first",
    "last", "allSatisfy", "enumerated", "reversed", "hasPrefix", "hasSuffix", "components", "trimmingCharacters",
    "prefix", "suffix", "dropFirst", "dropLast", "keys", "values", "index", "firstIndex", "min", "max",
  ]
}

extension InfixOperatorExprSyntax {
  var isAssignment: Bool {
    if self.operator.is(AssignmentExprSyntax.self) { return true }
    guard let name = self.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
    return name.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(name)
  }
}

extension Syntax {
  /// The call that a statement is.
  var innerCall: FunctionCallExprSyntax? {
    if let call = self.as(FunctionCallExprSyntax.self) { return call }
    if let tried = self.as(TryExprSyntax.self) { return Syntax(tried.expression).innerCall }
    if let waited = self.as(AwaitExprSyntax.self) { return Syntax(waited.expression).innerCall }
    if let infix = self.as(InfixOperatorExprSyntax.self), infix.leftOperand.is(DiscardAssignmentExprSyntax.self) {
      return Syntax(infix.rightOperand).innerCall
    }
    return nil
  }

  /// The closures in it that stand in no other.
  var outerClosures: [ClosureExprSyntax] {
    final class Finder: SyntaxVisitor {
      var closures: [ClosureExprSyntax] = []
      override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        closures.append(node)
        return .skipChildren
      }
    }
    let finder = Finder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.closures
  }

  /// The name of a type that is declared in a function.
  var localTypeName: String? {
    asProtocol((any NamedDeclSyntax).self)?.name.identifierText
  }
}

extension FunctionCallExprSyntax {
  /// Whether it ends the program, so that no way goes on behind it.
  var neverReturns: Bool {
    ["fatalError", "preconditionFailure", "exit", "abort"].contains(calledExpression.trimmedDescription)
  }
}

extension ClosureSignatureSyntax {
  var parameterNames: [String] {
    switch parameterClause {
    case .simpleInput(let names)?: names.map(\.name.identifierText)
    case .parameterClause(let clause)?:
      clause.parameters.map { ($0.secondName ?? $0.firstName).identifierText }
    case nil: []
    }
  }

  /// What it keeps as it is when it is made.
  var captured: Set<String> { Set(capture?.items.map(\.name.identifierText) ?? []) }

  /// `[x = y]`.
  var renamed: [String: ExprSyntax] {
    var renamed: [String: ExprSyntax] = [:]
    for item in capture?.items ?? [] {
      if let value = item.initializer?.value { renamed[item.name.identifierText] = value }
    }
    return renamed
  }
}
