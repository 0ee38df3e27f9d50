import DualSendInventory
import SwiftParser
import SwiftSyntax

/// Finds the calls of one file that may log, and works out what they log.
final class FileTracer {
  let resolver: Resolver
  let functions: [String: [LoggingFunction]]
  let wrappers: [String: [Wrapper]]
  private let byPlace: [Int: Int]
  private var followed: [Resolver.MemoKey: [Shape]] = [:]

  init(_ resolver: Resolver, functions: [LoggingFunction], wrappers: [Wrapper], declarations: [Int]) {
    self.resolver = resolver
    self.functions = Dictionary(grouping: functions, by: \.name)
    self.wrappers = Dictionary(grouping: wrappers) { resolver.index[$0.declaration].name }
    var byPlace: [Int: Int] = [:]
    for number in declarations where resolver.index[number].kind == .function {
      byPlace[resolver.index[number].range.lowerBound] = number
    }
    self.byPlace = byPlace
  }

  /// All calls of a file that may log, by name and labels alone.
  func calls(_ text: String, file: Int, unbound: Set<Int>) -> Found {
    let unit = Unit(file: file, base: 0, tree: Unit.tree(text))
    let finder = CandidateFinder(names: Set(functions.keys).union(wrappers.keys))
    finder.walk(unit.tree)
    let converter = SourceLocationConverter(fileName: "", tree: unit.tree)
    let candidates = finder.calls.filter(isCandidate)
    var found: [FoundCall] = []
    for (_, group) in Dictionary(grouping: candidates, by: { Syntax($0).root.id }) {
      guard let first = group.first else { continue }
      let root = Syntax(first).root
      let reached = worlds(of: group, in: root, unit, unbound)
      let enclosing = root.is(FunctionDeclSyntax.self) ? byPlace[root.bytes.lowerBound] : nil
      // What a function does not hand on is taken for any value of its parameters' types.
      var typed: [SyntaxIdentifier: (Context, [World])]?
      for call in group {
        guard let (context, worlds) = reached[call.id] else {
          // Code that nothing reaches, or that stands in a way that is not followed.
          let shape = Shape(
            name: .unknown("the code around it is not followed"), parameters: .init(open: "it is not followed"))
          found.append(self.call(call, nil, [shape], converter, file, enclosing))
          continue
        }
        guard var one = read(call, context, worlds, converter, enclosing) else { continue }
        if let enclosing, !one.isCallers {
          let all = typed ?? self.worlds(of: group, in: root, unit, unbound.union([enclosing]))
          typed = all
          if let (context, worlds) = all[call.id], let other = read(call, context, worlds, converter, enclosing) {
            one = other
          }
        }
        found.append(one)
      }
    }
    let places = Set(found.map(\.offset))
    var (called, others): (Set<Int>, Set<Int>) = ([], [])
    for call in finder.calls {
      guard let name = call.calledName, functions[name.identifierText] != nil else { continue }
      let offset = name.positionAfterSkippingLeadingTrivia.utf8Offset
      called.insert(offset)
      if !places.contains(call.calledExpression.endPositionBeforeTrailingTrivia.utf8Offset)
        || found.contains(where: { $0.function == nil && $0.range == call.bytes })
      {
        others.insert(offset)
      }
    }
    return Found(
      calls: found.sorted { $0.offset < $1.offset },
      references: finder.references.compactMap { handedOn($0, unit, converter) }, called: called, others: others)
  }

  /// What a file has.
  struct Found {
    var calls: [FoundCall]
    var references: [HandedOn]
    /// Where the names of described functions stand in calls.
    var called: Set<Int>
    /// Those of them that are calls of something else.
    var others: Set<Int>
  }

  private func isCandidate(_ call: FunctionCallExprSyntax) -> Bool {
    guard let name = call.calledName?.identifierText else { return false }
    if functions[name]?.contains(where: { call.mayCall(labels: $0.labels) }) == true { return true }
    return wrappers[name]?.contains { call.fits(resolver.index[$0.declaration]) } == true
  }

  private func call(
    _ call: FunctionCallExprSyntax, _ function: LoggingFunction?, _ shapes: [Shape],
    _ converter: SourceLocationConverter, _ file: Int, _ enclosing: Int?, _ wrappers: Set<Int> = []
  ) -> FoundCall {
    FoundCall(
      standpoint: Standpoint(call, converter), offset: call.calledExpression.endPositionBeforeTrailingTrivia.utf8Offset,
      file: file, range: call.bytes, around: Syntax(call).root.bytes, function: function, shapes: shapes,
      enclosing: enclosing, wrappers: wrappers)
  }

  // MARK: ways to a call

