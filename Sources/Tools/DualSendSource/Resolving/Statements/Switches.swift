import SwiftSyntax

/// The cases of a `switch`, and the branch of each enum case with a plain pattern.
struct SwitchTable {
  let cases: [SwitchCaseSyntax]
  private(set) var places: [String: (number: Int, pattern: PatternSyntax)] = [:]
  /// The first case with any other pattern.
  private var firstOther: Int

  /// `nil` if the `switch` contains `#if`.
  init?(_ choice: SwitchExprSyntax) {
    cases = choice.cases.compactMap { if case .switchCase(let one) = $0 { one } else { nil } }
    firstOther = cases.count
    guard cases.count == choice.cases.count else { return nil }
    for (number, one) in cases.enumerated() {
      guard let items = one.items else {
        firstOther = min(firstOther, number)
        continue
      }
      for item in items {
        guard item.whereClause == nil, let name = item.pattern.plainCase else {
          firstOther = min(firstOther, number)
          continue
        }
        if places[name] == nil { places[name] = (number, item.pattern) }
      }
    }
  }

  /// The branch that an enum value certainly takes.
  func place(_ name: String) -> (number: Int, pattern: PatternSyntax)? {
    places[name].flatMap { $0.number < firstOther ? $0 : nil }
  }
}

extension Resolver {
  func choice(
    _ choice: SwitchExprSyntax, _ context: Context, _ states: [PathState], _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    let states = observed(Syntax(choice.subject), context, states)
    let notes = context.unit.notes
    guard let table = notes.switches[choice.id] ?? SwitchTable(choice) else {
      returns.values.append(.unknown("a `switch` with `#if` is not followed"))
      return Outcome(next: states.each { lose(notes.changed(in: Syntax(choice)), in: &$0) })
    }
    notes.switches[choice.id] = table
    let scope = "\(choice.position.utf8Offset)?"
    var outcome = Outcome()
    // Paths that lead to the same case are followed together.
    var reached: [Int: [PathState]] = [:]
    for state in states {
      for (state, subject) in subjects(of: choice, context, state) {
        lead(state, subject, table, context, choice.subject) { number, state, bound in
          guard let number else { return outcome.next.append(state) }
          let names = table.cases[number].boundNames
          var state = state
          state.open(scope, names)
          var inside = state.binding(bound)
          inside.variables.formUnion(Syntax(table.cases[number].label).variableNames)
          reached[number, default: []].append(inside)
        }
      }
    }
    while let number = reached.keys.min(), let arriving = reached.removeValue(forKey: number) {
      let one = table.cases[number]
      let step = block(one.statements, context, arriving.bounded, returns, givesValue: givesValue)
      outcome.next += (step.next + step.broken).each { $0.close(scope, one.boundNames) }
      if !step.fallen.isEmpty { reached[number + 1, default: []] += step.fallen }
    }
    return outcome
  }

  /// The possible subjects of a `switch`, each with its path.
  private func subjects(of choice: SwitchExprSyntax, _ context: Context, _ state: PathState) -> [(PathState, Value)] {
    let subject = value(choice.subject, context, state)
    var all = subject.alternatives.flatMap(expanded)
    // The caller decides: each case is an alternative.
    if case .parameter(_, let type) = subject,
      let declared = index.type(type.withoutOptional.trimmingTypeWords, in: context.owner, file: context.unit.file)
    {
      all = expanded(.instance(declared)) + (type.isOptionalType ? [.null] : [])
    }
    guard all.count > 1 else { return all.map { (state, $0) } }
    var asked = state
    asked.ask(choice.subject.trimmedDescription)
    let name = choice.subject.localName.flatMap { name in
      state.locals[name] == nil || (name == "self" && subject.isCallers) ? nil : name
    }
    return all.map { one in
      var state = asked
      if let name { state.locals[name] = one }
      return (state, one)
    }
  }

  /// Finds the branches that a value may take; `nil` means no branch.
  private func lead(
    _ state: PathState, _ subject: Value, _ table: SwitchTable, _ context: Context, _ expression: ExprSyntax,
    _ reach: (Int?, PathState, [String: Value]) -> Void
  ) {
    if case .enumCase(_, let name, let fields) = subject, let place = table.place(name) {
      if fields.isEmpty { return reach(place.number, state, [:]) }
      let fit = fit(place.pattern, subject, context, state)
      if fit.isFitting == true { return reach(place.number, state, fit.bound) }
    }
    var state = state
    var isAsked = false
    for (number, one) in table.cases.enumerated() {
      // `default` is always last.
      guard let items = one.items else { return reach(number, state, [:]) }
      guard effort.take() else { return reach(nil, state, [:]) }
      for item in items {
        let fit = fit(item.pattern, subject, context, state)
        if fit.isFitting == false { continue }
        if fit.isFitting == true, item.whereClause == nil { return reach(number, state, fit.bound) }
        if !isAsked { state.ask(expression.trimmedDescription) }
        isAsked = true
        if let clause = item.whereClause {
          state = observed(Syntax(clause.condition), context, [state]).first ?? state
          state.ask(clause.condition.trimmedDescription)
        }
        reach(number, state, fit.bound)
      }
    }
    reach(nil, state, [:])
  }
}

extension SwitchCaseSyntax {
  /// `nil` of `default`.
  var items: SwitchCaseItemListSyntax? { label.as(SwitchCaseLabelSyntax.self)?.caseItems }

  var boundNames: Set<String> { items.map { $0.reduce(into: []) { $0.formUnion($1.pattern.patternNames) } } ?? [] }
}
