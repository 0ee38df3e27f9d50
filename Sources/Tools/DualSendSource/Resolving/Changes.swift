import SwiftSyntax

/// What the code of a function changes, by name: of a local, of a property of `self`, or `self`.
struct Changes {
  struct Change {
    /// The code, for reasons.
    let node: Syntax
    /// The called function that may change what it is called on; `nil` for a certain change.
    let member: String?
    /// Whether it is no change in a loop, a closure or the like, or within an expression.
    var isFollowed = false
    /// Where such a change stands last.
    var position: AbsolutePosition
  }

  fileprivate(set) var all: [String: [Change]] = [:]

  /// Functions that do not change their receiver.
  static let harmless: Set<String> = [
    "merging", "mapValues", "compactMapValues", "filter", "map", "compactMap", "flatMap", "reduce", "forEach",
    "contains", "lowercased", "uppercased", "appending", "replacingOccurrences", "replacing", "joined", "split",
    "sorted", "first", "last", "allSatisfy", "enumerated", "reversed", "hasPrefix", "hasSuffix", "components",
    "trimmingCharacters", "prefix", "suffix", "dropFirst", "dropLast", "index", "firstIndex", "min", "max",
  ]

  init(in root: Syntax) {
    let finder = ChangeFinder(root)
    finder.walk(root)
    self = finder.changes
  }

  fileprivate init() {}
}

/// Finds changes. Those that are statements are followed, unless code that may run later, or any number of times, stands between
/// them and the declaration of the variable.
private final class ChangeFinder: SyntaxAnyVisitor {
  var changes = Changes()
  private let root: Syntax
  /// The blocks around the node, outermost first, with the variables that they declare so far.
  private var scopes: [(node: Syntax, isDeferred: Bool, declared: Set<String>)] = []
  /// The assignments and calls that are statements.
  private var statements: Set<SyntaxIdentifier> = []

  init(_ root: Syntax) {
    self.root = root
    super.init(viewMode: .sourceAccurate)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    switch node.as(SyntaxEnum.self) {
    case .codeBlockItem(let item):
      let statement = Syntax(item.item)
      statements.insert(statement.innerCall?.id ?? statement.id)
    case .variableDecl(let declaration): declare(declaration)
    case .infixOperatorExpr(let infix) where infix.isAssignment:
      let isPlain = infix.operator.is(AssignmentExprSyntax.self)
      change(infix.leftOperand, node, isFollowed: isPlain && statements.contains(node.id))
    case .inOutExpr(let argument): change(argument.expression, node)
    // An operator of the app may change its operands.
    case .infixOperatorExpr(let infix):
      let name = infix.operator.trimmedDescription
      for side in [infix.leftOperand, infix.rightOperand] {
        if let place = Place(side) { add(place.changedName, node, name) }
      }
    case .prefixOperatorExpr(let prefix):
      if let place = Place(prefix.expression) { add(place.changedName, node, prefix.operator.text) }
    case .postfixOperatorExpr(let postfix):
      if let place = Place(postfix.expression) { add(place.changedName, node, postfix.operator.text) }
    case .sequenceExpr: for name in node.trimmedDescription.words { add(name, node) }
    case .functionCallExpr(let call):
      guard let name = call.calledName?.identifierText, let place = Place(changedBy: call) else { break }
      if call.receiver == nil { add(name, node, "callAsFunction") }
      add(place.changedName, node, name, isFollowed: statements.contains(node.id))
    default: break
    }
    let isDeferred = node.id != root.id && node.isDeferred
    if isDeferred || node.is(CodeBlockSyntax.self) || node.is(SwitchCaseSyntax.self) {
      scopes.append((node, isDeferred, []))
    }
    return .visitChildren
  }

  override func visitAnyPost(_ node: Syntax) {
    if scopes.last?.node.id == node.id { scopes.removeLast() }
  }

  private func declare(_ declaration: VariableDeclSyntax) {
    for name in declaration.bindings.flatMap(\.pattern.patternNames) where declaration.id != root.id {
      if !scopes.isEmpty { scopes[scopes.count - 1].declared.insert(name) }
      // An accessor, a wrapper or the like decides what the variable is.
      if declaration.bindings.contains(where: { $0.accessorBlock != nil }) || !declaration.attributes.isEmpty {
        add(name, Syntax(declaration))
      }
    }
  }

  /// In an expression that is not understood, every name may change.
  private func change(_ expression: ExprSyntax, _ node: Syntax, isFollowed: Bool = false) {
    let names = Place(expression).map { [$0.changedName] } ?? expression.trimmedDescription.words
    for name in names { add(name, node, isFollowed: isFollowed && names.count == 1) }
  }

  private func add(_ name: String, _ node: Syntax, _ member: String? = nil, isFollowed: Bool = false) {
    let home = scopes.lastIndex { $0.declared.contains(name) } ?? -1
    let around = scopes[(home + 1)...].first(where: \.isDeferred)?.node
    let isFollowed = isFollowed && around == nil
    let known = changes.all[name]?.firstIndex { $0.member == member && $0.isFollowed == isFollowed }
    if let known {
      changes.all[name]?[known].position = node.position
    } else {
      changes.all[name, default: []].append(
        .init(node: around ?? node, member: member, isFollowed: isFollowed, position: node.position))
    }
  }
}

extension Syntax {
  /// Whether the code may run later, or any number of times, or is not read.
  fileprivate var isDeferred: Bool {
    switch kind {
    case .closureExpr, .functionDecl, .initializerDecl, .subscriptDecl, .accessorBlock, .forStmt, .whileStmt,
      .repeatStmt, .doStmt, .deferStmt, .labeledStmt, .ifConfigDecl:
      true
    case .switchExpr: self.as(SwitchExprSyntax.self).flatMap(SwitchCases.init) == nil
    default: false
    }
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

  /// What is changed: the name, or the property of `self`.
  var changedName: String {
    if name == "self", case .member(let property)? = steps.first { property } else { name }
  }

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
