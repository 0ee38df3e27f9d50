import SwiftSyntax

/// Finds the function that a call means, and the events it logs.
extension FileTracer {
  /// A call that may mean more functions than this is not followed.
  private static let maximumMeant = 32

  private var types: TypeReader { resolver.types }

  typealias Reading = (function: LoggingFunction?, shapes: [Shape], wrappers: Set<Int>)

  /// The events of a call; `nil` if it calls another function of that name.
  func read(_ call: FunctionCallExprSyntax, _ reached: PathState?) -> Reading? {
    guard let state = reached else {
      // Unreachable code, or code that is not followed.
      let function = functions[call.calledName?.identifierText ?? ""]?.first { call.mayCall(labels: $0.labels) }
      return (function, [Shape.open("the code around it is not followed")], [])
    }
    resolver.effort.left = Effort.perQuestion
    return read(call, at: state)
  }

  private func read(_ call: FunctionCallExprSyntax, at state: PathState) -> Reading? {
    guard let name = call.calledName?.identifierText else { return nil }
    // A local function, a closure or a parameter of that name.
    if call.receiver == nil, state.locals[name] != nil { return nil }
    let type = receiverType(call, state)
    let owners = type.map { Set(types.relatives(of: $0) + (call.receiver == nil ? [""] : [])) }
    let here = ReachedCall(call: call, state: state, type: type, owners: owners)
    let fitting = selected(types.fitting(call, name), by: here)
    let described = (functions[name] ?? []).filter { call.mayCall(labels: $0.labels) }
    // The description whose labels are the call's comes first, in whatever order they are given.
    let exact = described.filter { $0.labels == call.labels }
    for function in exact + described.filter({ $0.labels != call.labels }) {
      var reasons: Set<String> = []
      switch meaning(function, here) {
      case .other: continue
      case .unsure(let reason): reasons = [reason]
      case .sure: break
      }
      let others = exact.isEmpty ? described.filter { $0.labels != function.labels } : []
      if let other = others.first(where: { fits($0, here) }) {
        reasons.insert("`\(function.signature)` and `\(other.signature)` are described, and both fit the call")
      }
      let overloads = overloads(of: function, here)
      // One that hands its arguments on to the described function is followed.
      if overloads.count == 1, let only = overloads.first, wrappers.all[only] != nil {
        return (function, joined(follow(only, here), here, reasons), [only])
      }
      if overloads.count > 1 || overloads.contains(where: wrappers.logging.contains) {
        reasons.insert(Self.several(name))
      }
      let shapes = EventReader(resolver: resolver, call: call, function: function, state: state).shapes
      reasons.formUnion(changed(shapes, by: fitting, function, here))
      return (function, joined(shapes, here, reasons), [])
    }
    let all = fitting.filter { wrappers.all[$0] != nil && mayMean($0, here) }
    let meant = narrowed(Set(all), among: fitting, here)
    guard !meant.isEmpty else { return nil }
    // With an unknown receiver, the call may mean another function of that name.
    let isUnsure = here.type == nil && call.receiver != nil && !meant.isSuperset(of: fitting)
    if meant.count > Self.maximumMeant {
      return (nil, [Shape.open("more than \(Self.maximumMeant) functions `\(name)` may be meant")], meant)
    }
    var reasons: Set<String> = isUnsure ? [Self.unknownReceiver(name)] : []
    let signatures = meant.map { resolver.index[$0].owner + " " + resolver.index[$0].signature }
    if Set(signatures).count < signatures.count { reasons.insert(Self.several(name)) }
    return (nil, joined(meant.sorted().flatMap { follow($0, here) }, here, reasons), meant)
  }

