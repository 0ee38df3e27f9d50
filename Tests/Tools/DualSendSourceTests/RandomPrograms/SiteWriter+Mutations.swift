/// Dictionaries that functions of the app's own extensions change, or loops over what is written out.
extension SiteWriter {
  private static let anyDictionary = "extension Dictionary where Key == String, Value == Any {"

  /// Declares a mutating function for dictionaries of any values.
  private func declareMutating(_ signature: String, _ body: [String]) {
    program.declare([Self.anyDictionary, "  mutating func \(signature) {"] + body.indented(by: 2) + ["  }", "}"])
  }

  // MARK: Own mutating functions

  func ownMutation(_ name: String) -> Bool {
    let forms: [(String) -> Bool] = [
      addAll, addAll, addCommon, addIfThere, returnEarly, startAnew, throwHalfway, compileInPart, overloaded,
      deferInside,
      callEachOther,
    ]
    return program.random.element(forms)(name)
  }

  private func addAll(_ name: String) -> Bool {
    let (function, other) = (program.word(), fields())
    declareMutating(
      "\(function)(_ other: [String: Any])",
      program.random.element([
        ["for (key, value) in other { self[key] = value }"], ["merge(other) { _, new in new }"],
        ["self.merge(other, uniquingKeysWith: { $1 })"], ["other.forEach { self[$0.key] = $0.value }"],
      ]))
    add(
      Statement(["\(name).\(function)(\(other.code))"]) { state in
        let more = other.value(state)
        state.fields[name]?.merge(more) { $1 }
      })
    return true
  }

  private func addCommon(_ name: String) -> Bool {
    let (function, key, removed) = (program.word(), literal(), literal())
    declareMutating(
      "\(function)(_ name: String = \(removed.code))",
      ["self[\(key.code)] = 1", "self[\(removed.code)] = 2", "removeValue(forKey: name)"])
    add(Statement(["\(name).\(function)()"]) { state in state.set(key, in: name) })
    return true
  }

  private func addIfThere(_ name: String) -> Bool {
    guard let choice = parameter("String?", ["nil", "\"value\""]) else { return false }
    let (function, key) = (program.word(), literal())
    declareMutating(
      "\(function)(_ value: Any?, for key: String)",
      program.random.element([
        ["guard let value else { return }", "self[key] = value"], ["if let value { self[key] = value }"],
      ]))
    add(
      Statement(["\(name).\(function)(\(choice.name), for: \(key.code))"]) { state in
        if state.choices[choice.index] == 1 { state.set(key, in: name) }
      })
    return true
  }

  private func returnEarly(_ name: String) -> Bool {
    guard let flag = flag() else { return false }
    let (function, before, after) = (program.word(), literal(), literal())
    declareMutating(
      "\(function)(_ isDone: Bool)",
      ["self[\(before.code)] = 1"]
        + program.random.element([["if isDone { return }"], ["guard !isDone else { return }"]])
        + ["self[\(after.code)] = 1"])
    add(
      Statement(["\(name).\(function)(\(flag.name))"]) { state in
        state.set(before, in: name)
        if state.choices[flag.index] == 0 { state.set(after, in: name) }
      })
    return true
  }

  private func startAnew(_ name: String) -> Bool {
    guard program.random.isHit(oneIn: 2) else { return false }
    let (function, other, key) = (program.word(), fields(), literal())
    let keeps = program.random.isHit(oneIn: 2)
    declareMutating(
      "\(function)(_ other: [String: Any])", [keeps ? "self = other" : "self = [:]", "self[\(key.code)] = other.count"])
    add(
      Statement(["\(name).\(function)(\(other.code))"]) { state in
        state.fields[name] = keeps ? other.value(state) : [:]
        state.set(key, in: name)
      })
    return true
  }

  /// What was changed before the error stays.
  private func throwHalfway(_ name: String) -> Bool {
    guard let flag = flag() else { return false }
    let (function, error, before, after) = (program.word(), program.typeName(), literal(), literal())
    program.declare(["struct \(error): Error {}"])
    declareMutating(
      "\(function)(_ isGood: Bool) throws",
      ["self[\(before.code)] = 1", "if !isGood { throw \(error)() }", "self[\(after.code)] = 1"])
    add(
      Statement(["try? \(name).\(function)(\(flag.name))"]) { state in
        state.set(before, in: name)
        if state.choices[flag.index] == 1 { state.set(after, in: name) }
      })
    return true
  }

  private func compileInPart(_ name: String) -> Bool {
    guard let index = compilationCondition() else { return false }
    let (function, key, common, leaves) = (program.word(), literal(), literal(), program.random.isHit(oneIn: 2))
    declareMutating(
      "\(function)()",
      ["#if \(Self.condition)", leaves ? "return" : "self[\(key.code)] = 1", "#endif", "self[\(common.code)] = 1"])
    add(
      Statement(["\(name).\(function)()"]) { state in
        let isOn = state.choices[index] == 1
        if isOn, !leaves { state.set(key, in: name) }
        if !isOn || !leaves { state.set(common, in: name) }
      })
    return true
  }

