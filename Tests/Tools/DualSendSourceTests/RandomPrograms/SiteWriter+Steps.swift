/// Parameters that are put together step by step.
extension SiteWriter {
  /// A variable that grows, shrinks and is decided about.
  func built() -> FieldsExpression? {
    let name = program.word()
    let start = fields()
    let declaration =
      if !start.isLiteral {
        "var \(name) = \(start.code)"
      } else {
        program.random.element(["var \(name): [String: Any] = \(start.code)", "var \(name) = \(start.typed)"])
      }
    add(Statement([declaration]) { $0.fields[name] = start.value($0) })
    steps(on: name, 1 + program.random.number(below: 4), depth: 0)
    return FieldsExpression(code: name) { $0.fields[name] ?? [:] }
  }

  /// Changes a variable, each time in another way.
  func steps(on name: String, _ count: Int, depth: Int) {
    let flat: [(String) -> Bool] = [
      set, set, set, update, removeAgain, merge, replaceWhole, loopOverKeys, nestedFunction, changeInPlace, copy,
      setOptional, hideInBlock, keyByDecision, deferred, stepTrap, stepTrap, ownMutation, ownMutation, loopOverPairs,
      loopThatLeaves, labelled,
    ]
    let deep: [(String, Int) -> Bool] = [decide, decide, switchOver, loop, unwrap, leaveEarly, catchErrors, compile]
    for _ in 0..<count {
      if depth < 2, program.random.isHit(oneIn: 3) {
        _ = program.random.element(deep)(name, depth)
      } else {
        _ = program.random.element(flat)(name)
      }
    }
  }

  // MARK: Single steps

  func set(_ name: String) -> Bool {
    let (key, member) = (text(), member())
    add(
      Statement(["\(name)[\(key.code)] = \(member.code)"]) { state in
        let (key, field) = (key.value(state), member.field(state))
        state.fields[name]?[key] = field
      })
    return true
  }

  private func update(_ name: String) -> Bool {
    let key = literal()
    let line =
      program.random.isHit(oneIn: 2)
      ? "\(name).updateValue(1, forKey: \(key.code))" : "\(name)[\(key.code), default: 0] = 2"
    add(Statement([line]) { state in state.set(key, in: name) })
    return true
  }

  private func removeAgain(_ name: String) -> Bool {
    let (key, kept) = (literal(), literal())
    let removal = program.random.element(["[\(key.code)] = nil", ".removeValue(forKey: \(key.code))"])
    add(
      Statement([
        "\(name)[\(key.code)] = 1", "\(name)[\(kept.code)] = \"kept\"", "\(name)\(removal)",
      ]) { state in state.set(kept, in: name) })
    return true
  }

  private func merge(_ name: String) -> Bool {
    let other = fields()
    let closure = program.random.element(["{ old, _ in old }", "{ $1 }", "{ (_, new) in new }"])
    let keepsOld = closure.contains("old }")
    add(
      Statement(["\(name).merge(\(other.typed)) \(closure)"]) { state in
        let more = other.value(state)
        state.fields[name]?.merge(more) { keepsOld ? $0 : $1 }
      })
    return true
  }

  private func replaceWhole(_ name: String) -> Bool {
    guard program.random.isHit(oneIn: 2) else { return false }
    let other = fields()
    let empties = program.random.isHit(oneIn: 2)
    add(
      Statement([empties ? "\(name).removeAll()" : "\(name) = \(other.code)"]) { state in
        state.fields[name] = empties ? [:] : other.value(state)
      })
    return true
  }

  private func loopOverKeys(_ name: String) -> Bool {
    let (item, keys) = (program.word(), [literal(), literal()])
    let list = keys.map(\.code).joined(separator: ", ")
    let lines = program.random.element([
      ["for \(item) in [\(list)] { \(name)[\(item)] = 1 }"],
      ["[\(list)].forEach { \(item) in", "  \(name)[\(item)] = 1", "}"],
      ["for (_, \(item)) in [\(list)].enumerated() {", "  \(name)[\(item)] = 1", "}"],
    ])
    add(Statement(lines) { state in for key in keys { state.set(key, in: name) } })
    return true
  }

  private func nestedFunction(_ name: String) -> Bool {
    let (function, key, isCalled) = (program.word(), text(), !program.random.isHit(oneIn: 3))
    let lines = program.random.element([
      ["func \(function)() {", "  \(name)[\(key.code)] = 1", "}"],
      ["let \(function) = { \(name)[\(key.code)] = 1 }"],
    ])
    add(
      Statement(lines + [isCalled ? "\(function)()" : "_ = \(function)"]) { state in
        if isCalled { state.set(key, in: name) }
      })
    return true
  }

  private func changeInPlace(_ name: String) -> Bool {
    let (function, key, other) = (program.word(), literal(), literal())
    program.declare([
      "func \(function)(_ fields: inout [String: Any], _ key: String) {", "  fields[key] = 1",
      "  fields[\(other.code)] = 2", "}",
    ])
    add(
      Statement(["\(function)(&\(name), \(key.code))"]) { state in
        for key in [key, other] { state.set(key, in: name) }
      })
    return true
  }

  /// What happens to a copy is of no concern.
  private func copy(_ name: String) -> Bool {
    let (copy, key) = (program.word(), literal())
    add(Statement(["var \(copy) = \(name)", "\(copy)[\(key.code)] = 1", "_ = \(copy)"]))
    return true
  }

  private func setOptional(_ name: String) -> Bool {
    guard let choice = parameter("String?", ["nil", "\"value\""]) else { return false }
    let key = literal()
    add(
      Statement(["\(name)[\(key.code)] = \(choice.name)"]) { state in
        if state.choices[choice.index] == 1 { state.set(key, in: name) }
      })
    return true
  }

  private func hideInBlock(_ name: String) -> Bool {
    let (key, inner) = (literal(), literal())
    add(
      Statement([
        "do {", "  var \(name): [String: Any] = [:]", "  \(name)[\(inner.code)] = 1", "  _ = \(name)", "}",
        "\(name)[\(key.code)] = 1",
      ]) { state in state.set(key, in: name) })
    return true
  }

  private func keyByDecision(_ name: String) -> Bool {
    guard let flag = flag() else { return false }
    let (yes, no) = (literal(), literal())
    add(
      Statement(["\(name)[\(flag.name) ? \(yes.code) : \(no.code)] = 1"]) { state in
        state.set(state.choices[flag.index] == 1 ? yes : no, in: name)
      })
    return true
  }

  /// Runs when the block ends, and not before.
  private func deferred(_ name: String) -> Bool {
    let (key, late) = (literal(), literal())
    add(
      Statement([
        "do {", "  defer { \(name)[\(late.code)] = nil }", "  \(name)[\(late.code)] = 1", "  \(name)[\(key.code)] = 1",
        "}",
      ]) { state in state.set(key, in: name) })
    return true
  }
}
