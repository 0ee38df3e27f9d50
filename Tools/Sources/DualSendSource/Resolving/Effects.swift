import SwiftSyntax

/// The side effects of code.
struct Effects {
  struct Change {
    let name: String
    let position: AbsolutePosition
  }

  /// The expressions that it may change, by their first name.
  fileprivate(set) var changes: [Change] = []
  /// The outermost closures.
  fileprivate(set) var closures: [ClosureExprSyntax] = []
  /// Calls, and names that may refer to functions.
  fileprivate(set) var mentions: [SyntaxIdentifier] = []

  var changed: Set<String> { Set(changes.map(\.name)) }

  /// - Parameter isOuter: excludes the effects of closures, and the change that the code itself makes, which is followed.
  init(_ node: Syntax, isOuter: Bool = false) {
    let finder = EffectFinder(isOuter ? node : nil)
    finder.walk(node)
    self = finder.effects
  }

  fileprivate init() {}
}

/// Cached results for a syntax tree.
final class TreeNotes {
  var changed: [SyntaxIdentifier: Set<String>] = [:]
  /// For each function, the last position at which each name is changed.
  var lastChanges: [SyntaxIdentifier: [String: AbsolutePosition]] = [:]
  var switches: [SyntaxIdentifier: SwitchTable] = [:]

  /// The names that code and its closures may change.
  func changed(in node: Syntax) -> Set<String> {
    if let known = changed[node.id] { return known }
    let names = Effects(node).changed
    changed[node.id] = names
    return names
  }

  /// The names that are changed later in the enclosing function, or anywhere in an enclosing loop.
  func changed(behind node: Syntax) -> Set<String> {
    var root = node
    var loop: Syntax?
    while let parent = root.parent {
      if root.is(ForStmtSyntax.self) || root.is(WhileStmtSyntax.self) || root.is(RepeatStmtSyntax.self) { loop = root }
      if parent.is(MemberBlockItemSyntax.self) || parent.is(SourceFileSyntax.self) { break }
      root = parent
    }
    if lastChanges[root.id] == nil {
      lastChanges[root.id] = Effects(root).changes.reduce(into: [:]) { last, change in
        last[change.name] = max(last[change.name] ?? change.position, change.position)
      }
    }
    let start = loop?.position ?? node.endPosition
    return Set((lastChanges[root.id] ?? [:]).filter { $0.value >= start }.keys)
  }
}

private final class EffectFinder: SyntaxVisitor {
  private let outer: Syntax?
  private(set) var effects = Effects()

  init(_ outer: Syntax?) {
    self.outer = outer
    super.init(viewMode: .sourceAccurate)
  }

  /// The first name changes; in an expression that is not understood, every name may change.
  private func change(_ expression: ExprSyntax) {
    var here = expression
    while true {
      if let access = here.as(MemberAccessExprSyntax.self), let base = access.base {
        if base.localName == "self" { add([access.declName.baseName.identifierText], expression) }
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
    add(here.localName.map { [$0] } ?? here.trimmedDescription.words, expression)
  }

  private func add(_ names: Set<String>, _ node: some SyntaxProtocol) {
    effects.changes += names.map { Effects.Change(name: $0, position: node.position) }
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.isAssignment, outer?.id != node.id { change(node.leftOperand) }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    // Operators of unknown precedence: any operand may be changed.
    add(node.trimmedDescription.words, node)
    return .visitChildren
  }

  override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
    change(node.expression)
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    effects.mentions.append(node.id)
    if outer.flatMap(\.innerCall)?.id == node.id, node.changedPlace != nil { return .visitChildren }
    if let access = node.calledExpression.as(MemberAccessExprSyntax.self), let base = access.base,
      !Self.harmless.contains(access.declName.baseName.text), let place = Resolver.Place(base), place.name != "self"
    {
      change(base)
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    effects.mentions.append(node.id)
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    effects.closures.append(node)
    return outer == nil ? .visitChildren : .skipChildren
  }

  /// Functions that do not change their receiver.
  private static let harmless: Set<String> = [
    "merging", "mapValues", "compactMapValues", "filter", "map", "compactMap", "flatMap", "reduce", "forEach",
    "contains", "lowercased", "uppercased", "appending", "replacingOccurrences", "replacing", "joined", "split",
    "sorted", "first", "last", "allSatisfy", "enumerated", "reversed", "hasPrefix", "hasSuffix", "components",
    "trimmingCharacters", "prefix", "suffix", "dropFirst", "dropLast", "index", "firstIndex", "min", "max",
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
  /// The call of an expression statement.
  var innerCall: FunctionCallExprSyntax? {
    if let call = self.as(FunctionCallExprSyntax.self) { return call }
    if let tried = self.as(TryExprSyntax.self) { return Syntax(tried.expression).innerCall }
    if let waited = self.as(AwaitExprSyntax.self) { return Syntax(waited.expression).innerCall }
    if let infix = self.as(InfixOperatorExprSyntax.self), infix.leftOperand.is(DiscardAssignmentExprSyntax.self) {
      return Syntax(infix.rightOperand).innerCall
    }
    return nil
  }
}
