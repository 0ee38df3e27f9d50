import SwiftSyntax

/// Writes what a call logs out where it stands: the bodies of what it goes through, with its arguments in place of their
/// parameters. What it is not sure of it does not write.
final class Unfolder {
  /// What a call logs.
  struct Event {
    let name: SourceValue
    /// `nil` where only the name itself can be written.
    let written: WrittenExpression?
    let payloads: [LiteralCall.Value]
  }

  let tracer: CallTracer
  let site: WrittenScope
  /// The constants before the call, and those in whose place their initial values are written.
  private let locals: LocalConstants
  private var inlined: Set<String> = []
  /// The calls of the site in whose place something else is written.
  var unfolded: Set<SyntaxIdentifier> = []

  /// The functions that the call goes through.
  private(set) var passages: [LiteralCall.Passage] = []

  var evaluator: Evaluator { tracer.evaluator }

  static let maximumSteps = 12

  init(_ tracer: CallTracer, _ call: FunctionCallExprSyntax?, _ context: EvaluationContext, _ path: Path) {
    self.tracer = tracer
    locals = call.map { LocalConstants(before: $0) } ?? LocalConstants()
    site = WrittenScope(context, path, isSite: true, own: .site(prefix: ""))
  }

  /// The initial value of a constant of the call site that can go with the call.
  func initial(of name: String, _ scope: WrittenScope) -> LocalConstants.Constant? {
    guard scope.isSite, let constant = locals.all.first(where: { $0.name == name }) else { return nil }
    inlined.insert(name)
    return constant
  }

  /// The bytes of the constants that go.
  ///
  /// - Throws: if others stand between them and the call, which would be worked out before them.
  func constants() throws(NotWritten) -> [Range<Int>] {
    let gone = locals.all.drop { !inlined.contains($0.name) }
    guard gone.allSatisfy({ inlined.contains($0.name) }) else {
      throw NotWritten("a value is worked out between its parameters and it")
    }
    return gone.map(\.range)
  }

  /// The constants that stay, and that nothing but the call reads.
  var spare: [LiteralCall.Spare] {
    locals.all.filter { $0.isSpare && !inlined.contains($0.name) }.map {
      LiteralCall.Spare(name: $0.name, range: $0.range)
    }
  }

  /// What the call evaluates, with the constants that go, in order.
  func allUses(of call: FunctionCallExprSyntax) -> [WrittenExpression.Use] {
    locals.all.filter { inlined.contains($0.name) }.flatMap { uses(in: $0.initial) } + uses(in: call)
  }

  /// What a call logs.
  ///
  /// - Parameter wrappers: what it calls; empty for what logs itself.
  func event(
    of call: FunctionCallExprSyntax, _ wrappers: Set<Wrapper>, _ scope: WrittenScope, steps: Int = maximumSteps
  ) throws(NotWritten) -> Event {
    guard steps > 0 else { throw NotWritten("it goes through more than \(Self.maximumSteps) functions") }
    if !wrappers.isEmpty {
      guard wrappers.count == 1, let only = wrappers.first else { throw NotWritten("several functions fit") }
      return try event(of: call, through: only, scope, steps: steps)
    }
    guard let function = tracer.meant(call, scope.context, scope.path) else {
      throw NotWritten("the event is made elsewhere")
    }
    switch function.content {
    case .parts(let name, let parameters):
      try checkReceiver(of: call)
      guard let name = call.argument(name) else { throw NotWritten("its name is made elsewhere") }
      let payloads = try parameters.flatMap { call.argument($0) }.map { expression throws(NotWritten) in
        try self.payloads(expression, scope, steps: steps)
      }
      return Event(
        name: value(name, scope, expected: TypeID(name: "String", file: nil)), written: try? expression(name, scope),
        payloads: payloads ?? [.object([])])
    case .event(let place, let nameProperty, let parametersProperty):
      var event = call.argument(place)
      if case .receiver = place {
        event = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
      } else {
        try checkReceiver(of: call)
      }
      guard let event else { throw NotWritten("the event is made elsewhere") }
      let made = try made(event, value(event, scope), scope, steps: steps)
      let file = scope.context.file
      let body = try? property(nameProperty, of: made, steps: steps)
      return Event(
        name: evaluator.unobserved { evaluator.property(nameProperty, of: made.value, file: file) },
        written: body.flatMap { try? expression($0.expression, $0.scope) },
        payloads: [try dictionary(of: try property(parametersProperty, of: made, steps: steps), steps: steps)])
    }
  }

