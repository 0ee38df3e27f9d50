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
  /// How many wrappers deep the call stands that is followed now.
  var depth = 0
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
}
