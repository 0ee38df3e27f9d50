import DualSendCore
import SwiftSyntax

/// Loops. One over known elements is followed element by element; in and after any other, the variables that it changes are
/// unknown.
extension Resolver {
  typealias Element = (value: Value, isOptional: Bool)

  private static let maximumElements = 16
  private static let maximumSteps = 64

  func loop(_ loop: ForStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns) -> Outcome {
    let states = observed(Syntax(loop.sequence), context, states)
    let sequences = states.map { value(loop.sequence, context, $0) }
    let names = Set(loop.pattern.patternNames)
    let scope = "\(loop.position.utf8Offset)*"
    if loop.whereClause == nil,
      let ends = unrolled(
        zip(
          states.each { state in
            state.open(scope, names)
            state.variables.formUnion(Syntax(loop.pattern).variableNames)
          }, sequences), loop.body.statements, context, returns,
        of: loop.sequence,
        { element, state in
          let fit = fit(loop.pattern, element, context, state)
          return fit.isFitting == true && loop.caseKeyword == nil ? fit.bound : nil
        })
    {
      return Outcome(next: ends.each { $0.close(scope, names) })
    }
    return repeated(Syntax(loop), context, states) { states in
      var inside = zip(states, sequences).flatMap { state, sequence -> [PathState] in
        let elements: [Value] =
          switch sequence {
          case .list(let all) where names.count == 1: [.either(all)]
          case .elements(let one) where names.count == 1: [one]
          default: [.unknown("an element")]
          }
        return elements.map { element in
          state.binding(
            names.reduce(into: [:]) { $0[$1] = element }, mayBeOptional: holdsOptionals(loop.sequence, context, state))
        }
      }
      if let clause = loop.whereClause { inside = paths(clause.condition, context, inside).yes }
      _ = run(loop.body.statements, context, inside.bounded, returns)
    }
  }

  /// `x.forEach { … }` over known elements; `nil` for another call.
  func forEach(_ call: FunctionCallExprSyntax, _ context: Context, _ states: [PathState]) -> [PathState]? {
    guard call.calledName?.text == "forEach", let receiver = call.receiver, !isOwn("forEach", call),
      let closure = call.functionArgument?.as(ClosureExprSyntax.self)
    else { return nil }
    let names = Set(closure.signature?.parameterNames ?? ["$0", "$1"])
    let scope = "\(closure.position.utf8Offset)*"
    let starts = observed(Syntax(receiver), context, states).each { $0.open(scope, names) }
    let sequences = states.map { value(receiver, context, $0) }
    let ends = unrolled(zip(starts, sequences), closure.statements, context, nil, of: receiver) { element, _ in
      closure.bound([element])
    }
    return ends?.each { $0.close(scope, names) }
  }

  /// The dictionary that `reduce(into:)` puts together from the keys and values of another one.
  func collected(_ shape: Value.Dictionary, by call: StandardCall) -> Value? {
    guard let closure = call.call.functionArgument?.as(ClosureExprSyntax.self), let name = closure.argumentNames(2)?[0]
    else { return nil }
    var start = call.state
    start.declare(name, .dictionary(.init()), nil, isVariable: true)
    let ends = quietly {
      unrolled([(start, .dictionary(shape))], closure.statements, call.context, nil, of: call.call.receiver) {
        element, state in
        closure.bound([state.locals[name] ?? .null, element])
      }
    }
    return ends.map { .either($0.compactMap { $0.locals[name] }) }
  }

  /// Follows a body for each of some known elements; `nil` if the elements are not known, or if the body stops early, or
  /// depends on an order that a dictionary does not have.
  ///
  /// - Parameters:
  ///   - returns: `nil` in a closure.
  ///   - bind: the names of an element; `nil` if they are not understood.
  private func unrolled(
    _ starts: some Sequence<(PathState, Value)>, _ body: CodeBlockItemListSyntax, _ context: Context,
    _ returns: Returns?, of collection: ExprSyntax?, _ bind: (Value, PathState) -> [String: Value]?
  ) -> [PathState]? {
    let starts = Array(starts)
    let hasOrder = !starts.contains { if case .dictionary = $0.1 { true } else { false } }
    let stops: [Keyword] = [.break, .continue, .await] + (returns == nil || !hasOrder ? [.return, .throw, .try] : [])
    let isWhole = !body.tokens(viewMode: .sourceAccurate).contains { stops.map { .keyword($0) }.contains($0.tokenKind) }
    let all = starts.map { elements(of: $0.1) }
    guard isWhole, all.reduce(0, { $0 + ($1?.count ?? Self.maximumSteps + 1) }) <= Self.maximumSteps else { return nil }
    var inner = context
    if returns == nil { inner.result = nil }
    var ends: [PathState] = []
    for ((start, sequence), elements) in zip(starts, all) {
      var states = [start]
      for element in elements ?? [] {
        var inside: [PathState] = []
        for state in states {
          guard let names = bind(element.value, state) else { return nil }
          if case .dictionary = sequence, !isOrderFree(body, names, element.value, start) { return nil }
          let mayBeOptional = collection.map { holdsOptionals($0, context, state) } ?? false
          inside.append(state.binding(names, mayBeOptional: mayBeOptional))
        }
        let next = block(body, inner, inside.bounded, returns ?? Returns()).next
        states = element.isOptional ? [PathState.joined(next + states, isEntangled: false)] : next.bounded
      }
      ends += states
    }
    return ends.bounded
  }

