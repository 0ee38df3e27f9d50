import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Reads the events of a call of a described function.
struct EventReader {
  let resolver: Resolver
  let call: FunctionCallExprSyntax
  let function: LoggingFunction
  let context: Context

  static let dependent = "the name and the keys may depend on the same condition"

  /// The events of the call on one path.
  func shapes(_ state: PathState) -> [Shape] {
    let declared = declared(state)
    switch function.content {
    case .parts(let name, let parameters):
      guard let given = argument(name, declared, state) else { return [Shape.open("the call has no name")] }
      let values = parameters.map { self.parameters($0, declared, state) } ?? .dictionary(.init())
      return combined(names(remembered(given, name, state), name, declared), values)
    case .event(.receiver, let nameProperty, let parametersProperty):
      let event = call.receiver.map { resolver.value($0, context, state) } ?? state.locals["self"]
      return shapes(event ?? .unknown("its receiver"), nameProperty, parametersProperty)
    case .event(let argument, let nameProperty, let parametersProperty):
      let event = self.argument(argument, declared, state) ?? .unknown("the call has no event")
      return shapes(event, nameProperty, parametersProperty)
    }
  }

  private func shapes(_ event: Value, _ nameProperty: PropertyPath, _ parametersProperty: PropertyPath) -> [Shape] {
    event.alternatives.flatMap(resolver.expanded).filter { $0 != .null }.flatMap { one in
      combined(name(nameProperty, of: one), property(parametersProperty, of: one))
    }
  }

  private func property(_ path: PropertyPath, of event: Value) -> Value {
    path.steps.reduce(event) { value, step in value.map { resolver.member(step, of: $0, context) } }
  }

  /// The names that a property can have. Whether the function logs a raw value is for the description to say.
  private func name(_ path: PropertyPath, of event: Value) -> Value {
    property(path, of: event).map { one in
      switch one {
      case .enumCase, .object, .instance:
        if case .unknown = text(resolver.member("rawValue", of: one, context)) { return text(one) }
        return .unknown("`\(path)` has a raw value: if the function logs that, describe it as `\(path).rawValue`")
      default: return text(one)
      }
    }
  }

  /// The declaration of the function, if it is in these sources.
  private func declared(_ state: PathState) -> Declaration? {
    let index = resolver.index
    let fitting = resolver.fitting(call, function.name).filter { index[$0].labels.contains(function.labels) }
    let exact = fitting.filter { index[$0].labels == function.labels }
    if exact.count > 1 {
      let receiver = call.receiver.map { resolver.value($0, context, state) }
      let near = Set(resolver.candidates(function.name, receiver, context)).intersection(exact)
      let chosen = resolver.narrowed(near.isEmpty ? exact : near.sorted(), by: call, context, state)
      if chosen.count == 1 { return index[chosen[0]] }
    }
    let all = (exact.isEmpty ? fitting : exact).prefix(64).map { index[$0] }
    let own = all.filter { one in
      function.type.map { wanted in
        index.type(one.owner, in: "", file: one.file).map { resolver.isRelated($0, to: wanted) } == true
      } ?? true
    }
    let best = own.isEmpty ? all : own
    return best.first { $0.hasBody && !$0.isStatic } ?? best.first
  }

  // MARK: arguments

  /// The value of an argument; `nil` if the call omits it.
  private func argument(
    _ argument: LoggingFunction.Argument, _ declared: Declaration?, _ state: PathState
  ) -> Value? {
    guard let expression = call.argument(argument, of: function) else { return nil }
    let type = declared.flatMap { one in
      parameter(argument, one).map { resolver.fullType($0.type, in: one.owner, file: one.file) }
    }
    return resolver.value(expression, context, state, expected: type)
  }

  /// An unknown name that is made of the caller's arguments, so that each caller is a place.
  private func remembered(_ value: Value, _ argument: LoggingFunction.Argument, _ state: PathState) -> Value {
    guard case .unknown(let reason) = value, let expression = call.argument(argument, of: function),
      state.dependsOnCaller(expression)
    else { return value }
    return .pattern([nil], reason: reason, isCallers: true)
  }

  private func parameter(_ argument: LoggingFunction.Argument, _ declared: Declaration) -> Declaration.Parameter? {
    guard let label = argument.label(of: function) else { return nil }
    if case .position(let place) = argument, let one = declared.parameters.dropFirst(place).first, one.label == label {
      return one
    }
    return declared.parameters.first { $0.label == label }
  }

  private func parameters(
    _ argument: LoggingFunction.Argument, _ declared: Declaration?, _ state: PathState
  ) -> Value {
    if let given = self.argument(argument, declared, state) {
      guard given.hasCaseKeys, let declared, let parameter = parameter(argument, declared) else { return given }
      return made(of: given, parameter, declared, expected: nil) ?? given
    }
    if call.trailingClosure != nil, declared == nil { return .unknown("the closure behind the call may be they") }
    guard let declared, let parameter = parameter(argument, declared), let range = parameter.value,
      let (unit, node) = resolver.units.expression(range, in: declared.file)
    else { return .dictionary(.init()) }
    return resolver.quietly {
      resolver.value(node, Context(unit: unit, owner: declared.owner), PathState(), expected: parameter.type)
    }
  }

  // MARK: names

