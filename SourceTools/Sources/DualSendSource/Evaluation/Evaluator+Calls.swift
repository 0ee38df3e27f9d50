import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// What a call brings back.
  func result(
    of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    recorder?(call, context, path)
    return resolved(call, context, &path, expected: expected)
  }

  private func resolved(
    _ call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    if let closure = call.calledExpression.as(ClosureExprSyntax.self), call.arguments.isEmpty {
      return returned(by: closure.statements, context, path, expected: expected)
    }
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self) {
      return plainCall(call, name, context, &path, expected: expected)
    }
    if call.arguments.isEmpty, call.trailingClosure == nil {
      // `[String: Any]()`, `[Int]()`
      if call.calledExpression.is(DictionaryExprSyntax.self) { return SourceValue(.object(.init())) }
      if call.calledExpression.is(ArrayExprSyntax.self) { return SourceValue(.list([])) }
    }
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self) else {
      _ = arguments(of: call, context, &path)
      _ = value(call.calledExpression, context, &path)
      return .open("`\(call.excerpt)`")
    }
    let name = member.declName.baseName.identifierText
    guard let base = member.base else {
      guard let expected else {
        _ = arguments(of: call, context, &path)
        return .open("`.\(name)(…)`, of a type that is not known here")
      }
      return made(SourceValue(.type(expected)), name, call, context, &path)
    }
    if let type = typeNamed(base, context, path) {
      return made(SourceValue(.type(type)), name == "init" ? "init" : name, call, context, &path)
    }
    if let result = standardCall(call, name, base, context, &path) { return result }
    let whole = value(base, context, &path)
    forgetReceiver(base, name, whole, context, &path)
    guard whole.alternatives.contains(where: { $0.typeID != nil }) else {
      let arguments = arguments(of: call, context, &path)
      return SourceValue.standardResult(of: name, on: whole, arguments.map(\.value))
    }
    let ways = whole.alternatives.map { alternative in
      var aside = path
      return made(alternative.tainted(by: whole), name, call, context, &aside)
    }
    return .oneOf(ways)
  }

  /// A method may change what it is called on.
  private func forgetReceiver(
    _ base: ExprSyntax, _ name: String, _ whole: SourceValue, _ context: EvaluationContext, _ path: inout Path
  ) {
    guard !KnownMethods.leaveAlone.contains(name), let root = base.rootName, let id = context.names.ids[root],
      !context.names.isConstant(root)
    else { return }
    if let type = whole.typeID {
      path.values[id] = SourceValue(.instance(type: type, fields: nil), dependsOnCaller: whole.dependsOnCaller)
    } else {
      path.values[id] = .open("`\(name)` may change it", dependsOnCaller: whole.dependsOnCaller)
    }
  }

  /// The arguments, worked out; closures among them are run.
  func arguments(
    of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> [SourceValue.Field] {
    let values = call.arguments.map {
      SourceValue.Field(label: $0.label?.identifierText ?? "_", value: value($0.expression, context, &path))
    }
    runTrailingClosures(of: call, context, &path)
    return values
  }

  func runTrailingClosures(of call: FunctionCallExprSyntax, _ context: EvaluationContext, _ path: inout Path) {
    if let closure = call.trailingClosure { run(closure, context, &path) }
    for closure in call.additionalTrailingClosures { run(closure.closure, context, &path) }
  }

  /// A closure that somebody else calls: its calls are met, and what it changes is open afterwards.
  func run(_ closure: ClosureExprSyntax, _ context: EvaluationContext, _ path: inout Path) {
    runBody(of: closure, given: nil, context, path)
    pin(mutated(in: closure), context, &path, "a closure changes it")
  }

  /// Runs a closure's body aside.
  ///
  /// - Parameter given: what its parameters are; open if that is not known.
  /// - Returns: what it brings back.
  @discardableResult
  private func runBody(
    of closure: ClosureExprSyntax, given: [SourceValue]?, _ context: EvaluationContext, _ path: Path
  ) -> SourceValue {
    var inner = context
    var path = path
    if given == nil { forgetWhatChanges(around: Syntax(closure), context, &path) }
    for (position, parameter) in closure.parameterNames.enumerated() {
      let id = newID()
      inner.names.declare(parameter.name, id, isConstant: true)
      let declared = parameter.type.map { value(of: $0, typeName: context.typeName, file: context.file) }
      path.values[id] =
        given.flatMap { position < $0.count ? $0[position] : nil } ?? declared
        ?? .open("`\(parameter.name)`, which a closure is called with")
    }
    return returned(by: closure.statements, inner, path, expected: nil)
  }

  /// What a closure makes of a value that it is called with at once; it may not change anything around it.
  func applied(
    _ closure: ClosureExprSyntax, to values: [SourceValue], _ context: EvaluationContext, _ path: Path
  ) -> SourceValue {
    runBody(of: closure, given: values, context, path)
  }

  /// `name(…)`: a local function, a method of the type around it, a function of the file or of any other, or a type.
  private func plainCall(
    _ call: FunctionCallExprSyntax, _ name: DeclReferenceExprSyntax, _ context: EvaluationContext, _ path: inout Path,
    expected: TypeID?
  ) -> SourceValue {
    let text = name.baseName.identifierText
    if let function = context.names.functions[text] {
      let arguments = arguments(of: call, context, &path)
      forget(function.body.map { mutated(in: $0) } ?? [], context, &path, "`\(text)` changes it")
      return local(function, arguments, context, path)
    }
    if context.names.ids[text] != nil {
      _ = arguments(of: call, context, &path)
      return .open("`\(text)` is a closure")
    }
    if let own = context.selfValue, let type = own.typeID,
      !index.methods(text, of: type, file: context.file).isEmpty
    {
      return made(own, text, call, context, &path)
    }
    let globals = index.globalFunctions(text, file: context.file)
    if !globals.isEmpty { return chosen(globals, nil, nil, call, context, &path) }
    if name.baseName.tokenKind == .keyword(.Self) || index.type(text, in: context.typeName, file: context.file) != nil,
      let type = typeNamed(ExprSyntax(name), context, path)
    {
      return made(SourceValue(.type(type)), "init", call, context, &path)
    }
    let arguments = arguments(of: call, context, &path)
    return SourceValue.converted(by: text, arguments.map(\.value))
      ?? .open("the function `\(text)` is not declared in these sources")
  }

  /// A call of a member: an enum's case, an initializer, a method.
  private func made(
    _ whole: SourceValue, _ name: String, _ call: FunctionCallExprSyntax, _ context: EvaluationContext,
    _ path: inout Path
  ) -> SourceValue {
    guard let type = whole.typeID else {
      return SourceValue.standardResult(of: name, on: whole, arguments(of: call, context, &path).map(\.value))
    }
    let isType = if case .type = whole.shape { true } else { false }
    let members = index.members(name, of: type, file: context.file)
    if isType, let enumCase = members.first(where: { $0.kind == .enumCase }) {
      let values = expectedArguments(of: call, enumCase, type, context, &path)
      guard values.count == enumCase.labels.count else { return .open("`\(call.excerpt)`") }
      return SourceValue(.enumCase(type: type, name: name, values: values))
    }
    if isType, name == "init" { return instance(of: type, members, call, context, &path) }
    let functions = index.methods(name, of: type, file: context.file).filter { $0.isStatic == isType }
    guard !functions.isEmpty else {
      _ = arguments(of: call, context, &path)
      return .open("`\(type.name)` has no `\(name)` in these sources", dependsOnCaller: whole.dependsOnCaller)
    }
    if !isType, whole.isOfUnknownSubtype, index.isRedeclared(name, below: type) {
      _ = arguments(of: call, context, &path)
      return .open("which `\(name)` is meant is up to the type of the value", dependsOnCaller: true)
    }
    return chosen(functions, whole, type.name, call, context, &path)
  }

  /// The arguments of an enum's case, each worked out for the type that the case declares.
  private func expectedArguments(
    of call: FunctionCallExprSyntax, _ enumCase: Declaration, _ type: TypeID, _ context: EvaluationContext,
    _ path: inout Path
  ) -> [SourceValue.Field] {
    let parameters =
      syntax(enumCase.place, as: EnumCaseElementSyntax.self)?.parameterClause.map {
        $0.parameters.map { ($0.type, $0.defaultValue?.value) }
      } ?? []
    var given = Array(call.arguments)
    var fields: [SourceValue.Field] = []
    for (position, parameter) in parameters.enumerated() {
      let declared = value(of: parameter.0, typeName: type.name, file: enumCase.place.file)
      let label = enumCase.labels[position]
      if let first = given.first, (first.label?.identifierText ?? "_") == label {
        given.removeFirst()
        let found = value(first.expression, context, &path, expected: declared.unwrapped.typeID)
        fields.append(.init(label: label, value: found.converted(to: declared)))
      } else if let standard = parameter.1 {
        var aside = Path()
        let outside = EvaluationContext(file: enumCase.place.file, typeName: type.name, selfValue: nil)
        fields.append(.init(label: label, value: value(standard, outside, &aside)))
      }
    }
    return given.isEmpty ? fields : []
  }

  /// A subscript: the value of a known key or position.
  func element(
    _ call: SubscriptCallExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    let whole = value(call.calledExpression, context, &path)
    guard call.arguments.count == 1, let only = call.arguments.first, only.label == nil else {
      for argument in call.arguments { _ = value(argument.expression, context, &path) }
      return .open("`\(call.excerpt)`", dependsOnCaller: whole.dependsOnCaller)
    }
    let key = key(only.expression, context, &path)
    return .oneOf(
      whole.alternatives.flatMap { whole in
        key.alternatives.map { $0.looked(upIn: whole, as: call.excerpt) }
      })
  }
}

