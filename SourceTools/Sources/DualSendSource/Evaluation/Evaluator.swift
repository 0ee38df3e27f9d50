import DualSendCore
import SwiftSyntax

/// Works out what expressions can be, statement by statement and way by way, without a compiler.
///
/// Whatever it does not understand is open, and so is every local value that such code may change: what it says of a value
/// is true, or it says that nobody knows. Not for several threads at once.
final class Evaluator {
  let index: DeclarationIndex
  let sources: SourceStore
  /// Told of each call that is met, with the values of that moment; `nil` while a value is worked out for another call's
  /// sake.
  var recorder: ((FunctionCallExprSyntax, EvaluationContext, Path) -> Void)?

  /// Told of each name that is not called, in the same moments.
  var referenceRecorder: ((DeclReferenceExprSyntax, EvaluationContext, Path) -> Void)?

  /// Told of each expression of ``watched`` before it is worked out.
  var watcher: ((ExprSyntax, EvaluationContext, Path) -> Void)?
  var watched: Set<SyntaxIdentifier> = []

  private var nextID = 0
  private(set) var depth = 0
  /// How many expressions the value that is worked out stands in.
  private var level = 0
  var effort = Effort()

  /// How far a value is followed from one function to another.
  static let maximumDepth = 24
  /// How many expressions may stand in each other.
  static let maximumLevel = 2_000

  init(index: DeclarationIndex, sources: SourceStore) {
    self.index = index
    self.sources = sources
  }

  func newID() -> Int {
    nextID += 1
    return nextID
  }

  /// Begins the work on another body of the app.
  func begin(_ body: Syntax) {
    effort = Effort(bytes: body.totalLength.utf8Length)
    changesByBody = [:]
    watched = []
  }

  private var changesByBody: [SyntaxIdentifier: Set<String>] = [:]

  /// The names that a whole body changes, looked for once.
  func changes(of body: Syntax) -> Set<String> {
    if let known = changesByBody[body.id] { return known }
    let found = mutated(in: body)
    changesByBody[body.id] = found
    return found
  }

  /// Works out an expression.
  ///
  /// - Parameters:
  ///   - path: the local values; changed as the expression changes them.
  ///   - expected: the type that the place asks for, if it is known: what `.name` is a member of.
  func value(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID? = nil
  ) -> SourceValue {
    level += 1
    defer { level -= 1 }
    if level > Self.maximumLevel { effort.exhaust() }
    guard effort.take() else { return .open(Effort.reason) }
    return workedOut(expression, context, &path, expected: expected)
  }