  private func worlds(
    of calls: [FunctionCallExprSyntax], in root: Syntax, _ unit: Unit, _ unbound: Set<Int>
  ) -> [SyntaxIdentifier: (Context, [World])] {
    let owner = root.surroundings.type
    var start = World()
    let type = resolver.index.type(owner, in: "", file: unit.file)
    let number = byPlace[root.bytes.lowerBound]
    let isFollowed = root.is(FunctionDeclSyntax.self) && number != nil && !unbound.contains(number ?? -1)
    if let type {
      let kind = resolver.index.declaration(of: type)?.kind
      let isValue = kind == .enumeration || kind == .structure || kind == .contract
      start.locals["self"] =
        root.isStatic ? .type(type) : isValue && isFollowed ? .parameter("self", type: type.path) : .instance(type)
    }
    for parameter in root.as(FunctionDeclSyntax.self)?.signature.declaredParameters
      ?? root.as(InitializerDeclSyntax.self)?.signature.declaredParameters ?? []
    {
      start.types[parameter.name] = parameter.type
      start.locals[parameter.name] =
        parameter.type.hasSuffix("...")
        ? .elements(.unknown("any"))
        : isFollowed
          ? .parameter(parameter.name, type: parameter.type)
          : resolver.value(ofType: parameter.type, in: owner, file: unit.file)
    }
    return reached(calls.map(\.id), in: root, Context(unit: unit, owner: owner), start)
  }

  /// Runs a body and notes what is known where some calls stand.
  private func reached(
    _ calls: [SyntaxIdentifier], in root: Syntax, _ context: Context, _ start: World
  ) -> [SyntaxIdentifier: (Context, [World])] {
    let wanted = Set(calls)
    var found: [SyntaxIdentifier: (Context, [World])] = [:]
    let told = resolver.observe
    resolver.observe = { node, worlds, context in
      let finder = InnerCalls(wanted)
      finder.walk(node)
      for call in finder.found { found[call, default: (context, [])].1 += worlds }
    }
    defer { resolver.observe = told }
    resolver.effort = Resolver.effortPerQuestion + 40 * root.totalLength.utf8Length
    for body in root.bodies {
      switch body {
      case .statements(let items):
        _ = resolver.run(items, context, [start], Returns(), givesValue: false)
      case .expression(let expression): _ = resolver.told(Syntax(expression), context, [start])
      }
    }
    return found.mapValues { ($0.0, $0.1.bounded) }
  }

  // MARK: what a call logs

  private func read(
    _ call: FunctionCallExprSyntax, _ context: Context, _ worlds: [World], _ converter: SourceLocationConverter,
    _ enclosing: Int?
  ) -> FoundCall? {
    resolver.effort = Resolver.effortPerQuestion
    let step = shapes(call, context, worlds)
    guard let step else { return nil }
    return self.call(call, step.function, step.shapes, converter, context.unit.file, enclosing, step.wrappers)
  }

  /// The events of a call; `nil` if it calls another function of that name.
  private func shapes(
    _ call: FunctionCallExprSyntax, _ context: Context, _ worlds: [World]
  ) -> (function: LoggingFunction?, shapes: [Shape], wrappers: Set<Int>)? {
    guard let name = call.calledName?.identifierText, let first = worlds.first else { return nil }
    let types = Set(worlds.map { receiverType(call, context, $0) })
    for function in functions[name] ?? [] where call.mayCall(labels: function.labels) {
      var reasons: Set<String> = []
      switch self.meaning(function, call, types, context) {
      case .other: continue
      case .unsure(let reason): reasons = [reason]
      case .sure: break
      }
      let reader = EventReader(resolver: resolver)
      let all = worlds.map { world in
        reader.shapes(call, function, context, world).map { shape in
          var shape = shape
          shape.function = function
          shape.call = context.unit.origin(call)
          return shape
        }
      }
      return (function, joined(all, worlds, reasons), [])
    }
    let meant = (wrappers[name] ?? []).filter { wrapper in
      let one = resolver.index[wrapper.declaration]
      return call.fits(one) && types.contains { mayHave($0, one, call, context) }
    }
    guard !meant.isEmpty else { return nil }
    _ = first
    // What is declared beside them under the same name may be meant where the receiver is not known.
    var reasons: Set<String> = []
    let others = resolver.index.functions(name).filter { number in
      call.fits(resolver.index[number]) && !meant.contains { $0.declaration == number }
    }
    if types.contains(nil), !others.isEmpty, call.receiver != nil {
      reasons.insert("which `\(name)` is called: the type of what it is called on is not known")
    }
    let all = worlds.map { world in meant.flatMap { follow($0, call, context, world) } }
    return (nil, joined(all, worlds, reasons), Set(meant.map(\.declaration)))
  }

