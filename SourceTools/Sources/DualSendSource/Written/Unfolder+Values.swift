import SwiftSyntax

/// What a body brings back: one expression, and what its names mean.
struct Body {
  let expression: ExprSyntax
  let scope: WrittenScope
  /// The type that it is declared to bring back.
  let declared: TypeSyntax?
}

extension Unfolder {
  /// A value that the call site makes, such as `FeedEvent.shown(section: title)`.
  func made(
    _ expression: ExprSyntax, _ value: SourceValue, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> WrittenScope.Made {
    let expression = expression.unparenthesized
    if let name = expression.as(DeclReferenceExprSyntax.self) {
      if expression.isSelf, case .made(let made)? = scope.own { return made }
      if case .written(let argument, let outer, _, let value)? = scope.bindings[name.baseName.identifierText] {
        return try made(argument, value, outer, steps: steps)
      }
      if let constant = initial(of: name.baseName.identifierText, scope) {
        return try made(constant.initial, value, scope, steps: steps)
      }
    }
    let call = expression.as(FunctionCallExprSyntax.self)
    guard call?.trailingClosure == nil else { throw NotWritten("`\(expression.excerpt)` is given a closure") }
    let made: WrittenScope.Made?
    switch value.shape {
    case .enumCase(let type, let name, let values): made = enumCase(expression, value, type, name, values, scope)
    case .instance(let type, let fields?): made = instance(call, value, type, fields, scope)
    default: made = nil
    }
    guard let made else { throw NotWritten("the event is made elsewhere") }
    if scope.isSite, let call { unfolded.insert(call.id) }
    return made
  }

  private func enumCase(
    _ expression: ExprSyntax, _ value: SourceValue, _ type: TypeID, _ name: String, _ values: [SourceValue.Field],
    _ scope: WrittenScope
  ) -> WrittenScope.Made? {
    let call = expression.as(FunctionCallExprSyntax.self)
    let arguments = call.map { Array($0.arguments) } ?? []
    guard
      let member = (call?.calledExpression ?? expression).as(MemberAccessExprSyntax.self),
      member.declName.baseName.identifierText == name,
      let element = evaluator.index.members(name, of: type, file: scope.context.file).first(where: {
        $0.kind == .enumCase
      }),
      let declared = evaluator.syntax(element.place, as: EnumCaseElementSyntax.self),
      // A default is written elsewhere.
      arguments.map({ $0.label?.identifierText ?? "_" }) == element.labels, arguments.count == values.count
    else { return nil }
    let types = declared.parameterClause.map { $0.parameters.map(\.type) } ?? []
    return WrittenScope.Made(
      type: type, caseName: name,
      fields: zip(zip(arguments, values), types).map { pair, type in
        (pair.1.label, .written(pair.0.expression, scope, declared: type, value: pair.1.value))
      }, value: value)
  }

  /// A structure that has no initializer of its own.
  private func instance(
    _ call: FunctionCallExprSyntax?, _ value: SourceValue, _ type: TypeID, _ fields: [SourceValue.Field],
    _ scope: WrittenScope
  ) -> WrittenScope.Made? {
    let index = evaluator.index
    guard let call, evaluator.typeNamed(call.calledExpression, scope.context, scope.path) == type,
      index.declaration(of: type)?.kind == .structure,
      !index.members("init", of: type, file: scope.context.file).contains(where: { $0.kind == .initializer }),
      call.arguments.count == fields.count
    else { return nil }
    var bindings: [(label: String, binding: WrittenScope.Binding)] = []
    for (argument, field) in zip(call.arguments, fields) {
      guard let label = argument.label?.identifierText, label == field.label,
        let stored = index.members(label, of: type, file: scope.context.file).first, !stored.isWrapped,
        let declared = evaluator.syntax(stored.place, as: PatternBindingSyntax.self)?.typeAnnotation?.type
      else { return nil }
      bindings.append((label, .written(argument.expression, scope, declared: declared, value: field.value)))
    }
    return WrittenScope.Made(type: type, caseName: nil, fields: bindings, value: value)
  }

  /// What a property of a made value brings back.
  func property(_ name: String, of made: WrittenScope.Made, steps: Int) throws(NotWritten) -> Body {
    if let field = made.fields.first(where: { $0.label == name }), made.caseName == nil {
      guard case .written(let argument, let outer, let declared, _) = field.binding else {
        throw NotWritten("`\(name)` is made elsewhere")
      }
      return Body(expression: argument, scope: outer, declared: declared)
    }
    let scope = WrittenScope(
      EvaluationContext(file: site.context.file, typeName: made.type.name, selfValue: made.value), Path(),
      isSite: false, own: .made(made))
    return try property(name, of: made.value, scope)
  }

  /// `a.b`, where `a` is `self`, a type, or something that the call site makes.
  func property(
    _ member: MemberAccessExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> Body {
    let name = member.declName.baseName.identifierText
    guard let base = member.base else { throw NotWritten("`.\(name)` is made elsewhere") }
    if base.isSelf { return try ownProperty(name, scope, steps: steps) }
    if let type = evaluator.typeNamed(base, scope.context, scope.path) {
      let whole = SourceValue(.type(type))
      let context = EvaluationContext(file: scope.context.file, typeName: type.name, selfValue: whole)
      return try property(name, of: whole, WrittenScope(context, Path(), isSite: false, own: nil))
    }
    return try property(name, of: try made(base, value(base, scope), scope, steps: steps), steps: steps)
  }

  /// A property of `self`.
  func ownProperty(_ name: String, _ scope: WrittenScope, steps: Int) throws(NotWritten) -> Body {
    if case .made(let made)? = scope.own { return try property(name, of: made, steps: steps) }
    guard let whole = scope.context.selfValue, case .site? = scope.own else {
      throw NotWritten("its parameters are put together elsewhere")
    }
    let context = EvaluationContext(file: scope.context.file, typeName: whole.typeID?.name, selfValue: whole)
    return try property(name, of: whole, WrittenScope(context, Path(), isSite: false, own: scope.own))
  }

  /// The expression that a declared property works out, or is set to for good.
  private func property(_ name: String, of whole: SourceValue, _ scope: WrittenScope) throws(NotWritten) -> Body {
    let isType = if case .type = whole.shape { true } else { false }
    guard let type = whole.typeID else { throw NotWritten("`\(name)` is made elsewhere") }
    let found = evaluator.index.members(name, of: type, file: scope.context.file)
      .filter { $0.isStatic == isType && ($0.kind == .computed || $0.kind == .constant) }
    guard found.count == 1, let only = found.first, !only.isWrapped,
      !whole.isOfUnknownSubtype || !evaluator.index.isRedeclared(name, below: type),
      let binding = evaluator.syntax(only.place, as: PatternBindingSyntax.self)
    else { throw NotWritten("`\(name)` is made elsewhere") }
    let context = EvaluationContext(file: only.place.file, typeName: type.name, selfValue: whole)
    if let initial = binding.initializer?.value {
      let scope = WrittenScope(context, Path(), isSite: false, own: nil)
      return Body(expression: initial, scope: scope, declared: binding.typeAnnotation?.type)
    }
    guard let body = binding.accessorBlock?.getterBody else { throw NotWritten("`\(name)` is made elsewhere") }
    return try self.body(
      body, WrittenScope(context, Path(), isSite: false, own: scope.own), declared: binding.typeAnnotation?.type,
      what: "`\(name)`")
  }

  /// What a function brings back that is one expression.
  func result(of call: FunctionCallExprSyntax, _ scope: WrittenScope, steps: Int) throws(NotWritten) -> Body {
    let elsewhere = NotWritten("its parameters are put together elsewhere")
    guard let name = call.calledName,
      !call.calledExpression.is(DeclReferenceExprSyntax.self)
        || scope.context.names.functions[name] == nil && scope.context.names.ids[name] == nil
    else { throw elsewhere }
    let index = evaluator.index
    let own = try own(of: call, scope, steps: steps)
    var whole = scope.context.selfValue
    if let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base, !base.isSelf {
      whole = evaluator.typeNamed(base, scope.context, scope.path).map { SourceValue(.type($0)) }
      guard whole != nil else { throw elsewhere }
    }
    let isType = if case .type? = whole?.shape { true } else { false }
    let type = whole?.typeID
    let methods = type.map { index.methods(name, of: $0, file: scope.context.file).filter { $0.isStatic == isType } }
    var fitting = (methods ?? []).filter { call.fits($0) }
    if fitting.isEmpty, call.calledExpression.is(DeclReferenceExprSyntax.self) {
      (fitting, whole) = (index.globalFunctions(name, file: scope.context.file).filter { call.fits($0) }, nil)
    }
    guard fitting.count == 1, let only = fitting.first, !only.isWrapped,
      whole?.isOfUnknownSubtype != true || type.map({ index.isRedeclared(name, below: $0) }) != true,
      let function = evaluator.syntax(only.place, as: FunctionDeclSyntax.self), let body = function.body?.statements,
      function.signature.effectSpecifiers == nil
    else { throw elsewhere }
    let inner = try entered(
      call, only, function.signature, whole?.typeID?.name, own: whole == nil ? nil : own, whole: whole, scope)
    return try self.body(body, inner, declared: function.signature.returnClause?.type, what: "`\(name)`")
  }

  /// The one expression of a body; of a `switch` over what the call site makes, that of its case.
  private func body(
    _ statements: CodeBlockItemListSyntax, _ scope: WrittenScope, declared: TypeSyntax?, what: String
  ) throws(NotWritten) -> Body {
    var scope = scope
    for statement in statements.dropLast() {
      guard let name = statement.constant else { throw NotWritten("\(what) takes more than one step") }
      scope = scope.binding(name.name, to: name.initial, declared: name.declared, self)
    }
    guard let only = statements.last?.broughtBack else { throw NotWritten("\(what) takes more than one step") }
    guard let choice = only.as(SwitchExprSyntax.self) else {
      return Body(expression: only, scope: scope, declared: declared)
    }
    let (statements, inner) = try chosen(choice, scope)
    return try body(statements, inner, declared: declared, what: what)
  }
}

extension CodeBlockItemSyntax {
  /// The expression that a statement brings back, with or without `return`.
  fileprivate var broughtBack: ExprSyntax? {
    if case .stmt(let statement) = item, let back = statement.as(ReturnStmtSyntax.self) { return back.expression }
    return expression
  }
}