extension SourceValue {
  /// The value that this is the key or the position of.
  fileprivate func looked(upIn whole: SourceValue, as excerpt: String) -> SourceValue {
    let isTainted = dependsOnCaller || whole.dependsOnCaller
    switch (whole.shape, shape) {
    case (.object(let object), .literal(.string(let key))):
      if let member = object.members[key] {
        return (member.isOptional ? .oneOf([member.value, .null]) : member.value).tainted(isTainted)
      }
      return object.open.map { .open("`\(excerpt)`: \($0)", dependsOnCaller: isTainted) } ?? .null
    case (.list(let elements), .literal(.int(let position))) where elements.indices.contains(Int(clamping: position)):
      return elements[Int(clamping: position)].tainted(isTainted)
    case (.object(let object), .scalar(.string)), (.object(let object), .text):
      guard object.open == nil else { return .open("`\(excerpt)`", dependsOnCaller: isTainted) }
      return SourceValue.oneOf(object.members.values.map(\.value) + [.null]).tainted(isTainted)
    case (.elements, _), (.list, _):
      return SourceValue.oneOf(whole.elementValues).tainted(isTainted)
    default: return .open("`\(excerpt)`", dependsOnCaller: isTainted)
    }
  }

  /// What a conversion of the standard library makes, such as `String(number)`; `nil` for another function.
  fileprivate static func converted(by name: String, _ arguments: [SourceValue]) -> SourceValue? {
    let isTainted = arguments.contains(where: \.dependsOnCaller)
    guard let kind = Evaluator.scalarTypes[name] else {
      guard ["min", "max", "abs"].contains(name), let kind = arguments.first?.kind,
        arguments.allSatisfy({ $0.kind == kind })
      else { return nil }
      return SourceValue.scalar(kind).tainted(isTainted)
    }
    // `Int("7")` may be `nil`, `Int(7)` is not.
    let canFail = kind != .string && arguments.count == 1 && [.string, nil].contains(arguments[0].kind)
    let known: SourceValue =
      if arguments.count == 1, kind == .string || kind == arguments[0].kind {
        kind == .string ? arguments[0].asString : arguments[0]
      } else {
        .scalar(kind)
      }
    return (canFail && kind != .date ? SourceValue.oneOf([known, .null]) : known).tainted(isTainted)
  }