  private func workedOut(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    if let watcher, watched.contains(expression.id) { watcher(expression, context, path) }
    switch expression.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr(let literal): return text(literal, context, &path)
    case .integerLiteralExpr(let literal): return integer(literal.literal.text)
    case .floatLiteralExpr(let literal):
      return Double(literal.literal.text.filter { $0 != "_" }).map { SourceValue(.literal(.double($0))) }
        ?? .scalar(.double)
    case .booleanLiteralExpr(let literal):
      return SourceValue(.literal(.bool(literal.literal.tokenKind == .keyword(.true))))
    case .nilLiteralExpr: return .null
    case .arrayExpr(let array):
      return SourceValue(.list(array.elements.map { value($0.expression, context, &path, expected: expected) }))
    case .dictionaryExpr(let dictionary): return object(dictionary, context, &path)
    case .declReferenceExpr(let name):
      if recorder != nil { referenceRecorder?(name, context, path) }
      return named(name, context, &path)
    case .memberAccessExpr(let member):
      if recorder != nil { referenceRecorder?(member.declName, context, path) }
      return self.member(member, context, &path, expected: expected)
    case .functionCallExpr(let call): return result(of: call, context, &path, expected: expected)
    case .tupleExpr(let tuple):
      if tuple.elements.count == 1, let only = tuple.elements.first, only.label == nil {
        return value(only.expression, context, &path, expected: expected)
      }
      return SourceValue(
        .tuple(
          tuple.elements.map {
            SourceValue.Field(label: $0.label?.identifierText ?? "", value: value($0.expression, context, &path))
          }))
    case .infixOperatorExpr(let infix): return self.infix(infix, context, &path, expected: expected)
    case .ternaryExpr(let ternary):
      return branches(
        ternary.condition, [ternary.thenExpression, ternary.elseExpression], context, &path, expected: expected)
    case .prefixOperatorExpr(let prefix): return self.prefix(prefix, context, &path)
    case .forceUnwrapExpr(let forced): return value(forced.expression, context, &path, expected: expected).unwrapped
    case .optionalChainingExpr(let chain): return value(chain.expression, context, &path).unwrapped
    case .tryExpr(let attempt):
      let result = value(attempt.expression, context, &path, expected: expected)
      return attempt.questionOrExclamationMark?.tokenKind == .postfixQuestionMark
        ? .oneOf([result, .null]) : result
    case .awaitExpr(let wait): return value(wait.expression, context, &path, expected: expected)
    case .asExpr(let cast): return self.cast(cast, context, &path)
    case .isExpr: return .scalar(.bool)
    case .subscriptCallExpr(let call): return element(call, context, &path)
    case .closureExpr(let closure):
      run(closure, context, &path)
      return .open("a closure")
    case .ifExpr(let branch): return self.branch(branch, context, &path, expected: expected)
    case .switchExpr(let choice): return self.choice(choice, context, &path, expected: expected)
    case .inOutExpr(let expression):
      forget(mutated(in: expression), context, &path, "it is changed by a function that it is handed to")
      return .open("it is handed on to be changed")
    case .macroExpansionExpr(let macro):
      for argument in macro.arguments { _ = value(argument.expression, context, &path) }
      return .open("a macro, #\(macro.macroName.text), makes it")
    case .keyPathExpr: return .open("a key path")
    case .consumeExpr(let moved): return value(moved.expression, context, &path, expected: expected)
    case .copyExpr(let copied): return value(copied.expression, context, &path, expected: expected)
    case .borrowExpr(let borrowed): return value(borrowed.expression, context, &path, expected: expected)
    case .unsafeExpr(let inner): return value(inner.expression, context, &path, expected: expected)
    default:
      return unknown(expression, context, &path)
    }
  }

  /// The names that some code may change. Looking for them is work, too.
  func mutated(in node: some SyntaxProtocol) -> Set<String> {
    effort.take(bytes: node.totalLength.utf8Length) ? Mutations.names(in: node) : []
  }

  /// An expression of a kind that is not understood: what is called in it is met, what it may change is forgotten.
  private func unknown(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    forget(mutated(in: expression), context, &path, "it is changed by an expression that is not understood")
    for child in expression.children(viewMode: .sourceAccurate) {
      if let inner = child.as(ExprSyntax.self) { _ = value(inner, context, &path) }
    }
    return .open("`\(expression.excerpt)` is not understood")
  }

  /// Runs `body` one function further from the call that is worked out; open if that is too far.
  func deeper(_ body: () -> SourceValue) -> SourceValue {
    guard depth < Self.maximumDepth else { return .open("it goes through more than \(Self.maximumDepth) functions") }
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  /// Runs `body` without telling anybody of the calls in it.
  func unobserved<Value>(_ body: () -> Value) -> Value {
    let before = (recorder, watcher)
    (recorder, watcher) = (nil, nil)
    defer { (recorder, watcher) = before }
    return body()
  }

  /// Makes local values open that something else may change.
  func forget(_ names: Set<String>, _ context: EvaluationContext, _ path: inout Path, _ reason: String) {
    for name in names where !context.names.isConstant(name) {
      guard let id = context.names.ids[name], let old = path.values[id] else { continue }
      path.values[id] = .open(reason).tainted(by: old)
    }
  }

  /// Makes local values open for good, because something that keeps them may change them at any time.
  func pin(_ names: Set<String>, _ context: EvaluationContext, _ path: inout Path, _ reason: String) {
    forget(names, context, &path, reason)
    path.pinned.formUnion(names.filter { !context.names.isConstant($0) }.compactMap { context.names.ids[$0] })
  }

  private func integer(_ text: String) -> SourceValue {
    let digits = text.filter { $0 != "_" }
    let number =
      if digits.hasPrefix("0x") { Int64(digits.dropFirst(2), radix: 16) } else if digits.hasPrefix("0o") {
        Int64(digits.dropFirst(2), radix: 8)
      } else if digits.hasPrefix("0b") { Int64(digits.dropFirst(2), radix: 2) } else { Int64(digits) }
    return number.map { SourceValue(.literal(.int($0))) } ?? .scalar(.int)
  }
}

extension SyntaxProtocol {
  /// The first part of a node's text on one line, for a reason.
  var excerpt: String {
    let text = trimmedDescription.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
