/// Steps that are taken or not.
extension SiteWriter {
  private func inner(_ name: String, _ depth: Int) -> [Statement] {
    let taken = block { steps(on: name, 1 + program.random.number(below: 2), depth: depth + 1) }
    return taken.isEmpty ? block { _ = set(name) } : taken
  }

  func decide(_ name: String, _ depth: Int) -> Bool {
    guard let flag = flag() else { return false }
    let yes = inner(name, depth)
    let no = program.random.isHit(oneIn: 2) ? inner(name, depth) : nil
    let lines =
      ["if \(flag.name) {"] + yes.lines() + (no.map { ["} else {"] + $0.lines() } ?? []) + ["}"]
    add(
      Statement(leaving: lines) { state in
        state.choices[flag.index] == 1 ? yes.run(&state) : no?.run(&state) ?? .next
      })
    return true
  }

  func switchOver(_ name: String, _ depth: Int) -> Bool {
    guard let choice = parameter("Int", ["0", "1", "2"]) else { return false }
    let (first, second) = (inner(name, depth), inner(name, depth))
    let falls = program.random.isHit(oneIn: 2)
    let lines =
      ["switch \(choice.name) {", "case 0:"] + first.lines()
      + (falls ? ["  fallthrough", "case 1:"] : ["case let other where other == 1:"])
      + second.lines() + ["default: break", "}"]
    add(
      Statement(leaving: lines) { state in
        switch state.choices[choice.index] {
        case 0:
          let flow = first.run(&state)
          return falls && flow == .next ? second.run(&state) : flow
        case 1: return second.run(&state)
        default: return .next
        }
      })
    return true
  }

  func loop(_ name: String, _ depth: Int) -> Bool {
    guard let choice = parameter("[Int]", ["[]", "[1, 2]"]) else { return false }
    let body = inner(name, depth)
    let (item, count, breaks) = (program.word(), program.word(), program.random.isHit(oneIn: 3))
    let end = breaks ? ["  break"] : []
    let overList = ["for \(item) in \(choice.name) {", "  _ = \(item)"] + body.lines() + end + ["}"]
    let head = ["var \(count) = 0", "while \(count) < \(choice.name).count {"]
    let counting = head + body.lines() + ["  \(count) += 1"] + end + ["}"]
    let lines = program.random.element([overList, counting])
    add(
      Statement(leaving: lines) { state in
        guard state.choices[choice.index] == 1 else { return .next }
        for _ in 1...2 {
          let flow = body.run(&state)
          if flow == .ends { return flow }
          if breaks { break }
        }
        return .next
      })
    return true
  }

  func unwrap(_ name: String, _ depth: Int) -> Bool {
    guard let choice = parameter("String?", ["nil", "\"value\""]) else { return false }
    let body = inner(name, depth)
    let (value, key) = (program.word(), literal())
    let lines =
      ["if let \(value) = \(choice.name), !\(value).isEmpty {", "  \(name)[\(key.code)] = \(value)"]
      + body.lines() + ["}"]
    add(
      Statement(leaving: lines) { state in
        guard state.choices[choice.index] == 1 else { return .next }
        state.set(key, in: name)
        return body.run(&state)
      })
    return true
  }

  /// Nothing is sent behind this.
  func leaveEarly(_ name: String, _ depth: Int) -> Bool {
    guard let flag = flag() else { return false }
    let key = literal()
    let lines = program.random.element([
      ["guard \(flag.name) else { return }"],
      ["guard \(flag.name) else {", "  \(name)[\(key.code)] = 1", "  _ = \(name)", "  return", "}"],
      ["if !\(flag.name) {", "  \(name)[\(key.code)] = 1", "  return", "}"],
    ])
    add(Statement(leaving: lines) { state in state.choices[flag.index] == 1 ? .next : .ends })
    return true
  }

  func catchErrors(_ name: String, _ depth: Int) -> Bool {
    guard let flag = flag() else { return false }
    let (function, before, after, caught) = (program.word(), literal(), literal(), literal())
    let error = program.typeName()
    program.declare([
      "struct \(error): Error {}", "", "func \(function)(_ isGood: Bool) throws {",
      "  if !isGood { throw \(error)() }", "}",
    ])
    add(
      Statement([
        "do {", "  \(name)[\(before.code)] = 1", "  try \(function)(\(flag.name))", "  \(name)[\(after.code)] = 1",
        "} catch {", "  \(name)[\(caught.code)] = 1", "}",
      ]) { state in
        let last = state.choices[flag.index] == 1 ? after : caught
        for key in [before, last] { state.set(key, in: name) }
      })
    return true
  }

  func compile(_ name: String, _ depth: Int) -> Bool {
    guard let index = compilationCondition() else { return false }
    let (yes, no, common) = (literal(), literal(), literal())
    add(
      Statement([
        "#if \(Self.condition)", "\(name)[\(yes.code)] = 1", "#elseif os(Plan9)", "#error(\"none\")", "#else",
        "\(name)[\(no.code)] = 1", "#endif", "\(name)[\(common.code)] = 1",
      ]) { state in
        let own = state.choices[index] == 1 ? yes : no
        for key in [own, common] { state.set(key, in: name) }
      })
    return true
  }
}