  /// The texts that a name can have.
  private func names(_ given: Value, _ argument: LoggingFunction.Argument, _ declared: Declaration?) -> Value {
    .either(
      given.alternatives.flatMap { one -> [Value] in
        switch one {
        case .text, .pattern, .scalar, .unknown, .literal, .parameter: return [text(one)]
        default: break
        }
        // An enum or another type of the app: the function converts it.
        if let declared, let parameter = parameter(argument, declared), let made = made(of: one, parameter, declared) {
          return text(made).alternatives
        }
        return resolver.expanded(one).map { each in
          guard case .enumCase = each, case .text(let raw, _) = resolver.member("rawValue", of: each, context) else {
            return .unknown("which text the function makes of it")
          }
          return .pattern([raw], reason: "the raw value, if the function logs that", isCallers: false)
        }
      })
  }

  /// The value that a function passes on for an argument, if there is exactly one.
  private func made(
    of value: Value, _ parameter: Declaration.Parameter, _ declared: Declaration, expected: String? = "String"
  ) -> Value? {
    guard let (unit, node) = resolver.units.unit(declared), let body = node.as(FunctionDeclSyntax.self)?.body else {
      return nil
    }
    final class Finder: SyntaxVisitor {
      let name: String
      let isText: Bool
      var expressions: [String: ExprSyntax] = [:]
      var isElsewhere = false
      init(_ name: String, isText: Bool) {
        (self.name, self.isText) = (name, isText)
        super.init(viewMode: .sourceAccurate)
      }
      override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.parent?.is(FunctionCallExprSyntax.self) == true,
          !node.expression.is(ClosureExprSyntax.self), node.expression.trimmedDescription.words.contains(name)
        else { return .visitChildren }
        let call = node.parent?.parent?.as(FunctionCallExprSyntax.self)
        let passed = call?.calledName?.text == "Dictionary" ? call.map { ExprSyntax($0) } : nil
        expressions[node.expression.trimmedDescription] = passed ?? node.expression
        return .skipChildren
      }
      override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
        guard !isText, node.value.trimmedDescription.words.contains(name) else { return .visitChildren }
        expressions[node.value.trimmedDescription] = node.value
        return .skipChildren
      }
      override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if node.baseName.identifierText == name { isElsewhere = true }
        return .skipChildren
      }
    }
    let finder = Finder(parameter.name, isText: expected != nil)
    finder.walk(body)
    guard finder.expressions.count == 1, !finder.isElsewhere, let only = finder.expressions.values.first else {
      return nil
    }
    let state = PathState(locals: [parameter.name: value])
    return resolver.quietly {
      resolver.value(only, Context(unit: unit, owner: declared.owner), state, expected: expected)
    }
  }

  /// The names that a value stands for.
  private func text(_ value: Value) -> Value {
    value.map { one in
      switch one {
      case .text, .pattern, .unknown, .parameter, .scalar(.string): one
      case .literal(.null): .unknown("nil")
      default: .unknown("it is no text")
      }
    }
  }

  // MARK: events

  /// Combines each name with each dictionary.
  private func combined(_ names: Value, _ parameters: Value) -> [Shape] {
    let all = dictionaries(parameters)
    let each = names.alternatives
    let isDependent =
      each.count > 1 && (Set(all.map { Set($0.members.keys) }).count > 1 || all.contains(where: \.isChosen))
    return each.flatMap { name in
      all.map { dictionary in
        Shape(
          name: name, parameters: dictionary, function: function, call: context.unit.origin(call),
          reasons: isDependent ? [Self.dependent] : [])
      }
    }
  }

  /// The dictionaries that a value stands for, one per event.
  private func dictionaries(_ value: Value) -> [Value.Dictionary] {
    switch value {
    case .dictionary(let shape) where shape.caseType != nil && !shape.members.isEmpty:
      [.init(open: "which texts the function makes of the keys")]
    case .dictionary(let shape): [shape]
    case .literal(.null): [.init()]
    case .oneOf(let all), .list(let all): all.flatMap(dictionaries)
    case .elements(let one): dictionaries(one)
    default: [.init(open: value.reason("the parameters"))]
    }
  }
}

extension LoggingFunction.Argument {
  /// The label of the argument.
  fileprivate func label(of function: LoggingFunction) -> String? {
    switch self {
    case .label(let label): label
    case .position(let place): function.labels.indices.contains(place) ? function.labels[place] : nil
    case .receiver: nil
    }
  }
}

extension FunctionCallExprSyntax {
  /// The argument that a description refers to, if arguments with defaults may be omitted.
  fileprivate func argument(_ place: LoggingFunction.Argument, of function: LoggingFunction) -> ExprSyntax? {
    guard case .position(let position) = place else {
      return arguments.first { $0.label?.identifierText == place.label(of: function) }?.expression
    }
    var rest = Array(function.labels.enumerated())[...]
    for argument in arguments {
      let label = argument.label?.identifierText ?? "_"
      guard let found = rest.firstIndex(where: { $0.element == label }) else { return nil }
      if rest[found].offset == position { return argument.expression }
      rest = rest[(found + 1)...]
    }
    return nil
  }
}

extension [String] {
  /// Whether the labels are a subsequence of others.
  func contains(_ labels: [String]) -> Bool {
    var rest = self[...]
    for label in labels {
      guard let place = rest.firstIndex(of: label) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }
}
