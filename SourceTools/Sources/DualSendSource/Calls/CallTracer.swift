import DualSendCore
import SwiftSyntax

/// A function of the app that hands its own parameters on to one that logs.
struct Wrapper: Hashable, Sendable {
  let declaration: Declaration
  let owner: TypeID?

  /// With its labels.
  var signature: String { declaration.name + "(" + declaration.labels.map { $0 + ":" }.joined() + ")" }
}

/// What one file's calls log, and which of its functions are wrappers.
struct TracedFile: Sendable {
  /// One call.
  struct Call: Sendable {
    let standpoint: Standpoint
    var events: LogEvents
    /// The function that it stands in, if that could be a wrapper.
    let enclosing: Wrapper?
    /// The wrappers that it calls.
    let wrappers: Set<Wrapper>
    /// The call, with its event if that can be written where it stands; `nil` if nobody asks.
    let literal: LiteralCall?
  }

  var calls: [Call] = []
  /// Functions that are named without being called.
  var handedOn: [HandedOn] = []
}

/// Works out what each call of a file logs. Not for several threads at once.
final class CallTracer {
  let evaluator: Evaluator
  let functions: [LoggingFunction]
  let wrappers: [String: [Wrapper]]
  /// Whether it is asked how calls can be written where they stand.
  private let writesOut: Bool
  private var found: [Int: Found] = [:]
  /// The functions that the body hands on.
  var handedOn: [HandedOn] = []
  /// The names in the body that the evaluator came by.
  var met: Set<SyntaxIdentifier> = []
  private var depth = 0
  /// Of the file that is traced.
  private(set) var converter = SourceLocationConverter(fileName: "", tree: SourceFileSyntax(statements: []))

  /// What is known of one call so far.
  private struct Found {
    var events: LogEvents
    var wrappers: Set<Wrapper>
    var literal: LiteralCall?
    var isTangled: Bool
  }

  /// - Parameter wrappers: those that are known so far.
  init(evaluator: Evaluator, functions: [LoggingFunction], wrappers: [String: [Wrapper]], writesOut: Bool) {
    self.writesOut = writesOut
    self.evaluator = evaluator
    self.functions = functions
    self.wrappers = wrappers
  }

  /// Works out one file; `nil` if it cannot be read any longer.
  func trace(_ file: Int) -> TracedFile? {
    guard let source = evaluator.sources.source(file) else { return nil }
    let collector = CallCollector(names: Set(functions.map(\.name)).union(wrappers.keys))
    collector.walk(source.tree)
    guard !collector.units.isEmpty else { return TracedFile() }
    converter = SourceLocationConverter(fileName: source.path, tree: source.tree)
    var traced = TracedFile()
    for unit in collector.units {
      traced.calls += trace(unit, in: file)
      traced.handedOn += handedOn
    }
    return traced
  }

  private func trace(_ unit: CallCollector.Unit, in file: Int) -> [TracedFile.Call] {
    evaluator.begin(unit.body)
    (found, handedOn) = ([:], [])
    let own = Set(unit.calls.map(\.placeOffset))
    let surroundings = unit.body.enclosingTypeName
    let enclosing = wrapperCandidate(unit.body, file, surroundings)
    evaluator.recorder = { [unowned self] call, context, path in
      guard context.file == file, own.contains(call.placeOffset) else { return }
      note(call, context, path)
    }
    watch(unit.references, in: file)
    let stepped = SteppedReader(self, writesOut ? unit.calls : [])
    evaluator.watcher = { [unowned self] expression, context, path in
      guard context.file == file else { return }
      evaluator.unobserved { stepped.note(expression, context, path) }
    }
    evaluator.run(
      unit: unit.body, file: file, typeName: surroundings,
      isOwnLogger: unit.calls.contains { isOwn($0, file, surroundings) })
    (evaluator.recorder, evaluator.referenceRecorder, evaluator.watcher) = (nil, nil, nil)
    noteUnmet(unit.references, file, surroundings)
    for call in unit.calls where found[call.placeOffset] == nil {
      // Control never comes here, or by a way that is not understood.
      let context = EvaluationContext(file: file, typeName: surroundings, selfValue: nil)
      note(call, context, Path())
      found[call.placeOffset]?.events.reasons.insert("the code around the call is not understood")
    }
    // What was seen of a call before the work ended may be a part of what it logs.
    if let end = evaluator.effort.endedAt {
      for call in unit.calls where call.placeOffset >= end {
        found[call.placeOffset]?.events.reasons.insert(Effort.reason)
      }
    }
    return unit.calls.compactMap { call in
      guard var known = found[call.placeOffset] else { return nil }
      if let literal = known.literal, literal.event == nil, known.wrappers.isEmpty {
        known.literal?.stepped = stepped.dictionary(loggedBy: call)
      }
      if known.isTangled, known.events.variesWithName {
        known.events.reasons.insert("which keys go with which name hangs on conditions that hang together")
      }
      if let enclosing, known.events.dependsOnCaller, isLogging(enclosing) { return nil }
      return TracedFile.Call(
        standpoint: Standpoint(call, converter), events: known.events, enclosing: enclosing, wrappers: known.wrappers,
        literal: known.literal)
    }
  }

  private func note(_ call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: Path) {
    guard let (events, wrappers) = evaluator.unobserved({ self.events(of: call, context, path) }) else { return }
    let literal = writesOut ? evaluator.unobserved { self.literal(call, wrappers, context, path) } : nil
    guard var known = found[call.placeOffset] else {
      found[call.placeOffset] = Found(
        events: events, wrappers: wrappers, literal: literal, isTangled: path.isTangled)
      return
    }
    known.events.add(events)
    known.isTangled = known.isTangled || path.isTangled
    known.wrappers.formUnion(wrappers)
    known.literal = known.literal.flatMap { mine in literal.map { mine.merged(with: $0) } }
    found[call.placeOffset] = known
  }

  /// Whether a call is made on a member of `self`, or on `self`.
  private func isOwn(_ call: FunctionCallExprSyntax, _ file: Int, _ typeName: String?) -> Bool {
    guard let type = typeName.flatMap({ evaluator.index.type($0, in: nil, file: file) }) else { return false }
    let root: String?
    if let member = call.calledExpression.as(MemberAccessExprSyntax.self) {
      root = member.base?.rootName
    } else {
      root = call.calledName
    }
    return root.map { name in
      evaluator.index.members(name, of: type, file: file).contains { !$0.isStatic }
    } ?? false
  }

  /// The function that a unit is, if others can call it.
  private func wrapperCandidate(_ body: Syntax, _ file: Int, _ typeName: String?) -> Wrapper? {
    guard let function = body.as(FunctionDeclSyntax.self) else { return nil }
    let offset = function.positionAfterSkippingLeadingTrivia.utf8Offset
    let owned = evaluator.index.functions(named: function.name.identifierText).first {
      $0.declaration.place == Place(file: file, offset: offset)
    }
    return owned.map { Wrapper(declaration: $0.declaration, owner: $0.owner) }
  }

  /// Whether a function is itself one that the team calls its logger's: what is in it is the logger.
  private func isLogging(_ wrapper: Wrapper) -> Bool {
    functions.contains { function in
      guard case .parts = function.content, function.type == nil || function.type == wrapper.owner?.name else {
        return false
      }
      return function.name == wrapper.declaration.name && function.labels == wrapper.declaration.labels
    }
  }

  // MARK: What one call logs

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

  /// What a call logs; `nil` if it is none that logs.
  private func events(
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
