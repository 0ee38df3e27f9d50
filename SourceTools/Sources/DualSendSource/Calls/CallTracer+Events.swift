import DualSendCore
import SwiftSyntax

/// What one call logs.
extension CallTracer {
  /// The function that a call means, if that is one that logs itself.
  func meant(_ call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path) -> LoggingFunction? {
    let receiver = evaluator.unobserved { self.receiver(of: call, context, path) }
    return functions.first {
      $0.name == call.calledName && call.hasLabels(of: $0) && isMeant($0, receiver, context.file)
    }
  }

  /// The wrappers that a call means, none for what logs itself; `nil` if it does not log.
  func wrappers(
    calledBy call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> Set<Wrapper>? {
    evaluator.unobserved { self.events(of: call, context, path) }?.1
  }

  /// What a call is made on, as far as that is one thing.
  func receiverValue(of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path) -> SourceValue? {
    guard case .known(let value)? = evaluator.unobserved({ self.receiver(of: call, context, path) }) else { return nil }
    return value.alternatives.count == 1 ? value : nil
  }

  /// What a call logs, and by which wrappers; `nil` if it is none that logs.
  func events(
    of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> (LogEvents, Set<Wrapper>)? {
    guard let name = call.calledName else { return nil }
    let receiver = receiver(of: call, context, path)
    // A function of the app's own that goes by a logger's name, and hands on to it.
    if let found = events(of: call, by: wrappers[name] ?? [], receiver, isSure: true, context, path) { return found }
    for function in functions where function.name == name && call.hasLabels(of: function) {
      if isMeant(function, receiver, context.file) { return (events(of: call, function, context, path), []) }
    }
    return events(of: call, by: wrappers[name] ?? [], receiver, isSure: false, context, path)
  }

  /// What a call of one of some wrappers logs; `nil` if none of them is meant.
  ///
  /// - Parameter isSure: whether what the call is made on has to be known.
  private func events(
    of call: FunctionCallExprSyntax, by known: [Wrapper], _ receiver: Receiver?, isSure: Bool,
    _ context: EvaluationContext, _ path: Path
  ) -> (LogEvents, Set<Wrapper>)? {
    let name = call.calledName ?? ""
    let fitting = known.filter { call.fits($0.declaration) }
    guard !fitting.isEmpty else { return nil }
    if case .some(.unknown) = receiver {
      let others = evaluator.index.functions(named: name).filter { call.fits($0.declaration) }
      guard !isSure, !call.arguments.isEmpty, others.count == fitting.count else { return nil }
    }
    let meant = fitting.filter { wrapper in
      switch receiver {
      case .none:
        wrapper.owner == nil && (!wrapper.declaration.isPrivate || wrapper.declaration.place.file == context.file)
      case .some(.known(let value)): isOwner(wrapper, of: value, context.file)
      case .some(.unknown): wrapper.owner != nil
      }
    }
    guard !meant.isEmpty else { return nil }
    var events = LogEvents()
    let all = Set(meant.flatMap { wrapper in overloads(of: wrapper, call, context, path) })
    let chosen = meant.filter { all.contains($0.declaration) }
    guard !chosen.isEmpty else { return nil }
    if all.count > chosen.count || Set(chosen.map { evaluator.parameterTypes(of: $0.declaration) }).count > 1 {
      events.reasons.insert("several functions `\(name)` fit")
    }
    for wrapper in chosen {
      let value: SourceValue? = if case .some(.known(let value)) = receiver { value } else { nil }
      events.add(follow(wrapper, call, value, context, path))
    }
    if case .some(.unknown) = receiver {
      events.reasons.insert("what `\(name)` is called on is not known")
    }
    return (events, Set(chosen))
  }

  /// The functions of a wrapper's name and place that the call can mean.
  private func overloads(
    of wrapper: Wrapper, _ call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> [Declaration] {
    let siblings = evaluator.index.functions(named: wrapper.declaration.name)
      .filter { $0.owner == wrapper.owner }.map(\.declaration)
    return evaluator.overloads(siblings, wrapper.owner?.name, call, context, path)
  }

  private enum Receiver {
    case known(SourceValue)
    case unknown
  }

  /// What a call is made on; `nil` for a function that is no member.
  private func receiver(
    of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> Receiver? {
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self) {
      let text = name.baseName.identifierText
      if let own = context.selfValue, let type = own.typeID,
        !evaluator.index.methods(text, of: type, file: context.file).isEmpty
      {
        return .known(own)
      }
      return nil
    }
    guard let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base else { return .unknown }
    if let type = evaluator.typeNamed(base, context, path) { return .known(SourceValue(.type(type))) }
    var path = path
    let value = evaluator.value(base, context, &path).unwrapped
    return value.alternatives.allSatisfy { $0.typeID != nil } ? .known(value) : .unknown
  }

  func isOwner(_ wrapper: Wrapper, of value: SourceValue, _ file: Int) -> Bool {
    guard let owner = wrapper.owner else { return false }
    return value.alternatives.contains { alternative in
      guard let type = alternative.typeID else { return false }
      let isType = if case .type = alternative.shape { true } else { false }
      guard isType == wrapper.declaration.isStatic else { return false }
      if type == owner { return true }
      return evaluator.index.methods(wrapper.declaration.name, of: type, file: file)
        .contains { $0.place == wrapper.declaration.place }
    }
  }

  /// Whether a call is one of a function that a team describes.
  private func isMeant(
    _ function: LoggingFunction, _ receiver: Receiver?, _ file: Int
  ) -> Bool {
    guard function.type != nil || function.receiverProtocol != nil else { return true }
    guard case .known(let value)? = receiver else {
      // On an unknown receiver it may be another one, unless it is spelled out.
      return false
    }
    return value.alternatives.contains { alternative in
      guard let type = alternative.typeID else { return false }
      if let wanted = function.type { return type.name == wanted }
      return function.receiverProtocol.map { evaluator.index.conforms(type, to: $0, file: file) } ?? false
    }
  }

  private func events(
    of call: FunctionCallExprSyntax, _ function: LoggingFunction, _ context: EvaluationContext, _ path: Path
  ) -> LogEvents {
    var path = path
    switch function.content {
    case .parts(let name, let parameters):
      guard let nameExpression = call.argument(name) else {
        return LogEvents(reason: "the call has no \(function.signature)'s name")
      }
      let name = evaluator.value(nameExpression, context, &path, expected: TypeID(name: "String", file: nil))
      let dictionary = parameters.flatMap { call.argument($0) }
      return LogEvents(
        name: name, parameters: dictionary.map { evaluator.value($0, context, &path) } ?? SourceValue(.object(.init())))
    case .event(let place, let nameProperty, let parametersProperty):
      let value: SourceValue
      if case .receiver = place {
        guard case .known(let found)? = receiver(of: call, context, path) else {
          return LogEvents(reason: "the event is not known")
        }
        value = found
      } else if let expression = call.argument(place) {
        value = evaluator.value(expression, context, &path)
      } else {
        return LogEvents(reason: "the call has no event")
      }
      var events = LogEvents()
      for alternative in value.alternatives {
        let event = alternative.tainted(by: value)
        events.add(
          LogEvents(
            name: evaluator.property(nameProperty, of: event, file: context.file),
            parameters: evaluator.property(parametersProperty, of: event, file: context.file)))
      }
      return events
    }
  }

  /// What a wrapper logs when it is called like this.
  private func follow(
    _ wrapper: Wrapper, _ call: FunctionCallExprSyntax, _ receiver: SourceValue?, _ context: EvaluationContext,
    _ path: Path
  ) -> LogEvents {
    guard depth < Self.maximumDepth else {
      return LogEvents(reason: "it goes through more than \(Self.maximumDepth) functions")
    }
    var path = path
    let typeName = wrapper.owner?.name
    guard let arguments = evaluator.bound(call, to: wrapper.declaration, typeName, context, &path) else {
      return LogEvents(reason: "the call does not fit \(wrapper.signature)")
    }
    depth += 1
    defer { depth -= 1 }
    var events = LogEvents()
    for value in receiver.map({ $0.alternatives.map(Optional.some) }) ?? [nil] {
      let own = value.map { $0.tainted(by: receiver ?? $0) }
      let before = evaluator.recorder
      evaluator.recorder = { [unowned self] inner, context, path in
        guard context.file == wrapper.declaration.place.file else { return }
        if let (found, _) = evaluator.unobserved({ self.events(of: inner, context, path) }) { events.add(found) }
      }
      evaluator.runBody(of: wrapper.declaration, arguments, own, typeName)
      evaluator.recorder = before
    }
    events.via = [wrapper.signature] + events.via
    return events
  }

  static let maximumDepth = 12
}
