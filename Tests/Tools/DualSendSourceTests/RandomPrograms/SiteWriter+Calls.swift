/// The ways in which a program calls its logger.
extension SiteWriter {
  /// Ends the function with the one call that logs.
  func call() {
    let forms: [() -> Bool] = [
      direct, direct, direct, several, mapped, appended, choosing, wrapped, wrapped, wrappedTwice, wrappedWithDefault,
      wrappedWithPrefix, typedEvent, inLoop, optionalLogger, inClosure, nested, conditional, inDefer, extracted,
      wrappedByType, wrappedInStatic, wrappedWithKeys, wrappedWithMutation, changedEvent, namedByCase, inAccessor,
    ]
    while true {
      if program.random.element(forms)() { return }
    }
  }

  /// Writes the call and says what it sends.
  private func log(_ name: TextExpression, _ parameters: String, sends payloads: @escaping (ProgramState) -> [Fields]) {
    add(
      Statement(["\(mark)logger.logEvents(name: \(name.code), parameters: \(parameters))"]) { state in
        let (name, payloads) = (name.value(state), payloads(state))
        for fields in payloads { state.send(name, fields) }
      })
  }

  private func direct() -> Bool {
    let (name, fields) = (text(), fields())
    log(name, "[\(fields.code)]") { [fields.value($0)] }
    return true
  }

  // MARK: Several events at once

  private func several() -> Bool {
    let (name, first, second) = (text(), fields(), fields())
    log(name, "[\(first.code), \(second.code)]") { [first.value($0), second.value($0)] }
    return true
  }

  private func mapped() -> Bool {
    guard let choice = parameter("[Int]", ["[]", "[1, 2]"]) else { return false }
    let (name, fields, key) = (text(), fields(), literal())
    let code = "\(choice.name).map { \(fields.typed).merging([\(key.code): $0]) { $1 } }"
    log(name, code) { state in
      let one = fields.value(state).merging([key.value(state): .value]) { $1 }
      return state.choices[choice.index] == 1 ? [one, one] : []
    }
    return true
  }

  private func appended() -> Bool {
    guard let flag = flag() else { return false }
    let (list, name, first, second) = (program.word(), text(), fields(), fields())
    add(
      Statement([
        "var \(list): [[String: Any]] = [\(first.code)]", "if \(flag.name) { \(list).append(\(second.typed)) }",
      ]))
    log(name, list) { state in
      [first.value(state)] + (state.choices[flag.index] == 1 ? [second.value(state)] : [])
    }
    return true
  }

  private func choosing() -> Bool {
    guard let flag = flag() else { return false }
    let (name, yes, no) = (text(), fields(), fields())
    log(name, "\(flag.name) ? [\(yes.typed)] : [\(no.typed), [:]]") { state in
      state.choices[flag.index] == 1 ? [yes.value(state)] : [no.value(state), [:]]
    }
    return true
  }

  private func inLoop() -> Bool {
    let (type, item, cases) = (program.typeName(), program.word(), [program.word(), program.word()])
    let fields = fields()
    program.declare(["enum \(type): String, CaseIterable {", "  case \(cases.joined(separator: ", "))", "}"])
    add(
      Statement([
        "for \(item) in \(type).allCases {",
        "  \(mark)logger.logEvents(name: \(item).rawValue, parameters: [\(fields.code)])", "}",
      ]) { state in for name in cases { state.send(name, fields.value(state)) } })
    return true
  }

  // MARK: Wrappers

  private func wrapped() -> Bool {
    let (function, name, fields, key) = (program.word(), text(), fields(), literal())
    let adds = program.random.isHit(oneIn: 2)
    program.declare([
      "func \(function)(_ name: String, _ fields: [String: Any]) {",
      "  \(program.markOpen())logger.logEvents(name: name, parameters: [fields"
        + (adds ? ".merging([\(key.code): 1]) { own, _ in own }" : "") + "])", "}",
    ])
    add(
      Statement(["\(mark)\(function)(\(name.code), \(fields.code))"]) { state in
        state.send(
          name.value(state), fields.value(state).merging(adds ? [key.value(state): .value] : [:]) { own, _ in own })
      })
    return true
  }

  private func wrappedTwice() -> Bool {
    let (type, name, fields) = (program.typeName(), text(), fields())
    program.declare([
      "struct \(type) {", "  func track(_ name: String, fields: [String: Any]) {",
      "    \(program.markOpen())logger.logEvents(name: name, parameters: [fields])", "  }", "}",
    ])
    program.declare([
      "extension \(type) {", "  func event(_ title: String, with fields: [String: Any], at place: Int) {",
      "    var all = fields", "    all[\"place\"] = place",
      "    \(program.markOpen())track(title, fields: all)", "  }", "}",
    ])
    add(
      Statement(["\(mark)\(type)().event(\(name.code), with: \(fields.code), at: 3)"]) { state in
        state.send(name.value(state), fields.value(state).merging(["place": .value]) { $1 })
      })
    return true
  }

