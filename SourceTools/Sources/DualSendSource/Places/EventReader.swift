import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Reads what a call of a described function logs.
struct EventReader {
  let resolver: Resolver

  /// The events of a call on one way to it.
  func shapes(
    _ call: FunctionCallExprSyntax, _ function: LoggingFunction, _ context: Context, _ world: World
  ) -> [Shape] {
    let declared = self.declared(call, function, context, world)
    switch function.content {
    case .parts(let name, let parameters):
      guard let expression = call.argument(name, of: function) else {
        return [Shape(name: .unknown("the call has no name"), parameters: .init(open: "the call has no name"))]
      }
      let given = resolver.value(expression, context, world, expected: type(of: name, function, declared))
      let names = self.names(given, name, function, declared, context)
      let values =
        parameters.map { self.parameters($0, call, function, declared, context, world) } ?? .dictionary(.init())
      return combined(names, values)
    case .event(let argument, let nameProperty, let parametersProperty):
      let event: Value
      if case .receiver = argument {
        event =
          call.receiver.map { resolver.value($0, context, world) } ?? world.locals["self"] ?? .unknown("its receiver")
      } else if let expression = call.argument(argument, of: function) {
        event = resolver.value(expression, context, world, expected: type(of: argument, function, declared))
      } else {
        event = .unknown("the call has no event")
      }
      return event.alternatives.flatMap(resolver.expanded).filter { $0 != .null }.flatMap { one in
        let name = resolver.member(nameProperty, of: one, context)
        let parameters = resolver.member(parametersProperty, of: one, context)
        return combined(name.map { text($0) }, parameters)
      }
    }
  }

  /// The function's own declaration, if these sources have it.
  private func declared(
    _ call: FunctionCallExprSyntax, _ function: LoggingFunction, _ context: Context, _ world: World
  ) -> Declaration? {
    let all = resolver.index.functions(function.name).map { resolver.index[$0] }
    let fitting = all.filter { one in
      one.labels.contains(function.labels) && call.fits(one) && one.owner != ""
        || one.owner.isEmpty && one.labels == function.labels && call.fits(one)
          && (function.type.map { wanted in
            one.owner == wanted || one.owner.hasSuffix("." + wanted)
              || resolver.index.type(one.owner, in: "", file: one.file).map { resolver.isRelated($0, to: wanted) }
                == true
          } ?? true)
    }
    let near = resolver.candidates(
      function.name, call.receiver.map { resolver.value($0, context, world) }, context, world
    ).map { resolver.index[$0] }.filter { call.fits($0) && $0.labels == function.labels }
    if near.count == 1 { return near[0] }
    let same = fitting.filter { $0.labels == function.labels }
    let best = same.isEmpty ? fitting : same
    return best.first { $0.hasBody && !$0.isStatic } ?? best.first
  }

  private func type(
    of argument: LoggingFunction.Argument, _ function: LoggingFunction, _ declared: Declaration?
  ) -> String? {
    guard let declared, let parameter = parameter(argument, function, declared) else { return nil }
    return resolver.index.type(
      parameter.type.withoutOptional.trimmingTypeWords, in: declared.owner, file: declared.file)?.path ?? parameter.type
  }

  private func parameter(
    _ argument: LoggingFunction.Argument, _ function: LoggingFunction, _ declared: Declaration
  ) -> Declaration.Parameter? {
    guard let label = argument.label(of: function) else { return nil }
    if case .position(let place) = argument, declared.parameters.indices.contains(place),
      declared.parameters[place].label == label
    {
      return declared.parameters[place]
    }
    return declared.parameters.first { $0.label == label }
  }

  // MARK: names

  /// The texts that a name comes to.
  private func names(
    _ given: Value, _ argument: LoggingFunction.Argument, _ function: LoggingFunction, _ declared: Declaration?,
    _ context: Context
  ) -> Value {
    .either(
      given.alternatives.flatMap { one -> [Value] in
        switch one {
        case .text, .pattern, .scalar, .unknown, .literal, .parameter: return [text(one)]
        default: break
        }
        // An enum, or another type of the app's own: what the function makes of it.
        if let declared, let parameter = parameter(argument, function, declared),
          let made = madeName(of: one, parameter, declared)
        {
          return made.alternatives.map(text)
        }
        return resolver.expanded(one).map { each in
          guard case .enumCase = each, case .text(let raw, _) = resolver.member("rawValue", of: each, context) else {
            return .unknown("which text the function makes of it")
          }
          return .pattern([raw], reason: "the raw value, if the function logs that", isCallers: false)
        }
      })
  }