  /// Why another event may be logged: the described function of a subclass or of another type with the same protocol changes
  /// it, before it calls the function that is meant here.
  private func changed(
    _ shapes: [Shape], by fitting: [Int], _ function: LoggingFunction, _ here: ReachedCall
  ) -> Set<String> {
    guard !isComparing, here.call.receiver?.is(SuperExprSyntax.self) != true else { return [] }
    isComparing = true
    defer { isComparing = false }
    let possible = fitting.filter { number in
      let one = resolver.index[number]
      return wrappers.all[number] != nil && one.labels == function.labels && here.owners?.contains(one.owner) != false
    }
    return narrowed(Set(possible), among: fitting, here).reduce(into: []) { reasons, number in
      let one = resolver.index[number]
      if Set(follow(number, here).map(\.event)) != Set(shapes.map(\.event)) {
        reasons.insert("`\(one.owner).\(one.signature)` logs another event, if it is the one that is called")
      }
    }
  }

  // MARK: overloads

  /// The functions of a type that can be called here: static ones after the type's name and in static code, others after a
  /// value and in other code.
  private func selected(_ all: [Int], by here: ReachedCall) -> [Int] {
    let base = here.call.receiver.flatMap { $0.localName == "self" ? nil : $0 }
    let isOnType: Bool
    if let base {
      isOnType = base.typeArgument != nil || types.named(base, here.state) != nil
    } else {
      switch here.state.locals["self"] {
      case .type?, .unknown?: isOnType = true
      default: isOnType = false
      }
    }
    let found = all.filter { number in
      let one = resolver.index[number]
      return one.isStatic == isOnType || one.owner.isEmpty || (base == nil && one.owner != here.state.owner)
    }
    return found.isEmpty && !(isOnType && base != nil) ? all : found
  }

  /// The functions with the labels of a described one that a call may mean, if their type has several.
  private func overloads(of function: LoggingFunction, _ here: ReachedCall) -> [Int] {
    let own = types.fitting(here.call, function.name).filter { number in
      resolver.index[number].labels == function.labels && mayMean(number, here)
    }
    // Both branches of `#if` may declare one function.
    let several = Dictionary(grouping: own) { resolver.index[$0].owner }.values.filter { all in
      Set(all.map { number in ["\(resolver.index[number].isStatic)"] + resolver.index[number].parameters.map(\.type) })
        .count > 1
    }
    return several.isEmpty ? [] : selected(several.flatMap { $0 }, by: here).sorted()
  }

  /// Whether a call may mean a function, by the type that declares it.
  private func mayMean(_ number: Int, _ here: ReachedCall) -> Bool {
    let one = resolver.index[number]
    guard let type = here.type, let owners = here.owners else {
      return one.owner.isEmpty == (here.call.receiver == nil)
    }
    return owners.contains(one.owner)
      && (one.owner != type.path || resolver.index.type(one.owner, in: "", file: one.file) == type)
  }

  /// Those of some functions that the labels select among the functions of their types.
  private func narrowed(_ wanted: Set<Int>, among fitting: [Int], _ here: ReachedCall) -> Set<Int> {
    let owners = Set(wanted.map { resolver.index[$0].owner })
    let rivals = Dictionary(grouping: fitting) { resolver.index[$0].owner }.filter { owners.contains($0.key) }
    return wanted.intersection(
      rivals.values.flatMap { all -> [Int] in
        let exact = all.filter { resolver.index[$0].labels == here.call.labels }
        return exact.isEmpty ? all : exact
      })
  }

  private static func several(_ name: String) -> String {
    "which `\(name)` is called: there are several with these labels"
  }

  private static func unknownReceiver(_ name: String) -> String {
    "which `\(name)` is called: the type of what it is called on is not known"
  }

  /// The events, each once, with the reasons why they are not exact.
  private func joined(_ all: [Shape], _ here: ReachedCall, _ reasons: Set<String>) -> [Shape] {
    var seen: Set<Shape> = []
    let shapes = all.filter { seen.insert($0).inserted }
    let reasons = reasons.union([dependence(of: shapes, here), here.state.limit].compactMap { $0 })
    return shapes.map { shape in
      var shape = shape
      shape.reasons.formUnion(reasons)
      return shape
    }
  }