  /// The shapes of all ways.
  private func joined(_ all: [[Shape]], _ worlds: [World], _ reasons: Set<String>) -> [Shape] {
    var seen: Set<Shape> = []
    var shapes = all.flatMap { $0 }.filter { seen.insert($0).inserted }
    let names = Set(shapes.map(\.name))
    let isEntangled =
      worlds.contains(where: \.isEntangled) && names.count > 1
      && Set(shapes.map { Set($0.parameters.members.keys) }).count > 1
    for place in shapes.indices {
      shapes[place].reasons.formUnion(reasons)
      if isEntangled { shapes[place].reasons.insert(EventReader.dependent) }
    }
    return shapes
  }

  // MARK: whose function it is

  enum Meaning {
    case sure, other
    case unsure(String)
  }

  private func meaning(
    _ function: LoggingFunction, _ call: FunctionCallExprSyntax, _ types: Set<TypeReference?>, _ context: Context
  ) -> Meaning {
    let known = types.compactMap { $0 }
    if let wanted = function.receiverProtocol ?? (function.staysAfterMigration ? function.type : nil) {
      return known.contains { resolver.isRelated($0, to: wanted) } ? .sure : .other
    }
    let all = resolver.index.functions(function.name).map { resolver.index[$0] }.filter { call.fits($0) }
    guard let wanted = function.type else {
      return .sure
    }
    if known.contains(where: { resolver.isRelated($0, to: wanted) }) { return .sure }
    if !known.isEmpty, known.count == types.count {
      // Another type, if it has such a function itself, or none that these sources do not show.
      let isDeclared = known.allSatisfy { type in
        all.contains { one in
          resolver.index.type(one.owner, in: "", file: one.file).map { resolver.isRelated(type, to: $0.path) } ?? false
        }
      }
      if isDeclared { return .other }
    }
    let others = all.filter { one in
      resolver.index.type(one.owner, in: "", file: one.file).map { !resolver.isRelated($0, to: wanted) } ?? true
    }
    if call.receiver == nil, !others.isEmpty, types == [nil] {
      return others.contains { $0.owner.isEmpty } ? .other : .unsure("whose `\(function.name)` it is")
    }
    return others.isEmpty
      ? .sure : .unsure("which `\(function.name)` is called: the type of what it is called on is not known")
  }

  /// The type that a call's function is of.
  private func receiverType(_ call: FunctionCallExprSyntax, _ context: Context, _ world: World) -> TypeReference? {
    if let base = call.receiver {
      if base.is(SuperExprSyntax.self) { return resolver.index.type(context.owner, in: "", file: context.unit.file) }
      if let path = base.dottedName, world.locals[path.prefix { $0 != "." }.description] == nil,
        let type = resolver.index.type(
          path == "Self" ? context.owner : path, in: context.owner, file: context.unit.file)
      {
        return type
      }
      return resolver.type(of: resolver.value(base, context, world), in: context)
    }
    guard let name = call.calledName?.identifierText else { return nil }
    let found = resolver.candidates(name, nil, context, world).first.map { resolver.index[$0] }
    return found.flatMap { one in
      one.owner.isEmpty
        ? nil : resolver.index.type(context.owner.isEmpty ? one.owner : context.owner, in: "", file: context.unit.file)
    }
  }

  private func mayHave(
    _ type: TypeReference?, _ one: Declaration, _ call: FunctionCallExprSyntax, _ context: Context
  ) -> Bool {
    guard let type else {
      if call.receiver != nil { return !one.owner.isEmpty }
      return one.owner.isEmpty
    }
    guard !one.owner.isEmpty else { return call.receiver == nil }
    if let base = call.receiver, let path = base.dottedName, path.first?.isUppercase == true,
      resolver.index.type(path, in: context.owner, file: context.unit.file) == type, !one.isStatic
    {
      return false
    }
    return resolver.index.type(one.owner, in: "", file: one.file).map { resolver.isRelated(type, to: $0.path) }
      ?? (type.path == one.owner)
  }

  // MARK: wrappers

  /// What a wrapper logs for what a call gives it.
  private func follow(
    _ wrapper: Wrapper, _ call: FunctionCallExprSyntax, _ context: Context, _ world: World
  ) -> [Shape] {
    let one = resolver.index[wrapper.declaration]
    let open = [
      Shape(
        name: .unknown("`\(one.signature)` is not followed"), parameters: .init(open: "it is not followed"),
        via: [one.signature])
    ]
    guard let arguments = resolver.bound(call, to: one, context, world) else { return open }
    var receiver: Value?
    if !one.isStatic, let type = resolver.index.type(one.owner, in: "", file: one.file) {
      let base = call.receiver.map { resolver.value($0, context, world) } ?? world.locals["self"]
      let kind = resolver.index.declaration(of: type)?.kind
      let isValue = kind == .enumeration || kind == .structure || kind == .contract
      receiver = isValue ? base.map { if case .unknown = $0 { .instance(type) } else { $0 } } : .instance(type)
    } else if one.isStatic {
      receiver = resolver.index.type(one.owner, in: "", file: one.file).map { .type($0) }
    }
    // Each case for itself: what depends on it goes together.
    var all: [([String: Value], Value?)] = [(arguments, receiver)]
    for (name, value) in arguments {
      let each = value.alternatives.flatMap(resolver.expanded)
      guard each.count > 1, all.count * each.count <= 1_024 else { continue }
      all = all.flatMap { pair in each.map { one in (pair.0.merging([name: one]) { $1 }, pair.1) } }
    }
    if let receiver, case let each = receiver.alternatives.flatMap(resolver.expanded), each.count > 1,
      all.count * each.count <= 1_024
    {
      all = all.flatMap { pair in each.filter { $0 != .null }.map { (pair.0, $0) } }
    }
    return all.flatMap { followed(wrapper, one, $0.0, $0.1) ?? open }
  }

