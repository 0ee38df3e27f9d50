import SwiftSyntax

/// Finds the function that a call means, and the events it logs.
extension FileTracer {
  /// A call that may mean more functions than this is not followed.
  private static let maximumMeant = 32

  typealias Reading = (function: LoggingFunction?, shapes: [Shape], wrappers: Set<Int>)

  /// The events of a call; `nil` if it calls another function of that name.
  func read(_ call: FunctionCallExprSyntax, _ reached: (context: Context, states: [PathState])?) -> Reading? {
    guard let (context, states) = reached, !states.isEmpty else {
      // Unreachable code, or code that is not followed.
      let function = functions[call.calledName?.identifierText ?? ""]?.first { call.mayCall(labels: $0.labels) }
      return (function, [Shape.open("the code around it is not followed")], [])
    }
    resolver.effort.left = Effort.perQuestion
    return read(call, context, states)
  }

  private func read(_ call: FunctionCallExprSyntax, _ context: Context, _ states: [PathState]) -> Reading? {
    guard let name = call.calledName?.identifierText else { return nil }
    // A local function, a closure or a parameter of that name.
    if call.receiver == nil, states.allSatisfy({ $0.locals[name] != nil }) { return nil }
    let types = Set(states.map { receiverType(call, context, $0) })
    let here = ReachedCall(call: call, context: context, states: states, types: types)
    let fitting = selected(resolver.fitting(call, name), by: here)
    for function in functions[name] ?? [] where call.mayCall(labels: function.labels) {
      var reasons: Set<String> = []
      switch meaning(function, here) {
      case .other: continue
      case .unsure(let reason): reasons = [reason]
      case .sure: break
      }
      let overloads = overloads(of: function, here)
      // One that hands its arguments on to the described function is followed, and one that takes no event is another.
      let others = overloads.filter { wrappers.all[$0] != nil || !takesEvent(function, resolver.index[$0], context) }
      if !overloads.isEmpty, others == overloads {
        let meant = overloads.filter { wrappers.all[$0] != nil }
        return meant.isEmpty ? nil : (function, followed(meant, here, reasons), meant)
      }
      if !others.isEmpty || !overloads.isDisjoint(with: wrappers.logging) {
        reasons.insert("which event `\(name)` logs: there are several with these labels, which call each other")
      }
      let reader = EventReader(resolver: resolver, call: call, function: function, context: context)
      let shapes = states.map { reader.shapes($0) }
      reasons.formUnion(changed(shapes, by: fitting, function, here))
      return (function, joined(shapes, states, reasons), [])
    }
    let all = Set(types.flatMap { wrappers(call, name, of: $0, fitting) })
    let meant = narrowed(all, among: fitting, here)
    guard !meant.isEmpty else { return nil }
    // With an unknown receiver, the call may mean another function of that name.
    let isUnsure = types.contains(nil) && call.receiver != nil && !meant.isSuperset(of: fitting)
    if meant.count > Self.maximumMeant {
      return (nil, [Shape.open("more than \(Self.maximumMeant) functions `\(name)` may be meant")], meant)
    }
    let reasons: Set<String> = isUnsure ? [Self.unknownReceiver(name)] : []
    return (nil, followed(meant, here, reasons), meant)
  }

  private func followed(_ meant: Set<Int>, _ here: ReachedCall, _ reasons: Set<String>) -> [Shape] {
    let all = here.states.map { state in meant.sorted().flatMap { follow($0, here, state) } }
    return joined(all, here.states, reasons)
  }

  /// Why another event may be logged: the described function of a subclass or of another type with the same protocol changes
  /// it, before it calls the function that is meant here.
  private func changed(
    _ shapes: [[Shape]], by fitting: [Int], _ function: LoggingFunction, _ here: ReachedCall
  ) -> Set<String> {
    guard !isComparing, here.call.receiver?.is(SuperExprSyntax.self) != true else { return [] }
    isComparing = true
    defer { isComparing = false }
    let owners = here.types.contains(nil) ? nil : owners(here)
    let possible = fitting.filter { number in
      let one = resolver.index[number]
      return wrappers.all[number] != nil && one.labels == function.labels && owners?.contains(one.owner) != false
    }
    return narrowed(Set(possible), among: fitting, here).reduce(into: []) { reasons, number in
      let isSame = zip(shapes, here.states).allSatisfy { direct, state in
        Set(follow(number, here, state).map(\.event)) == Set(direct.map(\.event))
      }
      let one = resolver.index[number]
      if !isSame {
        reasons.insert("`\(one.owner).\(one.signature)` logs another event, if it is the one that is called")
      }
    }
  }

  // MARK: overloads