  /// What a function hands on as the name for an argument, if that is one expression.
  private func madeName(of value: Value, _ parameter: Declaration.Parameter, _ declared: Declaration) -> Value? {
    guard let (unit, node) = resolver.units.unit(declared), let body = node.as(FunctionDeclSyntax.self)?.body else {
      return nil
    }
    final class Finder: SyntaxVisitor {
      let name: String
      var expressions: [String: ExprSyntax] = [:]
      var isElsewhere = false
      init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
      }
      override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.parent?.is(FunctionCallExprSyntax.self) == true,
          !node.expression.is(ClosureExprSyntax.self), node.expression.trimmedDescription.words.contains(name)
        else { return .visitChildren }
        expressions[node.expression.trimmedDescription] = node.expression
        return .skipChildren
      }
      override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if node.baseName.identifierText == name { isElsewhere = true }
        return .skipChildren
      }
    }
    let finder = Finder(parameter.name)
    finder.walk(body)
    guard finder.expressions.count == 1, !finder.isElsewhere, let only = finder.expressions.values.first else {
      return nil
    }
    var world = World()
    world.locals[parameter.name] = value
    let context = Context(unit: unit, owner: declared.owner)
    return resolver.quietly { resolver.value(only, context, world, expected: "String") }
  }

  /// A value as a name.
  private func text(_ value: Value) -> Value {
    value.map { one in
      switch one {
      case .text, .pattern, .unknown, .parameter, .scalar(.string): one
      case .literal(.null): .unknown("nil")
      default: .unknown("it is no text")
      }
    }
  }

  // MARK: parameters

  private func parameters(
    _ argument: LoggingFunction.Argument, _ call: FunctionCallExprSyntax, _ function: LoggingFunction,
    _ declared: Declaration?, _ context: Context, _ world: World
  ) -> Value {
    if let expression = call.argument(argument, of: function) {
      return resolver.value(expression, context, world, expected: type(of: argument, function, declared))
    }
    if call.trailingClosure != nil, declared == nil { return .unknown("the closure behind the call may be they") }
    guard let declared, let parameter = parameter(argument, function, declared), let range = parameter.value,
      let (unit, node) = resolver.units.expression(range, in: declared.file)
    else { return .dictionary(.init()) }
    return resolver.quietly {
      resolver.value(node, Context(unit: unit, owner: declared.owner), World(), expected: parameter.type)
    }
  }

  /// Each name with each dictionary.
  private func combined(_ names: Value, _ parameters: Value) -> [Shape] {
    let all = dictionaries(parameters)
    let each = names.alternatives
    let isEither =
      each.count > 1 && (Set(all.map { Set($0.members.keys) }).count > 1 || all.contains(where: \.isChosen))
    return each.flatMap { name in
      all.map { dictionary in
        Shape(
          name: name, parameters: dictionary, reasons: isEither ? [Self.dependent] : [],
          isCallers: name.isCallers)
      }
    }
  }

  static let dependent = "the name and the keys may depend on the same condition"

  /// The dictionaries that a value stands for: one an event.
  private func dictionaries(_ value: Value) -> [Value.Dictionary] {
    switch value {
    case .dictionary(let shape): return [shape]
    case .literal(.null): return [.init()]
    case .oneOf(let all): return all.flatMap(dictionaries)
    case .list(let all): return all.flatMap(dictionaries)
    case .elements(let one): return dictionaries(one)
    default: return [.init(open: value.reason("the parameters"), isCallers: value.isCallers)]
    }
  }
}

extension LoggingFunction.Argument {
  /// The label of what it means.
  func label(of function: LoggingFunction) -> String? {
    switch self {
    case .label(let label): label
    case .position(let place): function.labels.indices.contains(place) ? function.labels[place] : nil
    case .receiver: nil
    }
  }
}

extension FunctionCallExprSyntax {
  /// The argument that a description means, where defaults may be left out.
  func argument(_ place: LoggingFunction.Argument, of function: LoggingFunction) -> ExprSyntax? {
    guard case .position(let position) = place else { return argument(place) }
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
  /// Whether all of some labels stand in these, in their order.
  func contains(_ labels: [String]) -> Bool {
    var rest = self[...]
    for label in labels {
      guard let place = rest.firstIndex(of: label) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }
}