  private func wrappedWithDefault() -> Bool {
    let (function, name, fields, byDefault) = (program.word(), text(), fields(), literal())
    program.declare([
      "func \(function)(_ name: String = \(byDefault.code), _ fields: [String: Any] = [:]) {",
      "  \(program.markOpen())logger.logEvents(name: name, parameters: [fields])", "}",
    ])
    let (givesName, givesFields) = program.random.element([(false, false), (true, false), (true, true)])
    let arguments = (givesName ? [name.code] : []) + (givesFields ? [fields.code] : [])
    add(
      Statement(["\(mark)\(function)(\(arguments.joined(separator: ", ")))"]) { state in
        state.send((givesName ? name : byDefault).value(state), givesFields ? fields.value(state) : [:])
      })
    return true
  }

  private func wrappedWithPrefix() -> Bool {
    let (type, name, prefix) = (program.typeName(), text(), literal())
    let fields = fields()
    program.declare([
      "final class \(type) {", "  private let prefix = \(prefix.code)", "",
      "  func callAsFunction(_ name: String, _ fields: [String: Any]) { log(name, fields) }", "",
      "  func log(_ name: String, _ fields: [String: Any]) {",
      "    \(program.markOpen())logger.logEvents(name: \"\\(prefix):\\(name)\", parameters: [fields])", "  }", "}",
    ])
    add(
      Statement(["\(mark)\(type)().log(\(name.code), \(fields.code))"]) { state in
        state.send(prefix.value(state) + ":" + name.value(state), fields.value(state))
      })
    return true
  }

  private func typedEvent() -> Bool {
    let (type, function) = (program.typeName(), program.word())
    let (names, key, isFirst) = ([literal(), literal()], literal(), program.random.isHit(oneIn: 2))
    program.declare([
      "enum \(type) {", "  case first", "  case second(value: Int)", "", "  var name: String {", "    switch self {",
      "    case .first: \(names[0].code)", "    case .second: \(names[1].code)", "    }", "  }", "",
      "  var parameters: [String: Any] {", "    switch self {", "    case .first: [:]",
      "    case .second(let value): [\(key.code): value]", "    }", "  }", "}",
    ])
    // Whoever only looks at this call may name every case: any of them can be sent.
    let nothing = ProgramState(choices: [])
    let all: Set = [
      ProgramEvent(name: names[0].value(nothing), keys: []),
      ProgramEvent(name: names[1].value(nothing), keys: ([key.value(nothing): .value] as Fields).paths),
    ]
    program.declare([
      "func \(function)(_ event: \(type)) {",
      "  \(program.mark(isOpen: false, sends: all))logger.logEvents(name: event.name, parameters: [event.parameters])",
      "}",
    ])
    add(
      Statement(["\(mark)\(function)(\(isFirst ? ".first" : ".second(value: 1)"))"]) { state in
        state.send(names[isFirst ? 0 : 1].value(state), isFirst ? [:] : [key.value(state): .value])
      })
    return true
  }

  // MARK: Places

  private func optionalLogger() -> Bool {
    let (name, fields) = (text(), fields())
    add(
      Statement(["\(mark)maybeLogger?.logEvents(name: \(name.code), parameters: [\(fields.code)])"]) { state in
        state.send(name.value(state), fields.value(state))
      })
    return true
  }

  private func inClosure() -> Bool {
    let (name, fields) = (text(), fields())
    let line = "\(mark)logger.logEvents(name: \(name.code), parameters: [\(fields.code)])"
    let lines = program.random.element([
      ["perform {", "  \(line)", "}"], ["let later = { \(line) }", "later()"], ["_ = [1].map { _ in \(line) }"],
    ])
    add(Statement(lines) { state in state.send(name.value(state), fields.value(state)) })
    return true
  }

  private func nested() -> Bool {
    let (function, name, fields) = (program.word(), text(), fields())
    add(
      Statement([
        "func \(function)(_ fields: [String: Any] = [:]) {",
        "  \(mark)logger.logEvents(name: \(name.code), parameters: [\(fields.code)])", "}", "\(function)()",
      ]) { state in state.send(name.value(state), fields.value(state)) })
    return true
  }

  private func conditional() -> Bool {
    guard let flag = flag() else { return false }
    let (name, fields) = (text(), fields())
    add(
      Statement([
        "if \(flag.name) {", "  \(mark)logger.logEvents(name: \(name.code), parameters: [\(fields.code)])", "}",
      ]) { state in
        if state.choices[flag.index] == 1 { state.send(name.value(state), fields.value(state)) }
      })
    return true
  }

  private func inDefer() -> Bool {
    let (name, list, key) = (text(), program.word(), literal())
    add(
      Statement([
        "var \(list): [String: Any] = [:]",
        "defer { \(mark)logger.logEvents(name: \(name.code), parameters: [\(list)]) }", "\(list)[\(key.code)] = 1",
      ]) { state in state.send(name.value(state), [key.value(state): .value]) })
    return true
  }

  private func extracted() -> Bool {
    let (nameVariable, fieldsVariable, name, fields) = (program.word(), program.word(), text(), fields())
    add(
      Statement([
        "let \(nameVariable) = \(name.code)", "let \(fieldsVariable): [[String: Any]] = [\(fields.code)]",
        "\(mark)logger.logEvents(", "  name: \(nameVariable),", "  parameters: \(fieldsVariable))",
      ]) { state in state.send(name.value(state), fields.value(state)) })
    return true
  }
}