  private func followed(
    _ wrapper: Wrapper, _ one: Declaration, _ arguments: [String: Value], _ receiver: Value?
  ) -> [Shape]? {
    let key = Resolver.MemoKey(declaration: wrapper.declaration, receiver: receiver, arguments: arguments)
    if let known = followed[key] { return known }
    guard resolver.depth < 12, let (unit, node) = resolver.units.unit(one) else { return nil }
    resolver.depth += 2
    defer { resolver.depth -= 2 }
    let finder = CandidateFinder(names: Set(functions.keys).union(wrappers.keys))
    finder.walk(node)
    let calls = finder.calls.filter { call in
      wrapper.calls.contains(call.calledExpression.endPositionBeforeTrailingTrivia.utf8Offset + unit.base)
    }
    guard !calls.isEmpty else { return nil }
    let context = Context(unit: unit, owner: one.owner)
    let left = resolver.effort
    let reached = self.reached(calls.map(\.id), in: Syntax(node), context, World.entered(one, arguments, receiver))
    var all: [Shape] = []
    for call in calls {
      // A call that these arguments do not lead to logs nothing.
      guard let (context, worlds) = reached[call.id] else { continue }
      guard let step = shapes(call, context, worlds) else { return nil }
      all += step.shapes.map { shape in
        var shape = shape
        shape.via = [one.signature] + shape.via
        return shape
      }
    }
    resolver.effort = left
    followed[key] = all
    return all
  }
}

/// The calls and the names of some functions.
final class CandidateFinder: SyntaxVisitor {
  private let names: Set<String>
  private(set) var calls: [FunctionCallExprSyntax] = []
  private(set) var references: [DeclReferenceExprSyntax] = []

  init(names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.calledName, names.contains(name.identifierText) { calls.append(node) }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if names.contains(node.baseName.identifierText), node.canBeFunctionValue { references.append(node) }
    return .visitChildren
  }
}

/// Some calls that stand in code, but in none of its closures.
private final class InnerCalls: SyntaxVisitor {
  private let wanted: Set<SyntaxIdentifier>
  private(set) var found: [SyntaxIdentifier] = []

  init(_ wanted: Set<SyntaxIdentifier>) {
    self.wanted = wanted
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if wanted.contains(node.id) { found.append(node.id) }
    return .visitChildren
  }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

extension Syntax {
  enum Body {
    case statements(CodeBlockItemListSyntax)
    case expression(ExprSyntax)
  }

  /// The code that it runs.
  var bodies: [Body] {
    if let function = self.as(FunctionDeclSyntax.self) {
      return function.body.map { [.statements($0.statements)] } ?? []
    }
    if let made = self.as(InitializerDeclSyntax.self) { return made.body.map { [.statements($0.statements)] } ?? [] }
    if let ended = self.as(DeinitializerDeclSyntax.self) {
      return ended.body.map { [.statements($0.statements)] } ?? []
    }
    if let file = self.as(SourceFileSyntax.self) { return [.statements(file.statements)] }
    if let part = self.as(SubscriptDeclSyntax.self) { return part.accessorBlock?.bodies ?? [] }
    if let variable = self.as(VariableDeclSyntax.self) {
      return variable.bindings.flatMap { binding in
        (binding.initializer.map { [.expression($0.value)] } ?? []) + (binding.accessorBlock?.bodies ?? [])
      }
    }
    return []
  }

  fileprivate var isStatic: Bool {
    let modifiers = asProtocol((any WithModifiersSyntax).self)?.modifiers
    return modifiers?.contains { ["static", "class"].contains($0.name.text) } == true
  }
}

extension AccessorBlockSyntax {
  fileprivate var bodies: [Syntax.Body] {
    switch accessors {
    case .getter(let items): [.statements(items)]
    case .accessors(let all): all.compactMap { $0.body.map { .statements($0.statements) } }
    }
  }
}