  /// The functions of a type that can be called here: static ones after the type's name and in static code, others after a
  /// value and in other code.
  private func selected(_ all: [Int], by here: ReachedCall) -> [Int] {
    let base = here.call.receiver.flatMap { $0.localName == "self" ? nil : $0 }
    let isOnType = here.states.allSatisfy { state in
      guard let base else { if case .type? = state.locals["self"] { return true } else { return false } }
      return base.typeArgument != nil || resolver.namedType(base, here.context, state) != nil
    }
    let found = all.filter { number in
      let one = resolver.index[number]
      return one.isStatic == isOnType || one.owner.isEmpty || (base == nil && one.owner != here.context.owner)
    }
    return found.isEmpty && !(isOnType && base != nil) ? all : found
  }

  /// The functions with the labels of a described one that a call may mean, if their type has several.
  private func overloads(of function: LoggingFunction, _ here: ReachedCall) -> Set<Int> {
    let (call, owners, isUnknown) = (here.call, owners(here), here.types.contains(nil))
    let own = resolver.fitting(call, function.name).filter { number in
      let one = resolver.index[number]
      let isPossible = isUnknown ? one.owner.isEmpty == (call.receiver == nil) : owners.contains(one.owner)
      return isPossible && one.labels == function.labels
    }
    let several = Dictionary(grouping: own) { resolver.index[$0].owner }.values.filter { $0.count > 1 }.flatMap { $0 }
    guard !several.isEmpty else { return [] }
    let meant = narrowed(Set(several), among: selected(several, by: here), here)
    return isUnknown ? meant.union(Set(own).subtracting(several)) : meant
  }

  private func owners(_ here: ReachedCall) -> Set<String> {
    Set(here.types.compactMap { $0 }.flatMap(resolver.relatives))
  }

  /// Whether a function takes what a description says, as far as the type of its parameter shows.
  private func takesEvent(_ function: LoggingFunction, _ one: Declaration, _ context: Context) -> Bool {
    guard case .event(.position(let place), let property, _) = function.content, one.parameters.indices.contains(place)
    else { return true }
    let plain = one.parameters[place].type.withoutOptional.trimmingTypeWords
    guard let type = resolver.index.type(plain, in: one.owner, file: one.file) else { return plain != "String" }
    return !resolver.property(property.first, of: type, isStatic: false, context).isEmpty
  }

  /// Those of some functions that the labels and the types of the arguments select among the functions of their types.
  private func narrowed(_ wanted: Set<Int>, among fitting: [Int], _ here: ReachedCall) -> Set<Int> {
    let owners = Set(wanted.map { resolver.index[$0].owner })
    let rivals = Dictionary(grouping: fitting) { resolver.index[$0].owner }.filter { owners.contains($0.key) }
    return wanted.intersection(
      rivals.values.flatMap { all -> [Int] in
        guard all.count > 1 else { return all }
        let exact = all.filter { resolver.index[$0].labels == here.call.labels }
        return here.states.flatMap {
          resolver.narrowed(exact.isEmpty ? all : exact, by: here.call, here.context, $0)
        }
      })
  }

  private static func unknownReceiver(_ name: String) -> String {
    "which `\(name)` is called: the type of what it is called on is not known"
  }

  /// The events of all paths.
  private func joined(_ all: [[Shape]], _ states: [PathState], _ reasons: Set<String>) -> [Shape] {
    var seen: Set<Shape> = []
    let shapes = all.flatMap { $0 }.filter { seen.insert($0).inserted }
    var reasons = reasons
    if states.contains(where: \.isEntangled), Set(shapes.map(\.name)).count > 1,
      Set(shapes.map { Set($0.parameters.members.keys) }).count > 1
    {
      reasons.insert(EventReader.dependent)
    }
    return shapes.map { shape in
      var shape = shape
      shape.reasons.formUnion(reasons)
      return shape
    }
  }

  /// Whether a call means a described function.
  private enum Meaning {
    case sure, other
    case unsure(String)
  }

  private func meaning(_ function: LoggingFunction, _ here: ReachedCall) -> Meaning {
    let (call, types) = (here.call, here.types)
    if types == [nil], isForeign(function, call.receiver) { return .sure }
    let known = types.compactMap { $0 }
    if let wanted = function.receiverProtocol ?? (function.staysAfterMigration ? function.type : nil) {
      return known.contains { resolver.isRelated($0, to: wanted) } ? .sure : .other
    }
    guard let wanted = function.type, !known.contains(where: { resolver.isRelated($0, to: wanted) }) else {
      return .sure
    }
    let owners = Dictionary(grouping: resolver.fitting(call, function.name)) { resolver.index[$0].owner }
      .map { path, all in
        (path: path, type: resolver.index.type(path, in: "", file: resolver.index[all[0]].file))
      }
    // Another type that declares such a function.
    if !known.isEmpty, known.count == types.count,
      known.allSatisfy({ type in owners.contains { $0.type.map { resolver.isRelated(type, to: $0.path) } ?? false } })
    {
      return .other
    }
    let others = owners.filter { $0.type.map { !resolver.isRelated($0, to: wanted) } ?? true }
    if others.isEmpty { return .sure }
    guard call.receiver == nil, types == [nil] else { return .unsure(Self.unknownReceiver(function.name)) }
    return others.contains { $0.path.isEmpty } ? .other : .unsure("whose `\(function.name)` it is")
  }

