import SwiftParser
import SwiftSyntax

/// Finds the calls of one file that may log, and evaluates what they log.
final class FileTracer {
  let resolver: Resolver
  let functions: [String: [LoggingFunction]]
  let wrappers: WrapperIndex
  let names: Set<String>
  private let byPlace: [Int: Int]
  var followed: [ValueReader.MemoKey: [Shape]] = [:]
  /// Whether the events of functions with a described name are being compared.
  var isComparing = false

  /// What is known at the relevant calls and names.
  typealias Reached = [SyntaxIdentifier: PathState]

  init(_ resolver: Resolver, functions: [LoggingFunction], wrappers: WrapperIndex, declarations: [Int]) {
    self.resolver = resolver
    self.functions = Dictionary(grouping: functions, by: \.name)
    self.wrappers = wrappers
    names = Set(functions.map(\.name)).union(wrappers.byName.keys)
    byPlace = declarations.reduce(into: [:]) { places, number in
      let one = resolver.index[number]
      if one.kind == .function { places[one.range.lowerBound] = number }
    }
  }

  /// All calls of a file that may log, by name and labels.
  func calls(_ text: String, file: Int, unbound: Set<Int>) -> Found {
    let places = Recall.search(text, for: names, isCalled: false)
    let unit = SourceUnit(file: file, text: text, foldedAt: places)
    let called = unit.tree.calls(of: names)
    let converter = SourceLocationConverter(fileName: "", tree: unit.tree)
    var result = Found(hits: Set(Recall.search(text, for: Set(functions.keys))))
    let calls = Dictionary(grouping: called.filter(isCandidate)) { Syntax($0).root }
    let references = Dictionary(grouping: unit.tree.functionValues(of: names)) { Syntax($0).root }
    // In file order, because the depth at which a wrapper is first followed limits how far it is followed.
    for root in Set(calls.keys).union(references.keys).sorted(by: { $0.position < $1.position }) {
      let (calls, references) = (calls[root] ?? [], references[root] ?? [])
      let ids = calls.map(\.id) + references.map(\.id)
      let reached = self.reached(ids, in: root, unit, unbound)
      let enclosing = root.is(FunctionDeclSyntax.self) ? byPlace[root.bytes.lowerBound] : nil
      // An argument that a function does not pass on counts as any value of the parameter's type.
      lazy var typed = self.reached(ids, in: root, unit, unbound.union([enclosing ?? -1]))
      for call in calls {
        guard var read = read(call, reached[call.id]) else { continue }
        if let enclosing, !read.shapes.contains(where: \.isCallers), !unbound.contains(enclosing), isOpen(root, file) {
          read = self.read(call, typed[call.id]) ?? read
        }
        result.calls.append(
          FoundCall(
            position: SourcePosition(call, converter), offset: call.offset, name: call.nameOffset,
            function: read.function, shapes: read.shapes, enclosing: enclosing, wrappers: read.wrappers))
      }
      result.references += references.compactMap { node in
        functionReference(node, reached[node.id] ?? PathState(unit, owner: node.surroundings.type), converter)
      }
    }
    result.calls.sort { $0.offset < $1.offset }
    result.references.sort { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    let described = Set(result.calls.filter { $0.function != nil }.map(\.offset))
    for call in called where call.calledName.map({ functions[$0.identifierText] != nil }) == true {
      result.called.insert(call.nameOffset)
      if !described.contains(call.offset) { result.others.insert(call.nameOffset) }
    }
    return result
  }

  /// Whether values in a function may depend on its caller.
  private func isOpen(_ root: Syntax, _ file: Int) -> Bool {
    let parameters = root.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters
    return parameters?.isEmpty == false
      || resolver.index.type(root.surroundings.type, in: "", file: file).map(resolver.types.isValueType) == true
  }

  /// The findings of a file.
  struct Found: Sendable {
    var calls: [FoundCall] = []
    var references: [FunctionReference] = []
    /// Where a text search finds the described functions.
    var hits: Set<Int> = []
    /// The positions of their names in calls.
    var called: Set<Int> = []
    /// The positions whose calls mean another function.
    var others: Set<Int> = []

    var recall: Recall {
      Recall(hits: hits.count, others: others.intersection(hits).count, uncalled: hits.subtracting(called).count)
    }
  }

  private func isCandidate(_ call: FunctionCallExprSyntax) -> Bool {
    guard let name = call.calledName?.identifierText else { return false }
    return functions[name]?.contains { call.mayCall(labels: $0.labels) } == true
      || wrappers.byName[name] != nil && resolver.types.fitting(call, name).contains { wrappers.all[$0] != nil }
  }

  // MARK: states at a call

  private func reached(_ ids: [SyntaxIdentifier], in root: Syntax, _ unit: SourceUnit, _ unbound: Set<Int>) -> Reached {
    var start = PathState(unit, owner: root.surroundings.type)
    let isFollowed =
      root.is(FunctionDeclSyntax.self) && byPlace[root.bytes.lowerBound].map { !unbound.contains($0) } == true
    if let type = resolver.index.type(start.owner, in: "", file: unit.file) {
      start.locals["self"] =
        root.isStatic
        ? resolver.types.hasSubtypes(type) ? .unknown("which type `Self` is") : .type(type)
        : resolver.types.isValueType(type) && isFollowed ? .parameter("self", type: type.path) : .instance(type)
    }
    let generic = root.asProtocol((any WithGenericParametersSyntax).self)
    for name in generic?.genericParameterClause?.names ?? [] {
      start.locals[name] = .unknown("a type that the caller chooses")
    }
    for parameter in generic?.declaredParameters ?? [] {
      start.types[parameter.name] = parameter.type
      start.locals[parameter.name] =
        parameter.type.hasSuffix("...")
        ? .elements(.unknown("any"))
        : isFollowed
          ? .parameter(parameter.name, type: parameter.type)
          : resolver.types.value(parameter.type, in: start.owner, file: unit.file)
    }
    return reached(ids, in: root, start)
  }

  /// Follows a body, and collects what is known at some calls and names.
  func reached(_ ids: [SyntaxIdentifier], in root: Syntax, _ start: PathState) -> Reached {
    let wanted = Set(ids)
    var found: Reached = [:]
    resolver.effort.left = Effort.perQuestion + 8 * root.totalLength.utf8Length
    let observer: ([SyntaxIdentifier], PathState) -> Void = { mentions, state in
      for id in mentions where wanted.contains(id) {
        found[id] = PathState.joined([found[id], state].compactMap { $0 }) ?? state
      }
    }
    resolver.statements.observing(observer) {
      for body in root.bodies {
        switch body {
        case .statements(let items, let names):
          var inside = start
          for name in names { inside.declare(name, .unknown("a value that is set")) }
          resolver.statements.run(items, inside)
        case .expression(let expression): resolver.statements.observed(Syntax(expression), start)
        }
      }
    }
    return found
  }
}

extension FunctionCallExprSyntax {
  /// The end of the called expression, which identifies the call in its file.
  var offset: Int { calledExpression.endPositionBeforeTrailingTrivia.utf8Offset }
  fileprivate var nameOffset: Int { calledName?.positionAfterSkippingLeadingTrivia.utf8Offset ?? offset }
}

extension SyntaxProtocol {
  /// The calls of functions with some names.
  func calls(of names: Set<String>) -> [FunctionCallExprSyntax] {
    all(FunctionCallExprSyntax.self).filter { $0.calledName.map { names.contains($0.identifierText) } == true }
  }

