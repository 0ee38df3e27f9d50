import DualSendCore
package import SwiftSyntax

/// Reads the events of a call of a described function.
struct EventReader {
  let resolver: Resolver
  let call: FunctionCallExprSyntax
  let function: LoggingFunction
  let state: PathState

  static let dependent = "the name and the keys may depend on the same condition"

  private var index: DeclarationIndex { resolver.index }

  /// The events of the call.
  var shapes: [Shape] {
    let declared = declared
    switch function.content {
    case .parts(let name, let parameters, let form):
      guard let given = argument(name, declared) else { return [Shape.open("the call has no name")] }
      let values = parameters.map { self.parameters($0, declared) } ?? .dictionary(.init())
      let texts = form.property.map { self.name($0, of: given) } ?? names(remembered(given, name), name, declared)
      guard let fixed = form.fixed else { return combined(texts, values) }
      let text = texts.map { $0.isText ? $0 : .scalar(.string) }
      return dictionaries(values).map { parameters in
        var parameters = parameters
        parameters.set(.text(fixed.key), .init(value: text, isOptional: false), text: fixed.key)
        return Shape(name: .text(fixed.name), parameters: parameters)
      }
    case .event(let argument, let nameProperty, let parametersProperty):
      let event =
        argument == .receiver
        ? call.receiver.map { resolver.values.value($0, state) } ?? state.locals["self"] ?? .unknown("its receiver")
        : self.argument(argument, declared) ?? .unknown("the call has no event")
      return event.alternatives.flatMap(resolver.types.expanded).filter { $0 != .null }.flatMap { one in
        combined(name(nameProperty, of: one), property(parametersProperty, of: one))
      }
    }
  }

  private func property(_ path: PropertyPath, of event: Value) -> Value {
    path.steps.reduce(event) { value, step in value.map { resolver.values.member(step, of: $0, state) } }
  }

  /// The names that a property can have. Whether the function logs a raw value is for the description to say.
  private func name(_ path: PropertyPath, of event: Value) -> Value {
    property(path, of: event).map { one in
      switch one {
      case .enumCase, .object, .instance:
        if case .unknown = text(resolver.values.member("rawValue", of: one, state)) { return text(one) }
        return .unknown("`\(path)` has a raw value: if the function logs that, describe it as `\(path).rawValue`")
      default: return text(one)
      }
    }
  }

  /// The declaration of the function, if it is in these sources.
  private var declared: Declaration? {
    let fitting = resolver.types.fitting(call, function.name).filter { index[$0].labels.contains(function.labels) }
    let exact = fitting.filter { index[$0].labels == function.labels }
    if exact.count > 1 {
      let receiver = call.receiver.map { resolver.values.value($0, state) }
      let near = Set(resolver.types.candidates(function.name, receiver, state)).intersection(exact)
      if near.count == 1, let only = near.first { return index[only] }
    }
    let all = (exact.isEmpty ? fitting : exact).prefix(64).map { index[$0] }
    let own = all.filter { one in
      function.type.map { wanted in
        index.type(one.owner, in: "", file: one.file).map { resolver.types.isRelated($0, to: wanted) } == true
      } ?? true
    }
    let best = own.isEmpty ? all : own
    return best.first { $0.hasBody && !$0.isStatic } ?? best.first
  }

  // MARK: arguments

  /// The value of an argument; `nil` if the call omits it.
  private func argument(_ argument: LoggingFunction.Argument, _ declared: Declaration?) -> Value? {
    guard let expression = call.argument(argument, of: function)?.expression else { return nil }
    let known = argument == function.content.arguments.first ? function.argumentType : nil
    let type = declared.flatMap { one in parameter(argument, one).map { resolver.types.full($0.type, one) } } ?? known
    return resolver.values.value(expression, state, as: type)
  }