  /// What a function of the app logs that does nothing else.
  private func event(
    of call: FunctionCallExprSyntax, through wrapper: Wrapper, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> Event {
    guard let function = evaluator.syntax(wrapper.declaration.place, as: FunctionDeclSyntax.self),
      !wrapper.declaration.isWrapped, function.signature.effectSpecifiers == nil, function.signature.isWithoutResult,
      let body = function.body?.statements, body.count == 1,
      let only = body.first?.expression?.as(FunctionCallExprSyntax.self)
    else { throw NotWritten("it goes through `\(wrapper.signature)`, which does more than log") }
    let own = try own(of: call, scope, steps: steps)
    if case .receiver = own {
      // What the function is a part of is more than a logger, unless it is that itself.
      guard only.isOnSelf else { throw NotWritten("`\(wrapper.signature)` is called on what is no logger") }
      try checkReceiver(of: call)
    }
    let whole = tracer.receiverValue(of: call, scope.context, scope.path)
    if let owner = wrapper.owner, whole?.isOfUnknownSubtype == true,
      evaluator.index.isRedeclared(wrapper.declaration.name, below: owner)
    {
      throw NotWritten("which `\(wrapper.signature)` is meant is up to the type of the value")
    }
    let inner = try entered(
      call, wrapper.declaration, function.signature, wrapper.owner?.name, own: own, whole: whole, scope)
    guard let wrappers = tracer.wrappers(calledBy: only, inner.context, inner.path) else {
      throw NotWritten("it goes through `\(wrapper.signature)`, which does more than log")
    }
    let (type, name) = only.surroundings
    passages.append(LiteralCall.Passage(file: wrapper.declaration.place.file, type: type, function: name))
    return try event(of: only, wrappers, inner, steps: steps - 1)
  }

  /// What `self` is in a function that is called.
  func own(
    of call: FunctionCallExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> WrittenScope.Own? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self) else { return scope.own }
    guard let base = member.base else { throw NotWritten("`\(call.excerpt)` is not understood") }
    if base.isSelf { return scope.isSite ? .site(prefix: "self.") : scope.own }
    if evaluator.typeNamed(base, scope.context, scope.path) != nil { return nil }
    let before = (unfolded, inlined)
    if let made = try? made(base, value(base, scope), scope, steps: steps) { return .made(made) }
    (unfolded, inlined) = before
    return .receiver
  }

  /// The scope of a function's body.
  func entered(
    _ call: FunctionCallExprSyntax, _ function: Declaration, _ signature: FunctionSignatureSyntax, _ typeName: String?,
    own: WrittenScope.Own?, whole: SourceValue?, _ scope: WrittenScope
  ) throws(NotWritten) -> WrittenScope {
    var path = scope.path
    let parameters = signature.parameterClause.parameters
    guard call.trailingClosure == nil, parameters.allSatisfy(\.isPlain),
      let fields = evaluator.unobserved({ evaluator.bound(call, to: function, typeName, scope.context, &path) }),
      fields.count == parameters.count
    else { throw NotWritten("`\(call.excerpt)` hands more on than values") }
    var given = Array(call.arguments)
    var bindings: [String: WrittenScope.Binding] = [:]
    for ((parameter, field), label) in zip(zip(parameters, fields), function.labels) {
      if let first = given.first, (first.label?.identifierText ?? "_") == label {
        given.removeFirst()
        bindings[field.label] = .written(first.expression, scope, declared: parameter.type, value: field.value)
      } else {
        bindings[field.label] = .standard(field.value, declared: parameter.type)
      }
    }
    if scope.isSite { unfolded.insert(call.id) }
    let (context, inner) = evaluator.entered(fields, signature, file: function.place.file, typeName, whole)
    return WrittenScope(context, inner, isSite: false, bindings: bindings, own: own)
  }

  /// What a call is made on goes: it must be there, and be no call.
  private func checkReceiver(of call: FunctionCallExprSyntax) throws(NotWritten) {
    if let obstacle = call.receiverObstacle { throw NotWritten(obstacle) }
  }

  func value(_ expression: ExprSyntax, _ scope: WrittenScope, expected: TypeID? = nil) -> SourceValue {
    var path = scope.path
    return evaluator.unobserved { evaluator.value(expression, scope.context, &path, expected: expected) }
  }
}

extension FunctionCallExprSyntax {
  /// Whether it is made on `self`, said or not.
  fileprivate var isOnSelf: Bool {
    if calledExpression.is(DeclReferenceExprSyntax.self) { return true }
    return calledExpression.as(MemberAccessExprSyntax.self)?.base?.isSelf == true
  }
}

extension ExprSyntax {
  var isSelf: Bool { self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self) }
}

extension FunctionSignatureSyntax {
  fileprivate var isWithoutResult: Bool {
    returnClause.map { ["Void", "()"].contains($0.type.trimmedDescription) } ?? true
  }
}

extension FunctionParameterSyntax {
  /// Whether it takes one value, worked out before the call.
  fileprivate var isPlain: Bool {
    ellipsis == nil && !type.is(FunctionTypeSyntax.self) && !type.is(AttributedTypeSyntax.self)
  }
}
