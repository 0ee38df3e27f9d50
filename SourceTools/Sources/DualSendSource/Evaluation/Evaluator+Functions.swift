import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// A call of one of several functions of one name: the one that the labels fit.
  func chosen(
    _ functions: [Declaration], _ whole: SourceValue?, _ typeName: String?, _ call: FunctionCallExprSyntax,
    _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    let fitting = overloads(functions, typeName, call, context, path)
    guard let function = fitting.first, Set(fitting.map { parameterTypes(of: $0) }).count == 1 else {
      _ = arguments(of: call, context, &path)
      return .open(
        fitting.isEmpty ? "no `\(call.excerpt)` is declared" : "several functions fit `\(call.excerpt)`",
        dependsOnCaller: whole?.dependsOnCaller ?? false)
    }
    guard let bound = bound(call, to: function, typeName, context, &path) else {
      return .open("`\(call.excerpt)` does not fit its declaration")
    }
    let isTainted = whole?.dependsOnCaller == true || bound.contains { $0.value.dependsOnCaller }
    return .oneOf(
      fitting.map { function in
        let result = deeper { unobserved { self.result(of: function, bound, whole, typeName) } }
        let isOpen = if case .oneOf = result.shape { true } else { false }
        return result.tainted(isOpen && isTainted)
      })
  }

  /// Those of some functions of one name that a call can mean, by labels and by what is known of its arguments. One that
  /// stands nearer hides others of the same types; several are left where `#if` has them, or where types are not known.
  func overloads(
    _ functions: [Declaration], _ typeName: String?, _ call: FunctionCallExprSyntax, _ context: EvaluationContext,
    _ path: Path
  ) -> [Declaration] {
    let fitting = functions.filter { call.fits($0) }
    guard fitting.count > 1 else { return fitting }
    return unobserved {
      fitting.filter { function in
        var aside = path
        guard let signature = signature(of: function),
          let given = bound(call, to: function, typeName, context, &aside)
        else { return false }
        return zip(signature.parameterClause.parameters, given).allSatisfy { parameter, argument in
          value(of: parameter.type, typeName: typeName, file: function.place.file).mayHold(argument.value)
        }
      }
    }
  }

  /// The types of a function's parameters, as they are written.
  func parameterTypes(of function: Declaration) -> String {
    signature(of: function)?.parameterClause.parameters.map(\.type.trimmedDescription).joined(separator: ", ") ?? ""
  }

  /// The arguments of a call by the names that the function has for them, defaults among them; `nil` if they do not fit.
  func bound(
    _ call: FunctionCallExprSyntax, to function: Declaration, _ typeName: String?, _ context: EvaluationContext,
    _ path: inout Path
  ) -> [SourceValue.Field]? {
    guard let signature = signature(of: function) else { return nil }
    var given = call.arguments.map { ($0.label?.identifierText ?? "_", $0.expression) }
    var trailing = call.trailingClosure.map { [$0] } ?? []
    trailing += call.additionalTrailingClosures.map(\.closure)
    var fields: [SourceValue.Field] = []
    let file = function.place.file
    for (position, parameter) in signature.parameterClause.parameters.enumerated() {
      let name = (parameter.secondName ?? parameter.firstName).identifierText
      let declared = value(of: parameter.type, typeName: typeName, file: file)
      if parameter.ellipsis != nil {
        var elements: [SourceValue] = []
        while let (label, expression) = given.first, label == (elements.isEmpty ? function.labels[position] : "_") {
          given.removeFirst()
          elements.append(value(expression, context, &path, expected: declared.typeID))
        }
        fields.append(.init(label: name, value: SourceValue(.list(elements))))
      } else if let (label, expression) = given.first, label == function.labels[position] {
        given.removeFirst()
        let found = value(expression, context, &path, expected: declared.unwrapped.expectedType)
        fields.append(.init(label: name, value: found.converted(to: declared)))
      } else if !trailing.isEmpty, parameter.type.isFunction {
        run(trailing.removeFirst(), context, &path)
        fields.append(.init(label: name, value: .open("a closure")))
      } else if let standard = parameter.defaultValue?.value {
        var aside = Path()
        let outside = EvaluationContext(file: file, typeName: typeName, selfValue: nil)
        let found = unobserved { value(standard, outside, &aside, expected: declared.unwrapped.typeID) }
        fields.append(.init(label: name, value: found.converted(to: declared)))
      } else {
        return nil
      }
    }
    for closure in trailing { run(closure, context, &path) }
    return given.isEmpty ? fields : nil
  }

  private func signature(of function: Declaration) -> FunctionSignatureSyntax? {
    function.kind == .initializer
      ? syntax(function.place, as: InitializerDeclSyntax.self)?.signature
      : syntax(function.place, as: FunctionDeclSyntax.self)?.signature
  }

  /// Works a function's body out with what it is called with.
  func result(
    of function: Declaration, _ arguments: [SourceValue.Field], _ whole: SourceValue?, _ typeName: String?
  ) -> SourceValue {
    guard !function.isWrapped, let declaration = syntax(function.place, as: FunctionDeclSyntax.self) else {
      return .open("`\(function.name)` has a wrapper or a macro")
    }
    let file = function.place.file
    let declared = declaration.signature.returnClause.map { value(of: $0.type, typeName: typeName, file: file) }
    guard let body = declaration.body else {
      return .open("`\(function.name)` is only required", dependsOnCaller: whole?.dependsOnCaller ?? false)
    }
    let (context, path) = entered(arguments, declaration.signature, file: file, typeName, whole)
    return returned(by: body.statements, context, path, expected: declared?.unwrapped.typeID).converted(to: declared)
  }

  /// The context at the start of a body: its parameters have values.
  func entered(
    _ arguments: [SourceValue.Field], _ signature: FunctionSignatureSyntax, file: Int, _ typeName: String?,
    _ whole: SourceValue?
  ) -> (EvaluationContext, Path) {
    var context = EvaluationContext(file: file, typeName: typeName, selfValue: whole)
    var path = Path()
    for field in arguments {
      let id = newID()
      context.names.declare(field.label, id, isConstant: true)
      path.values[id] = field.value
    }
    return (context, path)
  }

  /// A local function, called: with the values that are around it at that moment.
  func local(
    _ function: FunctionDeclSyntax, _ arguments: [SourceValue.Field], _ context: EvaluationContext, _ path: Path
  ) -> SourceValue {
    let labels = function.signature.labels
    guard let body = function.body, arguments.map(\.label) == labels else { return .open("a local function") }
    var inner = context
    var path = path
    for (parameter, argument) in zip(function.signature.parameterClause.parameters, arguments) {
      let id = newID()
      inner.names.declare((parameter.secondName ?? parameter.firstName).identifierText, id, isConstant: true)
      path.values[id] = argument.value
    }
    return deeper { unobserved { returned(by: body.statements, inner, path, expected: nil) } }
  }

  /// A value of a type of the sources, made by its initializer.
  func instance(
    of type: TypeID, _ initializers: [Declaration], _ call: FunctionCallExprSyntax, _ context: EvaluationContext,
    _ path: inout Path
  ) -> SourceValue {
    guard index.declaration(of: type)?.kind == .structure || index.declaration(of: type)?.kind == .reference else {
      _ = arguments(of: call, context, &path)
      return SourceValue(.instance(type: type, fields: nil))
    }
    let written = initializers.filter { $0.kind == .initializer }
    if written.isEmpty, index.declaration(of: type)?.kind == .structure {
      return memberwise(type, call, context, &path)
    }
    let fitting = written.filter { call.fits($0) }
    guard fitting.count == 1, let initializer = fitting.first,
      let declaration = syntax(initializer.place, as: InitializerDeclSyntax.self), let body = declaration.body,
      let bound = bound(call, to: initializer, type.name, context, &path)
    else {
      if fitting.count != 1 { _ = arguments(of: call, context, &path) }
      return SourceValue(.instance(type: type, fields: nil))
    }
    let (inner, start) = entered(
      bound, declaration.signature, file: initializer.place.file, type.name, SourceValue(.type(type)))
    return SourceValue(.instance(type: type, fields: assigned(by: body.statements, inner, start)))
  }

  /// The properties that an initializer sets in so many words; no others are known.
  private func assigned(
    by body: CodeBlockItemListSyntax, _ context: EvaluationContext, _ path: Path
  ) -> [SourceValue.Field] {
    var path = path
    var fields: [SourceValue.Field] = []
    for statement in body {
      guard case .expr(let expression) = statement.item, let infix = expression.as(InfixOperatorExprSyntax.self),
        infix.operator.is(AssignmentExprSyntax.self), let name = infix.leftOperand.ownProperty
      else { continue }
      let found = unobserved { value(infix.rightOperand, context, &path) }
      fields.append(.init(label: name, value: found))
    }
    let counts = Dictionary(fields.map { ($0.label, 1) }, uniquingKeysWith: +)
    let elsewhere = Mutations.names(
      in: body.filter { statement in
        guard case .expr(let expression) = statement.item, let infix = expression.as(InfixOperatorExprSyntax.self),
          infix.operator.is(AssignmentExprSyntax.self)
        else { return true }
        return infix.leftOperand.ownProperty == nil
      })
    return fields.map { field in
      counts[field.label] == 1 && !elsewhere.contains(field.label)
        ? field : .init(label: field.label, value: .open("an initializer sets it more than once"))
    }
  }

  private func memberwise(
    _ type: TypeID, _ call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    let stored = index.parts(of: type, file: context.file).filter { $0.kind == .structure }.flatMap(\.members)
      .filter { !$0.isStatic && ($0.kind == .constant || $0.kind == .variable) }
    var fields: [SourceValue.Field] = []
    for argument in call.arguments {
      let label = argument.label?.identifierText ?? "_"
      let declared = stored.first { $0.name == label }.flatMap { declaration in
        syntax(declaration.place, as: PatternBindingSyntax.self)?.typeAnnotation.map {
          value(of: $0.type, typeName: type.name, file: declaration.place.file)
        }
      }
      let found = value(argument.expression, context, &path, expected: declared?.unwrapped.typeID)
      fields.append(.init(label: label, value: found.converted(to: declared)))
    }
    runTrailingClosures(of: call, context, &path)
    return SourceValue(.instance(type: type, fields: fields))
  }
}

