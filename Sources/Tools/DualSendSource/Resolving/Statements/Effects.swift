import SwiftSyntax

/// What code may change.
struct Changed: Hashable {
  /// The first name: of a local, `self`, or a property of `self`.
  let name: String
  /// The function of it that is called, and that may change it.
  var member: String?
  /// Whether only code of the app changes it: an operator, or a function that the standard library has, too.
  var isByOwnCode = false
}

/// The side effects of code.
struct Effects {
  struct Change {
    let changed: Changed
    /// The target of an assignment, or the call.
    let node: ExprSyntax
  }

  fileprivate(set) var changes: [Change] = []
  /// The outermost closures.
  fileprivate(set) var closures: [ClosureExprSyntax] = []
  /// Calls, and names that may refer to functions.
  fileprivate(set) var mentions: [SyntaxIdentifier] = []
  var changed: Set<Changed> { Set(changes.map(\.changed)) }

  /// - Parameters:
  ///   - isOuter: excludes the effects of closures.
  ///   - followed: the assignment or call whose change is followed, and is excluded.
  init(_ node: Syntax, isOuter: Bool = false, without followed: SyntaxIdentifier? = nil) {
    let finder = EffectFinder(isOuter: isOuter, followed)
    finder.walk(node)
    self = finder.effects
  }

  fileprivate init() {}
}

/// Cached results for a syntax tree.
final class TreeNotes {
  var changed: [SyntaxIdentifier: Set<Changed>] = [:]
  /// For each function, the last position at which each name is changed.
  var lastChanges: [SyntaxIdentifier: [Changed: AbsolutePosition]] = [:]
  var switches: [SyntaxIdentifier: SwitchTable] = [:]
  var lines: SourceLocationConverter?

  /// What code and its closures may change.
  func changed(in node: Syntax) -> Set<Changed> {
    if let known = changed[node.id] { return known }
    let found = Effects(node).changed
    changed[node.id] = found
    return found
  }

  /// What is changed later in the enclosing function, or anywhere in an enclosing loop.
  func changed(behind node: Syntax) -> Set<Changed> {
    var root = node
    var loop: Syntax?
    while let parent = root.parent {
      if root.is(ForStmtSyntax.self) || root.is(WhileStmtSyntax.self) || root.is(RepeatStmtSyntax.self) { loop = root }
      if parent.is(MemberBlockItemSyntax.self) || parent.is(SourceFileSyntax.self) { break }
      root = parent
    }
    if lastChanges[root.id] == nil {
      lastChanges[root.id] = Effects(root).changes.reduce(into: [:]) { last, change in
        last[change.changed] = max(last[change.changed] ?? change.node.position, change.node.position)
      }
    }
    let start = loop?.position ?? node.endPosition
    return Set((lastChanges[root.id] ?? [:]).filter { $0.value >= start }.keys)
  }
}

private final class EffectFinder: SyntaxVisitor {
  private let isOuter: Bool
  private let followed: SyntaxIdentifier?
  private(set) var effects = Effects()

  init(isOuter: Bool, _ followed: SyntaxIdentifier?) {
    (self.isOuter, self.followed) = (isOuter, followed)
    super.init(viewMode: .sourceAccurate)
  }

  /// The first name changes, or the property of `self`; in an expression that is not understood, every name may change.
  private func change(_ expression: ExprSyntax, by node: ExprSyntax) {
    guard let place = Resolver.Place(expression) else { return add(expression.trimmedDescription.words, node) }
    if place.name == "self", case .member(let name)? = place.steps.first { return add([name], node) }
    add([place.name], node)
  }

  private func add(_ names: Set<String>, _ node: ExprSyntax) {
    effects.changes += names.map { Effects.Change(changed: Changed(name: $0), node: node) }
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.isAssignment {
      if followed != node.id { change(node.leftOperand, by: node.leftOperand) }
    } else if let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
      operate(name, on: [node.leftOperand, node.rightOperand], ExprSyntax(node))
    }
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    operate(node.operator.text, on: [node.expression], ExprSyntax(node))
    return .visitChildren
  }

  override func visit(_ node: PostfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    operate(node.operator.text, on: [node.expression], ExprSyntax(node))
    return .visitChildren
  }

  /// An operator of the app may change its operands.
  private func operate(_ name: String, on operands: [ExprSyntax], _ node: ExprSyntax) {
    for place in operands.compactMap(Resolver.Place.init) {
      effects.changes.append(.init(changed: Changed(name: place.name, member: name, isByOwnCode: true), node: node))
    }
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    // Operators of unknown precedence: any operand may be changed.
    add(node.trimmedDescription.words, ExprSyntax(node))
    return .visitChildren
  }

  override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
    change(node.expression, by: ExprSyntax(node))
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    effects.mentions.append(node.id)
    guard followed != node.id, let name = node.calledName?.identifierText else { return .visitChildren }
    let receiver = node.receiver
    if let own = receiver?.localName ?? (receiver == nil && node.calledExpression.localName != nil ? "self" : nil) {
      effects.changes.append(.init(changed: Changed(name: own, member: name), node: ExprSyntax(node)))
      if receiver == nil {
        effects.changes.append(.init(changed: Changed(name: name, member: "callAsFunction"), node: ExprSyntax(node)))
      }
    } else if let receiver, Resolver.Place(receiver) != nil, node.isUnused || !Effects.harmless.contains(name) {
      change(receiver, by: ExprSyntax(node))
    } else if let place = receiver.flatMap(Resolver.Place.init) {
      let changed = Changed(name: place.name, member: name, isByOwnCode: true)
      effects.changes.append(.init(changed: changed, node: ExprSyntax(node)))
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    effects.mentions.append(node.id)
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    effects.closures.append(node)
    return isOuter ? .skipChildren : .visitChildren
  }
}

extension Effects {
  /// Functions that do not change their receiver.
  static let harmless: Set<String> = [
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

extension FunctionCallExprSyntax {
  /// Whether it is a statement, whose result is not used.
  fileprivate var isUnused: Bool { parent?.is(CodeBlockItemSyntax.self) == true }
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