  /// Why some of the events may not be possible: two parts of the call, or one of them and the way to it, depend on the same
  /// condition.
  private func dependence(of shapes: [Shape], _ here: ReachedCall) -> String? {
    let hasNames = Set(shapes.map(\.name)).count > 1
    let hasKeys = Set(shapes.map { Set($0.parameters.members.keys) }).count > 1
    let isLoose = hasKeys || shapes.contains { $0.parameters.members.values.contains(where: \.isOptional) }
    guard hasNames || hasKeys else { return nil }
    let state = here.state
    let parts = here.call.arguments.map(\.expression) + (here.call.receiver.map { [$0] } ?? [])
    let words = parts.map(state.conditions)
    let all = words.reduce(Set()) { $0.union($1) }
    if hasNames, isLoose, words.reduce(0, { $0 + $1.count }) > all.count { return EventReader.dependent }
    let choices = parts.reduce(all) { $0.union(state.choices(in: $1)) }
    let isAsked = hasNames && !all.isDisjoint(with: state.asked.union(state.unwrapped))
    guard isAsked || !choices.isDisjoint(with: state.asked) else { return nil }
    return "what it sends may depend on a condition around it"
  }

  /// Whether a call means a described function.
  private enum Meaning {
    case sure, other
    case unsure(String)
  }

  private func meaning(_ function: LoggingFunction, _ here: ReachedCall) -> Meaning {
    let (call, known) = (here.call, here.type.map { [$0] } ?? [])
    if known.isEmpty, isForeign(function, call.receiver) { return .sure }
    if let wanted = function.receiverProtocol ?? (function.staysAfterMigration ? function.type : nil) {
      return known.contains { types.isRelated($0, to: wanted) } ? .sure : .other
    }
    guard let wanted = function.type, !known.contains(where: { types.isRelated($0, to: wanted) }) else {
      return .sure
    }
    let owners = Dictionary(grouping: types.fitting(call, function.name)) { resolver.index[$0].owner }
      .map { path, all in
        (path: path, type: resolver.index.type(path, in: "", file: resolver.index[all[0]].file))
      }
    // Another type that declares such a function.
    if !known.isEmpty,
      known.allSatisfy({ type in owners.contains { $0.type.map { types.isRelated(type, to: $0.path) } ?? false } })
    {
      return .other
    }
    let others = owners.filter { $0.type.map { !types.isRelated($0, to: wanted) } ?? true }
    if others.isEmpty { return .sure }
    guard call.receiver == nil, known.isEmpty else { return .unsure(Self.unknownReceiver(function.name)) }
    return others.contains { $0.path.isEmpty } ? .other : .unsure("whose `\(function.name)` it is")
  }

  /// Whether a call may also mean this described function, by the defaults that its declaration has.
  private func fits(_ function: LoggingFunction, _ here: ReachedCall) -> Bool {
    if case .other = meaning(function, here) { return false }
    let all = resolver.index.functions(function.name).map { resolver.index[$0] }.filter { $0.labels == function.labels }
    return all.isEmpty || all.contains(where: here.call.fits)
  }

  /// Whether a type of a library is called that has the described name, or a value that a type of a library gives.
  private func isForeign(_ function: LoggingFunction, _ receiver: ExprSyntax?) -> Bool {
    guard let wanted = function.type, !function.staysAfterMigration, let root = receiver?.rootName else { return false }
    return root.first?.isUppercase == true
      && ![root, DeclarationIndex.last(wanted)].contains(where: resolver.index.isDeclared)
  }

  /// The receiver type of a call; `nil` if it is unknown, or if the function is a global one.
  private func receiverType(_ call: FunctionCallExprSyntax, _ state: PathState) -> TypeReference? {
    let own = resolver.index.type(state.owner, in: "", file: state.unit.file)
    guard let base = call.receiver else {
      let found = types.candidates(call.calledName?.identifierText ?? "", nil, state).first
      let owner = found.map { resolver.index[$0].owner } ?? ""
      if owner.isEmpty { return nil }
      return state.owner.isEmpty ? resolver.index.type(owner, in: "", file: state.unit.file) : own
    }
    if base.is(SuperExprSyntax.self) { return own }
    return types.named(base, state) ?? types.type(of: resolver.values.value(base, state), state)
      ?? (base.localName == "self" ? own : nil)
  }