extension ExprSyntax {
  /// The property of `self` that is assigned: `self.name`.
  fileprivate var ownProperty: String? {
    guard let member = self.as(MemberAccessExprSyntax.self),
      member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    else { return nil }
    return member.declName.baseName.identifierText
  }
}

extension TypeSyntax {
  fileprivate var isFunction: Bool {
    if self.is(FunctionTypeSyntax.self) { return true }
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.isFunction }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type.isFunction == true
    }
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isFunction }
    return false
  }
}

extension SourceValue {
  /// Whether a parameter of this type may be given a value, as far as both are known.
  fileprivate func mayHold(_ value: SourceValue) -> Bool {
    let present = unwrapped
    let given = value.unwrapped
    if value.isNull { return canBeNull || isOpenShape }
    if let wanted = present.kind, let kind = given.kind {
      if case .literal(.int) = given.shape, wanted == .double { return true }
      return wanted == kind
    }
    switch (present.shape, given.shape) {
    case (.open, _), (_, .open), (.oneOf, _), (_, .oneOf): return true
    case (.object, .object), (.elements, .list), (.elements, .elements), (.tuple, .tuple): return true
    case (.instance, _):
      // A protocol, or a class, holds values of other types, too.
      return given.typeID != nil
    default: return present.kind == nil && given.kind == nil
    }
  }

  /// The type that `.name` is a member of where such a value is asked for; of an array, that of its elements.
  var expectedType: TypeID? {
    switch shape {
    case .elements(let element): element.expectedType
    case .scalar(let kind): TypeID(name: kind.swiftName, file: nil)
    default: typeID
    }
  }
}

extension FunctionCallExprSyntax {
  /// Whether the labels are those of a function, some of whose parameters may be left out.
  func fits(_ function: Declaration) -> Bool {
    var given = arguments.map { $0.label?.identifierText ?? "_" }[...]
    var closures = (trailingClosure == nil ? 0 : 1) + additionalTrailingClosures.count
    var previous: String?
    for (position, label) in function.labels.enumerated() {
      if given.first == label {
        given.removeFirst()
      } else if function.defaults.contains(position) {
        // What is left of a variadic parameter has no labels.
      } else if closures > 0 {
        closures -= 1
      } else {
        return false
      }
      if function.defaults.contains(position) {
        while given.first == "_", previous != "_", !function.labels[(position + 1)...].contains("_") {
          given.removeFirst()
        }
      }
      previous = label
    }
    return given.isEmpty
  }
}
