import SwiftSyntax

/// A place that names a function that logs, without calling it: it may be called with anything later.
struct HandedOn: Sendable {
  let standpoint: Standpoint
  let name: String
  /// The wrappers that are meant; none if it may be another thing of that name.
  let wrappers: Set<Int>

  var reason: String {
    wrappers.isEmpty
      ? "`\(name)` may be a function that is handed on as a value: what it is a member of is not known"
      : "`\(name)` is handed on as a value, and called elsewhere"
  }
}

extension FileTracer {
  /// What a name stands for that is no call.
  func handedOn(_ node: DeclReferenceExprSyntax, _ unit: Unit, _ converter: SourceLocationConverter) -> HandedOn? {
    let name = node.baseName.identifierText
    let labels = node.argumentNames?.arguments.map(\.name.identifierText)
    let fitting = (wrappers[name] ?? []).filter { labels == nil || labels == resolver.index[$0.declaration].labels }
    let isLogging =
      functions[name]?.contains {
        $0.type == nil && $0.receiverProtocol == nil && (labels == nil || labels == $0.labels)
      } == true
    guard !fitting.isEmpty || isLogging else { return nil }
    let owner = node.surroundings.type
    let context = Context(unit: unit, owner: owner)
    resolver.effort = Resolver.effortPerQuestion
    let found: [Int]?
    if let root = node.keyPathRoot {
      found = resolver.index.type(root.trimmedDescription, in: owner, file: unit.file).map { members(fitting, of: $0) }
    } else if let access = node.whole.as(MemberAccessExprSyntax.self) {
      guard let base = access.base else {
        return fitting.contains { resolver.index[$0.declaration].isStatic } ? place(node, [], converter) : nil
      }
      found = self.member(name, of: base, fitting, node, context)
    } else {
      if node.isLocal(name) { return nil }
      var world = World()
      let type = resolver.index.type(owner, in: "", file: unit.file)
      if let type { world.locals["self"] = .instance(type) }
      let own = type.map { members(fitting, of: $0) } ?? []
      if own.isEmpty {
        if let type, !resolver.index.members(name, of: type, file: unit.file).isEmpty { return nil }
        found = fitting.map(\.declaration).filter { resolver.index[$0].owner.isEmpty }
      } else {
        found = own
      }
    }
    guard let found else { return place(node, [], converter) }
    if found.isEmpty { return nil }
    return place(node, Set(found), converter)
  }

  private func place(
    _ node: DeclReferenceExprSyntax, _ wrappers: Set<Int>, _ converter: SourceLocationConverter
  ) -> HandedOn {
    HandedOn(standpoint: Standpoint(node, converter), name: node.baseName.identifierText, wrappers: wrappers)
  }

  private func members(_ fitting: [Wrapper], of type: TypeReference) -> [Int] {
    fitting.map(\.declaration).filter { number in
      let one = resolver.index[number]
      return resolver.index.type(one.owner, in: "", file: one.file).map { resolver.isRelated(type, to: $0.path) }
        ?? false
    }
  }

  /// The wrappers that a member may be; `nil` if it is not known what it is a member of.
  private func member(
    _ name: String, of base: ExprSyntax, _ fitting: [Wrapper], _ node: DeclReferenceExprSyntax, _ context: Context
  ) -> [Int]? {
    let root = Syntax(node).root
    var world = World()
    if let type = resolver.index.type(context.owner, in: "", file: context.unit.file) {
      world.locals["self"] = .instance(type)
    }
    for parameter in root.as(FunctionDeclSyntax.self)?.signature.declaredParameters ?? [] {
      world.locals[parameter.name] = resolver.value(ofType: parameter.type, in: context.owner, file: context.unit.file)
    }
    let inner = base.typeArgument ?? base
    if let local = inner.dottedName.map({ String($0.prefix { $0 != "." }) }), world.locals[local] == nil,
      let declared = node.localValue(local)
    {
      world.locals[local] = resolver.value(declared, context, world)
    }
    let value = resolver.value(inner, context, world)
    let types = value.alternatives.filter { $0 != .null }.map { resolver.type(of: $0, in: context) }
    if types.contains(nil) { return nil }
    let isCallee = node.isCallee
    return types.compactMap { $0 }.flatMap { type -> [Int] in
      let found = members(fitting, of: type)
      guard isCallee else { return found }
      // `Analytics.track(analytics)` is no call yet.
      return found.filter { !resolver.index[$0].isStatic }
    }
  }
}

extension DeclReferenceExprSyntax {
  /// Whether a name is one of the function around it.
  fileprivate func isLocal(_ name: String) -> Bool {
    final class Finder: SyntaxVisitor {
      let name: String
      var isFound = false
      init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
      }
      override func visitPost(_ node: IdentifierPatternSyntax) { add(node.identifier) }
      override func visitPost(_ node: FunctionParameterSyntax) { add(node.secondName ?? node.firstName) }
      override func visitPost(_ node: ClosureShorthandParameterSyntax) { add(node.name) }
      override func visitPost(_ node: ClosureParameterSyntax) { add(node.secondName ?? node.firstName) }
      override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.parent?.is(MemberBlockItemSyntax.self) != true,
          node.parent?.parent?.is(CodeBlockItemListSyntax.self) == true
        {
          add(node.name)
        }
        return .visitChildren
      }
      private func add(_ token: TokenSyntax) { isFound = isFound || token.identifierText == name }
    }
    let root = Syntax(self).root
    guard !root.is(SourceFileSyntax.self) else { return false }
    let finder = Finder(name)
    if let function = root.as(FunctionDeclSyntax.self) {
      finder.walk(function.signature)
      if let body = function.body { finder.walk(body) }
    } else {
      for child in root.children(viewMode: .sourceAccurate) { finder.walk(child) }
    }
    return finder.isFound
  }

  /// What a local is declared as.
  fileprivate func localValue(_ name: String) -> ExprSyntax? {
    final class Finder: SyntaxVisitor {
      let name: String
      var value: ExprSyntax?
      init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
      }
      override func visitPost(_ node: PatternBindingSyntax) {
        if node.pattern.trimmedDescription == name { value = node.initializer?.value }
      }
    }
    let finder = Finder(name)
    finder.walk(Syntax(self).root)
    return finder.value
  }
}