  /// Three functions of one name: for other dictionaries, and for other arguments.
  private func overloaded(_ name: String) -> Bool {
    let (function, keys, prefix) = (program.word(), [literal(), literal(), literal()], literal())
    program.declare([
      "extension Dictionary where Key == String, Value == Int {", "  mutating func \(function)(_ key: String) {",
      "    self[\(keys[0].code)] = 1", "  }", "}",
    ])
    declareMutating("\(function)(_ key: String)", ["self[\(prefix.code) + key] = 1"])
    declareMutating("\(function)(_ number: Int)", ["self[\(keys[1].code)] = number"])
    let takesNumber = program.random.isHit(oneIn: 3)
    add(
      Statement(["\(name).\(function)(\(takesNumber ? "1" : keys[2].code))"]) { state in
        let key = takesNumber ? keys[1].value(state) : prefix.value(state) + keys[2].value(state)
        state.fields[name]?[key] = .value
      })
    return true
  }

  private func deferInside(_ name: String) -> Bool {
    let (function, late, gone) = (program.word(), literal(), literal())
    declareMutating(
      "\(function)()",
      ["defer {", "  self[\(late.code)] = 1", "  self[\(gone.code)] = nil", "}", "self[\(gone.code)] = 1"])
    add(Statement(["\(name).\(function)()"]) { state in state.set(late, in: name) })
    return true
  }

  private func callEachOther(_ name: String) -> Bool {
    let (outer, inner, keys) = (program.word(), program.word(), [literal(), literal()])
    declareMutating("\(inner)(_ key: String)", ["self[key] = 1"])
    declareMutating(
      "\(outer)()", [program.random.element(["", "self."]) + "\(inner)(\(keys[0].code))", "self[\(keys[1].code)] = 1"])
    add(Statement(["\(name).\(outer)()"]) { state in for key in keys { state.set(key, in: name) } })
    return true
  }

  // MARK: Loops over what is written out

  func loopOverPairs(_ name: String) -> Bool {
    let (other, prefix) = (fields(), literal())
    let isPrefixed = program.random.isHit(oneIn: 3)
    let key = isPrefixed ? "\(prefix.code) + key" : "key"
    let body = "\(name)[\(key)] = value"
    let lines = program.random.element([
      ["for (key, value) in \(other.typed) { \(body) }"], ["for (key, value) in \(other.typed) {", "  \(body)", "}"],
      ["\(other.typed).forEach { key, value in \(body) }"],
    ])
    add(
      Statement(lines) { state in
        let start = isPrefixed ? prefix.value(state) : ""
        for (key, field) in other.value(state) { state.fields[name]?[start + key] = field }
      })
    return true
  }

  /// A loop that ends, or that passes over an element.
  func loopThatLeaves(_ name: String) -> Bool {
    guard let flag = flag() else { return false }
    let (item, label, keys) = (program.word(), program.word(), [literal(), literal()])
    let (breaks, isLabelled) = (program.random.isHit(oneIn: 2), program.random.isHit(oneIn: 2))
    let leaving = "if \(flag.name) { \(breaks ? "break" : "continue")\(isLabelled ? " " + label : "") }"
    let setting = "\(name)[\(item)] = 1"
    add(
      Statement(
        ["\(isLabelled ? label + ": " : "")for \(item) in [\(keys.map(\.code).joined(separator: ", "))] {"]
          + (breaks ? [setting, leaving] : [leaving, setting]).indented() + ["}"]
      ) { state in
        let isLeft = state.choices[flag.index] == 1
        for key in isLeft ? Array(keys.prefix(breaks ? 1 : 0)) : keys { state.set(key, in: name) }
      })
    return true
  }

  // MARK: Labelled statements

  /// A block, or a condition, that is left before its end.
  func labelled(_ name: String) -> Bool {
    guard let flag = flag() else { return false }
    let entered = program.random.isHit(oneIn: 2) ? self.flag() : nil
    let (label, before, after, last) = (program.word(), literal(), literal(), literal())
    let leaving = program.random.element([
      ["if \(flag.name) { break \(label) }"],
      ["switch \(flag.name) {", "case true: break \(label)", "case false: break", "}"],
    ])
    add(
      Statement(
        ["\(label): \(entered.map { "if " + $0.name } ?? "do") {", "  \(name)[\(before.code)] = 1"] + leaving.indented()
          + ["  \(name)[\(after.code)] = 1", "}", "\(name)[\(last.code)] = 1"]
      ) { state in
        if entered.map({ state.choices[$0.index] == 1 }) ?? true {
          state.set(before, in: name)
          if state.choices[flag.index] == 0 { state.set(after, in: name) }
        }
        state.set(last, in: name)
      })
    return true
  }
}