  /// An unknown name that is made of the caller's arguments, so that each caller is a place.
  private func remembered(_ value: Value, _ argument: LoggingFunction.Argument) -> Value {
    guard case .unknown(let reason) = value, let given = call.argument(argument, of: function),
      state.dependsOnCaller(given.expression)
    else { return value }
    return .pattern([nil], reason: reason, isCallers: true)
  }

  private func parameter(_ argument: LoggingFunction.Argument, _ declared: Declaration) -> Declaration.Parameter? {
    guard let place = function.place(of: argument), let places = declared.labels.places(of: function.labels) else {
      return nil
    }
    return declared.parameters[places[place]]
  }

  private func parameters(_ argument: LoggingFunction.Argument, _ declared: Declaration?) -> Value {
    if let given = self.argument(argument, declared) { return given }
    if call.trailingClosure != nil, declared == nil { return .unknown("the closure behind the call may be they") }
    guard let declared, let parameter = parameter(argument, declared), parameter.value != nil else {
      return .dictionary(.init())
    }
    return resolver.values.initial(parameter.value, declared, as: parameter.type)
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
        return [.unknown("which text the function makes of it: describe its `nameProperty`")]
      })
  }

  /// The value that a function passes on for an argument, if there is exactly one.
  private func made(of value: Value, _ parameter: Declaration.Parameter, _ declared: Declaration) -> Value? {
    guard let (unit, node) = resolver.units.unit(declared), let body = node.as(FunctionDeclSyntax.self)?.body else {
      return nil
    }
    let passed = body.references(to: parameter.name).map(\.passed)
    guard let only = passed.first ?? nil, Set(passed.map { $0?.trimmedDescription }).count == 1 else { return nil }
    var inside = PathState(unit, owner: declared.owner)
    inside.locals[parameter.name] = value
    return resolver.statements.quietly { resolver.values.value(only, inside, as: "String") }
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
        Shape(name: name, parameters: dictionary, reasons: isDependent ? [Self.dependent] : [])
      }
    }
  }

  /// The dictionaries that a value stands for, one per event.
  private func dictionaries(_ value: Value) -> [Value.Dictionary] {
    switch value {
    case .dictionary(let shape) where shape.isKeyedByCases && !function.hasRawValueKeys:
      [shape.opened("its keys are an enum: if the function logs raw values, describe it with `keyProperty`")]
    case .dictionary(let shape): [shape]
    case .literal(.null): [.init()]
    case .oneOf(let all), .list(let all): all.flatMap(dictionaries)
    case .elements(let one): dictionaries(one)
    default: [.init(open: value.reason("the parameters"))]
    }
  }
}

extension DeclReferenceExprSyntax {
  /// The outermost argument that has this name in it; `nil` if none has.
  fileprivate var passed: ExprSyntax? {
    ancestors.compactMap { node -> ExprSyntax? in
      guard let argument = node.as(LabeledExprSyntax.self), !argument.expression.is(ClosureExprSyntax.self) else {
        return nil
      }
      return argument.parent?.parent?.is(FunctionCallExprSyntax.self) == true ? argument.expression : nil
    }.last
  }
}

extension FunctionCallExprSyntax {
  /// The argument that a description refers to, if arguments with defaults may be omitted.
  package func argument(_ argument: LoggingFunction.Argument, of function: LoggingFunction) -> LabeledExprSyntax? {
    let places = function.labels.places(of: labels)
    return function.place(of: argument).flatMap { places?.firstIndex(of: $0) }.map { Array(arguments)[$0] }
  }
}

extension [String] {
  /// Whether the labels are a subsequence of others.
  func contains(_ labels: [String]) -> Bool { places(of: labels) != nil }

  /// The places of some labels among these, in the same order; `nil` if they are no subsequence.
  fileprivate func places(of labels: [String]) -> [Int]? {
    var places: [Int] = []
    for label in labels {
      guard let place = self[((places.last ?? -1) + 1)...].firstIndex(of: label) else { return nil }
      places.append(place)
    }
    return places
  }
}
