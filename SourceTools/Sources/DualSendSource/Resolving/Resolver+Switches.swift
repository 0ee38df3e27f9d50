import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Where in a `switch` over an enum each case is taken, as far as plain patterns say.
struct SwitchTable {
  var places: [String: Int] = [:]
  /// The first case with any other pattern.
  var firstOther = 0
}

extension Resolver {
  func choice(
    _ choice: SwitchExprSyntax, _ context: Context, _ worlds: [World], _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    var outcome = Outcome()
    let worlds = told(Syntax(choice.subject), context, worlds)
    let cases = choice.cases.compactMap { one -> SwitchCaseSyntax? in
      if case .switchCase(let one) = one { one } else { nil }
    }
    guard cases.count == choice.cases.count else {
      return Outcome(next: worlds.each { $0.lose(self.mutated(Syntax(choice))) })
    }
    let name = choice.subject.localName
    let table = self.table(choice, cases, context)
    let scope = "\(choice.position.utf8Offset)?"
    // Ways that lead to the same case with the same knowledge are followed together.
    var reached: [Int: [World]] = [:]
    for world in worlds {
      let subject = value(choice.subject, context, world)
      var alternatives = subject.alternatives.flatMap(expanded)
      // A caller's choice: each case is one.
      if case .parameter(_, let type) = subject,
        let declared = index.type(type.withoutOptional.trimmingTypeWords, in: context.owner, file: context.unit.file)
      {
        alternatives = expanded(.instance(declared)) + (type.isOptionalType ? [.null] : [])
      }
      let isSplit = alternatives.count > 1
      for one in alternatives {
        var world = world
        if isSplit {
          world.ask(choice.subject.trimmedDescription)
          if let name, name != "self" || !subject.isCallers, world.locals[name] != nil { world.locals[name] = one }
        }
        lead(world, one, cases, table, context, scope, choice.subject) { reached[$0, default: []].append($1) }
      }
    }
    var fallen: [World] = []
    for (number, one) in cases.enumerated() {
      let arriving = (reached[number] ?? []) + fallen
      fallen = []
      guard !arriving.isEmpty else { continue }
      let names = Set(one.items.flatMap(\.pattern.names))
      let step = block(one.statements, context, arriving.bounded, returns, givesValue: givesValue)
      outcome.next += (step.next + step.broken).each { $0.close(scope, names) }
      fallen = step.fallen
    }
    outcome.next += reached[-1] ?? []
    return outcome
  }

  /// Finds the cases that a value may lead to.
  private func lead(
    _ world: World, _ subject: Value, _ cases: [SwitchCaseSyntax], _ table: SwitchTable, _ context: Context,
    _ scope: String, _ expression: ExprSyntax, _ reach: (Int, World) -> Void
  ) {
    if case .enumCase(_, let name, let fields) = subject, let place = table.places[name], place < table.firstOther {
      if fields.isEmpty { return reach(place, world.entering(scope, cases[place], [:])) }
      for item in cases[place].items {
        if case .yes(let bound) = match(item.pattern, subject, context, world) {
          return reach(place, world.entering(scope, cases[place], bound))
        }
      }
    }
    var world = world
    var isAsked = false
    for (number, one) in cases.enumerated() {
      guard let label = one.label.as(SwitchCaseLabelSyntax.self) else {
        // `default` stands last.
        return reach(number, world.entering(scope, one, [:]))
      }
      for item in label.caseItems {
        let found = match(item.pattern, subject, context, world)
        switch found {
        case .no: continue
        case .yes(let bound) where item.whereClause == nil: return reach(number, world.entering(scope, one, bound))
        case .yes(let bound), .maybe(let bound):
          if !isAsked { world.ask(expression.trimmedDescription) }
          isAsked = true
          if let clause = item.whereClause { world.ask(clause.condition.trimmedDescription) }
          reach(number, world.entering(scope, one, bound))
        }
      }
    }
    reach(-1, world)
  }

  private func table(_ choice: SwitchExprSyntax, _ cases: [SwitchCaseSyntax], _ context: Context) -> SwitchTable {
    let origin = context.unit.origin(choice)
    let key = "\(origin.file):\(origin.range.lowerBound)"
    if let known = switches[key] { return known }
    var table = SwitchTable(firstOther: cases.count)
    for (number, one) in cases.enumerated() {
      let items = one.items
      for item in items {
        guard item.whereClause == nil, let name = item.pattern.plainCase else {
          table.firstOther = min(table.firstOther, number)
          continue
        }
        if table.places[name] == nil { table.places[name] = number }
      }
      if items.isEmpty { table.firstOther = min(table.firstOther, number) }
    }
    switches[key] = table
    return table
  }
}

extension World {
  /// Into a case, whose names may be those of others outside.
  func entering(_ scope: String, _ one: SwitchCaseSyntax, _ bound: [String: Value]) -> World {
    var world = self
    world.open(scope, Set(one.items.flatMap(\.pattern.names)))
    return world.binding(bound)
  }

  func binding(_ bound: [String: Value]) -> World {
    var world = self
    for (name, value) in bound {
      world.loose.remove(name)
      world.set(name, value)
    }
    return world
  }
}

extension SwitchCaseSyntax {
  var items: [SwitchCaseItemSyntax] {
    label.as(SwitchCaseLabelSyntax.self).map { Array($0.caseItems) } ?? []
  }
}