  private func elements(of sequence: Value) -> [Element]? {
    switch sequence {
    case .list(let all) where all.count <= Self.maximumElements: all.map { ($0, false) }
    case .dictionary(let shape) where shape.open == nil && shape.members.count <= Self.maximumElements: pairs(of: shape)
    default: nil
    }
  }

  /// Follows code that runs any number of times. The variables that it changes are unknown in it and after it.
  func repeated(
    _ node: Syntax, _ context: Context, _ states: [PathState], _ body: ([PathState]) -> Void
  ) -> Outcome {
    let changed = context.unit.notes.changed(in: node)
    let around = states.each { lose(changed, in: &$0) }
    body(around.bounded)
    return Outcome(next: around)
  }
}

extension Resolver {
  /// Whether the order of a dictionary's elements makes no difference: each change sets the value of a key of its own, and
  /// nothing that is changed is read.
  private func isOrderFree(
    _ body: CodeBlockItemListSyntax, _ names: [String: Value], _ pair: Value, _ state: PathState
  ) -> Bool {
    guard case .object(let fields) = pair else { return false }
    let keys = Set(names.filter { $0.value == fields.fields["0"] }.keys)
    let pairs = Set(names.filter { $0.value == pair }.keys)
    let effects = Effects(Syntax(body))
    let targets = effects.changes.filter { isChange($0.changed, state) }.map(\.keyTarget)
    let words = body.tokens(viewMode: .sourceAccurate).map(\.identifierText)
    if case .enumCase(let type, _, _)? = fields.fields["0"], !index.members("rawValue", of: type, file: -1).isEmpty {
      return false
    }
    // Of `self`, code may read what is changed by another name.
    let isOwn = targets.contains { $0.map { state.locals[$0.name] == nil || $0.name == "self" } ?? true }
    let own = state.locals["self"].flatMap { value -> TypeReference? in
      if case .object(let object) = value { object.type } else { .init(path: "Dictionary", file: nil) }
    }
    let isRead = body.mentionedNames.contains { name in
      own.map { index.members(name, of: $0, file: -1).contains { index[$0].hasBody } } ?? false
    }
    return effects.closures.isEmpty && !(isOwn && isRead)
      && targets.allSatisfy { target in
        guard let target, target.key.isDistinct(keys, pairs), targets.count(where: { $0?.name == target.name }) == 1
        else { return false }
        return words.count { $0 == target.name } == (target.isNamed ? 1 : 0)
      }
  }
}

extension Effects.Change {
  /// The name and the key of `x[key] = …` or `x.updateValue(…, forKey: key)`; `nil` for another change.
  fileprivate var keyTarget: (name: String, key: ExprSyntax, isNamed: Bool)? {
    if let call = node.as(FunctionCallExprSyntax.self) {
      guard call.calledName?.text == "updateValue", call.labels == ["_", "forKey"], let key = call.arguments.last,
        let name = call.receiver == nil ? "self" : call.receiver?.localName
      else { return nil }
      return (name, key.expression, call.receiver != nil)
    }
    guard let access = node.as(SubscriptCallExprSyntax.self), let name = access.calledExpression.localName,
      let key = access.arguments.first, access.arguments.count == 1
    else { return nil }
    return (name, key.expression, true)
  }
}

extension ExprSyntax {
  /// Whether the value is another one for each element of a dictionary: the key, its raw value, or a text around it.
  fileprivate func isDistinct(_ keys: Set<String>, _ pairs: Set<String>) -> Bool {
    if let name = localName { return keys.contains(name) }
    if let access = self.as(MemberAccessExprSyntax.self), let base = access.base {
      switch access.declName.baseName.text {
      case "rawValue": return base.isDistinct(keys, pairs)
      case "key", "0": return base.localName.map(pairs.contains) == true
      default: return false
      }
    }
    guard let infix = self.as(InfixOperatorExprSyntax.self),
      infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
    else { return false }
    return infix.leftOperand.plainText != nil && infix.rightOperand.isDistinct(keys, pairs)
      || infix.rightOperand.plainText != nil && infix.leftOperand.isDistinct(keys, pairs)
  }
}
