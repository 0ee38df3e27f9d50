import SwiftSyntax

extension Evaluator {
  /// Works out a body as nobody in particular calls it: its parameters are up to the caller.
  ///
  /// - Parameter isOwnLogger: whether what logs belongs to `self`: then `self` is a part of the app that logs, and no event.
  func run(unit: Syntax, file: Int, typeName: String?, isOwnLogger: Bool) {
    let isStatic = unit.declarationModifiers?.areStatic == true
    let own = typeName.flatMap { index.type($0, in: nil, file: file) }
    let selfValue = own.map { type in
      isStatic
        ? SourceValue(.type(type)) : SourceValue(.instance(type: type, fields: nil), dependsOnCaller: !isOwnLogger)
    }
    var context = EvaluationContext(file: file, typeName: typeName, selfValue: selfValue)
    switch unit.as(SyntaxEnum.self) {
    case .functionDecl(let function):
      guard let body = function.body else { return }
      run(body.statements, with: function.signature, &context)
    case .initializerDecl(let initializer):
      guard let body = initializer.body else { return }
      run(body.statements, with: initializer.signature, &context)
    case .deinitializerDecl(let end):
      if let body = end.body { _ = run(body.statements, &context, [Path()]) }
    case .subscriptDecl(let place):
      if let accessors = place.accessorBlock { run(accessors, of: nil, context) }
    case .patternBinding(let binding):
      let declared = binding.typeAnnotation.map { value(of: $0.type, typeName: typeName, file: file) }
      if let initial = binding.initializer?.value {
        var path = Path()
        _ = value(initial, context, &path, expected: declared?.typeID)
      }
      if let accessors = binding.accessorBlock { run(accessors, of: declared, context) }
    case .sourceFile(let source): _ = run(source.statements, &context, [Path()])
    default: return
    }
  }

  private func run(
    _ statements: CodeBlockItemListSyntax, with signature: FunctionSignatureSyntax, _ context: inout EvaluationContext
  ) {
    var path = Path()
    for parameter in signature.parameterClause.parameters {
      let id = newID()
      let name = (parameter.secondName ?? parameter.firstName).identifierText
      let declared = value(of: parameter.type, typeName: context.typeName, file: context.file)
      context.names.declare(name, id, isConstant: true)
      path.values[id] =
        (parameter.ellipsis == nil ? declared : SourceValue(.elements(declared))).asParameter(name, of: parameter.type)
    }
    _ = run(statements, &context, [path])
  }

  /// Runs the accessors of a property, with what they call the old and the new value.
  private func run(_ accessors: AccessorBlockSyntax, of declared: SourceValue?, _ context: EvaluationContext) {
    var context = context
    switch accessors.accessors {
    case .getter(let body): _ = run(body, &context, [Path()])
    case .accessors(let list):
      for accessor in list {
        guard let body = accessor.body else { continue }
        var inner = context
        var path = Path()
        for name in Set(["newValue", "oldValue"] + [accessor.parameters?.name.identifierText].compactMap { $0 }) {
          let id = newID()
          inner.names.declare(name, id, isConstant: true)
          path.values[id] = declared ?? .open("`\(name)`")
        }
        _ = run(body.statements, &inner, [path])
      }
    }
  }

  /// Runs a function's body with what it is called with; whatever it calls is told to the recorder.
  func runBody(
    of function: Declaration, _ arguments: [SourceValue.Field], _ whole: SourceValue?, _ typeName: String?
  ) {
    guard !function.isWrapped, let declaration = syntax(function.place, as: FunctionDeclSyntax.self),
      let body = declaration.body
    else { return }
    let (entry, path) = entered(arguments, declaration.signature, file: function.place.file, typeName, whole)
    var context = entry
    _ = run(body.statements, &context, [path])
  }
}

extension SyntaxProtocol {
  /// The modifiers of the declaration that a node is or belongs to.
  fileprivate var declarationModifiers: DeclModifierListSyntax? {
    var node: Syntax? = Syntax(self)
    while let here = node, !here.is(MemberBlockSyntax.self) {
      if let modified = here.asProtocol((any WithModifiersSyntax).self) { return modified.modifiers }
      node = here.parent
    }
    return nil
  }

  /// The types around a node, dotted as the index names them; `nil` outside of any.
  var enclosingTypeName: String? {
    let name = surroundings.type
    return name.isEmpty ? nil : name
  }
}