  /// Whether a type of a library is called that has the described name, or a value that a type of a library gives.
  private func isForeign(_ function: LoggingFunction, _ receiver: ExprSyntax?) -> Bool {
    guard let wanted = function.type, !function.staysAfterMigration, let root = receiver?.rootName else { return false }
    return root.first?.isUppercase == true
      && ![root, DeclarationIndex.last(wanted)].contains(where: resolver.index.isDeclared)
  }

  /// The receiver type of a call; `nil` if it is unknown, or if the function is a global one.
  private func receiverType(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> TypeReference? {
    let own = resolver.index.type(context.owner, in: "", file: context.unit.file)
    guard let base = call.receiver else {
      let found = resolver.candidates(call.calledName?.identifierText ?? "", nil, context).first
      let owner = found.map { resolver.index[$0].owner } ?? ""
      if owner.isEmpty { return nil }
      return context.owner.isEmpty ? resolver.index.type(owner, in: "", file: context.unit.file) : own
    }
    if base.is(SuperExprSyntax.self) { return own }
    return resolver.namedType(base, context, state)
      ?? resolver.type(of: resolver.value(base, context, state), in: context)
  }

  // MARK: wrappers

  /// The wrappers that a call on a receiver of some type may mean.
  private func wrappers(
    _ call: FunctionCallExprSyntax, _ name: String, of type: TypeReference?, _ fitting: [Int]
  ) -> [Int] {
    guard let type else {
      return fitting.filter { number in
        wrappers.all[number] != nil && resolver.index[number].owner.isEmpty == (call.receiver == nil)
      }
    }
    let all = wrappers.named(name, of: resolver.relatives(of: type) + (call.receiver == nil ? [""] : []))
    return all.filter(Set(fitting).contains).filter { number in
      let one = resolver.index[number]
      return one.owner != type.path || resolver.index.type(one.owner, in: "", file: one.file) == type
    }
  }

  /// The events of a wrapper for the arguments of a call.
  private func follow(_ number: Int, _ here: ReachedCall, _ state: PathState) -> [Shape] {
    let (call, context) = (here.call, here.context)
    let one = resolver.index[number]
    var open = Shape.open("`\(one.signature)` is not followed")
    open.via = [one.signature]
    guard let arguments = resolver.bound(call, to: one, context, state) else { return [open] }
    var receiver: Value?
    if let type = resolver.index.type(one.owner, in: "", file: one.file) {
      receiver = one.isStatic ? .type(type) : .instance(type)
      if !one.isStatic, resolver.isValueType(type) {
        let base = call.receiver.map { resolver.value($0, context, state) } ?? state.locals["self"]
        receiver = base.map { if case .unknown = $0 { .instance(type) } else { $0 } }
      }
    }
    // Follows each case separately, because several values may depend on it.
    typealias Case = Resolver.MemoKey
    var all = [Case(declaration: number, receiver: receiver, arguments: arguments)]
    for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
      let each = value.alternatives.flatMap(resolver.expanded)
      guard each.count > 1, all.count * each.count <= 1_024 else { continue }
      all = all.flatMap { one in
        each.map { Case(declaration: number, receiver: receiver, arguments: one.arguments.merging([name: $0]) { $1 }) }
      }
    }
    if let each = receiver?.alternatives.flatMap(resolver.expanded), each.count > 1, all.count * each.count <= 1_024 {
      all = all.flatMap { one in
        each.filter { $0 != .null }.map { Case(declaration: number, receiver: $0, arguments: one.arguments) }
      }
    }
    return all.flatMap { followed($0, one) ?? [open] }
  }

  private func followed(_ key: Resolver.MemoKey, _ one: Declaration) -> [Shape]? {
    if let known = followed[key] { return known }
    guard resolver.effort.depth < 12, let (unit, node) = resolver.units.unit(one) else { return nil }
    resolver.effort.depth += 2
    defer { resolver.effort.depth -= 2 }
    let calls = node.calls(of: names).filter { wrappers.all[key.declaration]?.contains($0.offset + unit.base) == true }
    guard !calls.isEmpty else { return nil }
    let left = resolver.effort.left
    let context = Context(unit: unit, owner: one.owner)
    let start = PathState.entered(one, key.arguments, key.receiver)
    let reached = self.reached(calls.map(\.id), in: Syntax(node), context, start)
    var all: [Shape] = []
    for call in calls {
      // These arguments do not reach the logging call.
      guard let (context, states) = reached[call.id] else { continue }
      guard let step = read(call, context, states) else { return nil }
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
  let context: Context
  let states: [PathState]
  /// The types of the receiver on all paths; `nil` for an unknown one, and for a global function.
  let types: Set<TypeReference?>
}