  /// The names of some functions where they can be values.
  func functionValues(of names: Set<String>) -> [DeclReferenceExprSyntax] {
    all(DeclReferenceExprSyntax.self).filter { names.contains($0.baseName.identifierText) && $0.canBeFunctionValue }
  }
}

extension Syntax {
  enum Body {
    /// With the names that an accessor gives to the values of a change.
    case statements(CodeBlockItemListSyntax, changes: [String] = [])
    case expression(ExprSyntax)
  }

  /// The body of the declaration.
  var bodies: [Body] {
    switch self.as(SyntaxEnum.self) {
    case .functionDecl, .initializerDecl, .deinitializerDecl:
      let body = asProtocol((any WithOptionalCodeBlockSyntax).self)?.body
      return body.map { [.statements($0.statements)] } ?? []
    case .sourceFile(let file): return [.statements(file.statements)]
    case .subscriptDecl(let part): return part.accessorBlock?.bodies ?? []
    case .variableDecl(let variable):
      return variable.bindings.flatMap { binding in
        (binding.initializer.map { [.expression($0.value)] } ?? []) + (binding.accessorBlock?.bodies ?? [])
      }
    default: return []
    }
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
    case .accessors(let all):
      all.compactMap { one in one.body.map { .statements($0.statements, changes: one.changes) } }
    }
  }
}

extension AccessorDeclSyntax {
  /// The name of the new or the old value.
  fileprivate var changes: [String] {
    if let name = parameters?.name.identifierText { return [name] }
    switch accessorSpecifier.text {
    case "set", "willSet": return ["newValue"]
    case "didSet": return ["oldValue"]
    default: return []
    }
  }
}