  // MARK: wrappers

  /// The events of a wrapper for the arguments of a call.
  private func follow(_ number: Int, _ here: ReachedCall) -> [Shape] {
    let (call, state) = (here.call, here.state)
    let one = resolver.index[number]
    var open = Shape.open("`\(one.signature)` is not followed")
    open.via = [one.signature]
    guard let arguments = resolver.calls.bound(call, to: one, state) else { return [open] }
    var receiver: Value?
    if let type = resolver.index.type(one.owner, in: "", file: one.file) {
      receiver = one.isStatic ? staticReceiver(type, here) : .instance(type)
      if !one.isStatic, types.isValueType(type) {
        let base = call.receiver.map { resolver.values.value($0, state) } ?? state.locals["self"]
        receiver = base.map { if case .unknown = $0 { .instance(type) } else { $0 } }
      }
    }
    // Follows each case separately, because several values may depend on it.
    typealias Case = ValueReader.MemoKey
    var all = [Case(declaration: number, receiver: receiver, arguments: arguments)]
    for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
      let each = value.alternatives.flatMap(types.expanded)
      guard each.count > 1, all.count * each.count <= 1_024 else { continue }
      all = all.flatMap { one in
        each.map { Case(declaration: number, receiver: receiver, arguments: one.arguments.merging([name: $0]) { $1 }) }
      }
    }
    if let each = receiver?.alternatives.flatMap(types.expanded), each.count > 1, all.count * each.count <= 1_024 {
      all = all.flatMap { one in
        each.filter { $0 != .null }.map { Case(declaration: number, receiver: $0, arguments: one.arguments) }
      }
    }
    return all.flatMap { followed($0, one) ?? [open] }
  }

  /// The type on which a static function is called; unknown if it may be a subtype.
  private func staticReceiver(_ type: TypeReference, _ here: ReachedCall) -> Value {
    if let base = here.call.receiver, let named = types.named(base, here.state) {
      return .type(named)
    }
    if case .type(let own)? = here.state.locals["self"] { return .type(own) }
    return types.hasSubtypes(type) ? .unknown("which type `Self` is") : .type(type)
  }

  private func followed(_ key: ValueReader.MemoKey, _ one: Declaration) -> [Shape]? {
    if let known = followed[key] { return known }
    guard resolver.effort.depth < 12, let (unit, node) = resolver.units.unit(one) else { return nil }
    resolver.effort.depth += 2
    defer { resolver.effort.depth -= 2 }
    let calls = node.calls(of: names).filter { wrappers.all[key.declaration]?.contains($0.offset + unit.base) == true }
    guard !calls.isEmpty else { return nil }
    let left = resolver.effort.left
    let start = PathState(unit, entering: one, key.arguments, key.receiver)
    let reached = self.reached(calls.map(\.id), in: Syntax(node), start)
    var all: [Shape] = []
    for call in calls {
      // These arguments do not reach the logging call.
      guard let state = reached[call.id] else { continue }
      guard let step = read(call, at: state) else { return nil }
      all += step.shapes.map { shape in
        var shape = shape
        shape.via = [one.signature] + shape.via
        return shape
      }
    }
    resolver.effort.left = left
    followed[key] = all
    return all
  }
}

/// A call, and how it is reached.
private struct ReachedCall {
  let call: FunctionCallExprSyntax
  let state: PathState
  /// The type of the receiver; `nil` for an unknown one, and for a global function.
  let type: TypeReference?
  /// The types that may declare the function; `nil` if the receiver's is not known.
  let owners: Set<String>?
}