  private var asString: SourceValue {
    let text = described(as: "")
    return text.alternatives.allSatisfy { $0.isOpenShape == false } ? text : .scalar(.string)
  }

  /// What a method of the standard library brings back.
  static func standardResult(of name: String, on whole: SourceValue, _ arguments: [SourceValue]) -> SourceValue {
    let isTainted = whole.dependsOnCaller || arguments.contains(where: \.dependsOnCaller)
    switch (name, whole.kind) {
    case ("lowercased", .string?), ("uppercased", .string?), ("joined", _), ("trimmingCharacters", .string?),
      ("replacingOccurrences", .string?), ("capitalized", .string?), ("formatted", _), ("padding", .string?):
      if case .literal(.string(let text)) = whole.shape, arguments.isEmpty {
        if name == "lowercased" { return SourceValue.text(text.lowercased()).tainted(isTainted) }
        if name == "uppercased" { return SourceValue.text(text.uppercased()).tainted(isTainted) }
      }
      return SourceValue.scalar(.string).tainted(isTainted)
    case ("hasPrefix", _), ("hasSuffix", _), ("contains", _), ("isMultiple", _), ("allSatisfy", _):
      return SourceValue.scalar(.bool).tainted(isTainted)
    case ("rounded", .double?), ("timeIntervalSince", _): return SourceValue.scalar(.double).tainted(isTainted)
    case ("addingTimeInterval", .date?): return SourceValue.scalar(.date).tainted(isTainted)
    default: return .open("what `\(name)` brings back is not known", dependsOnCaller: isTainted)
    }
  }
}

extension ClosureExprSyntax {
  /// The parameters by name; `$0` and so on where none are named.
  var parameterNames: [(name: String, type: TypeSyntax?)] {
    switch signature?.parameterClause {
    case .simpleInput(let names): return names.map { ($0.name.identifierText, nil) }
    case .parameterClause(let clause):
      return clause.parameters.map { (($0.secondName ?? $0.firstName).identifierText, $0.type) }
    case nil: return (0..<4).map { ("$\($0)", nil) }
    }
  }
}
