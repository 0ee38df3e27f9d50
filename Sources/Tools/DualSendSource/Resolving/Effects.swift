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
    let node: Syntax
  }

  private(set) var changes: [Change] = []
  /// The outermost closures.
  private(set) var closures: [ClosureExprSyntax] = []
  /// Calls, and names that may refer to functions.
  private(set) var mentions: [SyntaxIdentifier] = []
  var changed: Set<Changed> { Set(changes.map(\.changed)) }

  /// Functions that do not change their receiver.
  static let harmless: Set<String> = [
    "merging", "mapValues", "compactMapValues", "filter", "map", "compactMap", "flatMap", "reduce", "forEach",
    "contains", "lowercased", "uppercased", "appending", "replacingOccurrences", "replacing", "joined", "split",
    "sorted", "first", "last", "allSatisfy", "enumerated", "reversed", "hasPrefix", "hasSuffix", "components",
    "trimmingCharacters", "prefix", "suffix", "dropFirst", "dropLast", "index", "firstIndex", "min", "max",
  ]

  /// - Parameters:
  ///   - isOuter: excludes the effects of closures.
  ///   - followed: the assignment or call whose change is followed, and is excluded.
  init(_ node: Syntax, isOuter: Bool = false, without followed: SyntaxIdentifier? = nil) {
    let finder = EffectFinder(isOuter: isOuter)
    finder.walk(node)
    for node in finder.found { add(node, isFollowed: node.id == followed) }
  }

  private mutating func add(_ node: Syntax, isFollowed: Bool) {
    switch node.as(SyntaxEnum.self) {
    case .infixOperatorExpr(let infix):
      if infix.isAssignment {
        if !isFollowed { change(infix.leftOperand, by: Syntax(infix.leftOperand)) }
      } else if let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
        operate(name, on: [infix.leftOperand, infix.rightOperand], node)
      }
    case .prefixOperatorExpr(let prefix): operate(prefix.operator.text, on: [prefix.expression], node)
    case .postfixOperatorExpr(let postfix): operate(postfix.operator.text, on: [postfix.expression], node)
    // Operators of unknown precedence: any operand may be changed.
    case .sequenceExpr(let sequence): add(sequence.trimmedDescription.words, node)
    case .inOutExpr(let argument): change(argument.expression, by: node)
    case .functionCallExpr(let call):
      mentions.append(node.id)
      if !isFollowed { add(call) }
    case .declReferenceExpr: mentions.append(node.id)
    case .closureExpr(let closure): closures.append(closure)
    default: break
    }
  }

  /// The first name changes, or the property of `self`; in an expression that is not understood, every name may change.
  private mutating func change(_ expression: ExprSyntax, by node: Syntax) {
    guard let place = Place(expression) else { return add(expression.trimmedDescription.words, node) }
    if place.name == "self", case .member(let name)? = place.steps.first { return add([name], node) }
    add([place.name], node)
  }

  private mutating func add(_ names: Set<String>, _ node: Syntax) {
    changes += names.map { Change(changed: Changed(name: $0), node: node) }
  }

  /// An operator of the app may change its operands.
  private mutating func operate(_ name: String, on operands: [ExprSyntax], _ node: Syntax) {
    changes += operands.compactMap { Place($0) }.map {
      Change(changed: Changed(name: $0.name, member: name, isByOwnCode: true), node: node)
    }
  }

  private mutating func add(_ call: FunctionCallExprSyntax) {
    guard let name = call.calledName?.identifierText else { return }
    let node = Syntax(call)
    func add(_ place: String, _ member: String, isByOwnCode: Bool = false) {
      changes.append(.init(changed: Changed(name: place, member: member, isByOwnCode: isByOwnCode), node: node))
    }
    guard let receiver = call.receiver else {
      if call.calledExpression.localName == nil { return }
      add("self", name)
      return add(name, "callAsFunction")
    }
    if let own = receiver.localName { return add(own, name) }
    guard let place = Place(receiver) else { return }
    let isUnused = call.parent?.is(CodeBlockItemSyntax.self) == true
    if isUnused || !Self.harmless.contains(name) { return change(receiver, by: node) }
    add(place.name, name, isByOwnCode: true)
  }
}

/// Finds the nodes that may have an effect.
private final class EffectFinder: SyntaxAnyVisitor {
  private let isOuter: Bool
  private(set) var found: [Syntax] = []

  private static let kinds: Set<SyntaxKind> = [
    .infixOperatorExpr, .prefixOperatorExpr, .postfixOperatorExpr, .sequenceExpr, .inOutExpr, .functionCallExpr,
    .declReferenceExpr, .closureExpr,
  ]

  init(isOuter: Bool) {
    self.isOuter = isOuter
    super.init(viewMode: .sourceAccurate)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if Self.kinds.contains(node.kind) { found.append(node) }
    return isOuter && node.kind == .closureExpr ? .skipChildren : .visitChildren
  }
}

// MARK: - Place

/// The target of a change: a local or `self`, a member of it, or a key.
struct Place {
  enum Step {
    case member(String)
    case key(ExprSyntax)
    /// An element by other means.
    case other
  }

  let name: String
  var steps: [Step] = []

  init?(_ expression: ExprSyntax) {
    if let name = expression.localName {
      self.name = name
      return
    }
    let (base, step): (ExprSyntax?, Step?) =
      switch expression.as(ExprSyntaxEnum.self) {
      case .memberAccessExpr(let access): (access.base, .member(access.declName.baseName.identifierText))
      case .subscriptCallExpr(let call) where call.arguments.map(\.label?.text) == [nil]:
        (call.calledExpression, call.arguments.first.map { .key($0.expression) })
      case .subscriptCallExpr(let call): (call.calledExpression, .other)
      case .optionalChainingExpr(let chained): (chained.expression, nil)
      case .forceUnwrapExpr(let forced): (forced.expression, nil)
      case .tupleExpr(let tuple) where tuple.elements.count == 1: (tuple.elements.first?.expression, nil)
      default: (nil, nil)
      }
    guard let base, let inner = Place(base) else { return nil }
    self = inner
    if let step { steps.append(step) }
  }

  init(name: String, steps: [Step] = []) { (self.name, self.steps) = (name, steps) }

  /// What a call may change: what it is called on; `nil` if that is no place.
  init?(changedBy call: FunctionCallExprSyntax) {
    if let receiver = call.receiver {
      self.init(receiver)
    } else {
      guard call.calledExpression.is(DeclReferenceExprSyntax.self) else { return nil }
      self.init(name: "self")
    }
  }

  /// The same place with a local or `self` as its name; `nil` if the name is that of neither.
  func known(in state: PathState) -> Place? {
    if state.locals[name] != nil { return self }
    return state.ownProperty(name) == nil ? nil : Place(name: "self", steps: [.member(name)] + steps)
  }
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
    switch self.as(SyntaxEnum.self) {
    case .functionCallExpr(let call): call
    case .tryExpr(let tried): Syntax(tried.expression).innerCall
    case .awaitExpr(let waited): Syntax(waited.expression).innerCall
    case .infixOperatorExpr(let infix) where infix.leftOperand.is(DiscardAssignmentExprSyntax.self):
      Syntax(infix.rightOperand).innerCall
    default: nil
    }
  }
}
