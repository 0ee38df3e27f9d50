/// Event objects that change after their creation: under their name, under another one, and as copies.
extension SiteWriter {
  /// The fields of an object that was changed.
  func changedObject() -> FieldsExpression? {
    let (type, object, start) = (program.typeName(), program.word(), fields())
    let isClass = !program.random.isHit(oneIn: 3)
    program.declare([
      isClass ? "final class \(type) {" : "struct \(type) {", "  var fields: [String: Any]", "",
      "  init(_ fields: [String: Any] = [:]) { self.fields = fields }", "",
      "  \(isClass ? "" : "mutating ")func put(_ key: String, _ value: Any = 1) { fields[key] = value }", "}",
    ])
    add(
      Statement(["\(isClass ? "let" : "var") \(object) = \(type)(\(start.code))"]) { state in
        state.fields[object] = start.value(state)
      })
    for _ in 0...program.random.number(below: 3) {
      if isClass { changeObject(object, type) } else { changeValue(object, type) }
    }
    return FieldsExpression(code: "\(object).fields") { $0.fields[object] ?? [:] }
  }

  /// Adds lines that put one key into an object.
  private func put(_ object: String, _ lines: (String) -> [String]) {
    let key = literal()
    add(Statement(lines(key.code)) { state in state.set(key, in: object) })
  }

  /// Adds lines that put one key into an object if a parameter is set; always if there are too many parameters.
  private func putSometimes(_ object: String, _ lines: (_ key: String, _ flag: String) -> [String]) {
    guard let flag = flag() else { return put(object) { ["\(object).put(\($0))"] } }
    let key = literal()
    add(
      Statement(lines(key.code, flag.name)) { state in
        if state.choices[flag.index] == 1 { state.set(key, in: object) }
      })
  }

  /// What an object and a value have in common.
  private func changeInPlace(_ object: String, _ type: String) {
    let (copy, key) = (program.word(), literal())
    switch program.random.number(below: 6) {
    case 0: put(object) { ["\(object).fields[\($0)] = 1"] }
    case 1: put(object) { ["\(object).put(\($0))"] }
    case 2: put(object) { ["\(object).fields.merge([\($0): 1]) { $1 }"] }
    case 3: putSometimes(object) { ["if \($1) { \(object).put(\($0)) }"] }
    case 4:
      add(Statement(["var \(copy) = \(object).fields", "\(copy)[\(key.code)] = 1", "_ = \(copy)"]))
    default:
      add(Statement(["\(program.random.isHit(oneIn: 2) ? "let" : "var") \(copy) = \(type)()", "_ = \(copy)"]))
    }
  }

  private func changeObject(_ object: String, _ type: String) {
    let (other, helper, key) = (program.word(), program.typeName(), literal())
    switch program.random.number(below: 14) {
    case 0: put(object) { ["let \(other) = \(object)", "\(other).put(\($0))"] }
    case 1: put(object) { ["for \(other) in [\(object)] { \(other).fields[\($0)] = 1 }"] }
    case 2:
      program.declare(["func change\(helper)(_ object: \(type)) { object.put(\(key.code)) }"])
      add(Statement(["change\(helper)(\(object))"]) { state in state.set(key, in: object) })
    case 3: put(object) { ["let \(other) = { \(object).put(\($0)) }", "\(other)()"] }
    case 4: add(Statement(["let \(other) = { \(object).put(\(key.code)) }", "_ = \(other)"]))
    case 5:
      program.declare([
        "final class \(helper) {", "  var held: \(type)?", "",
        "  func change() { held?.put(\(key.code)) }", "}",
      ])
      add(
        Statement(["let \(other) = \(helper)()", "\(other).held = \(object)", "\(other).change()"]) { state in
          state.set(key, in: object)
        })
    case 6: put(object) { ["do {", "  defer { \(object).put(\($0)) }", "  _ = \(object)", "}"] }
    case 7: putSometimes(object) { ["let \(other): \(type)? = \($1) ? \(object) : nil", "\(other)?.put(\($0))"] }
    case 8: put(object) { ["perform { \(object).put(\($0)) }"] }
    case 9: add(Statement(["let \(other) = \(type)()", "\(other).put(\(key.code))"]))
    case 10:
      let fields = fields()
      add(Statement(["\(object).fields = \(fields.code)"]) { state in state.fields[object] = fields.value(state) })
    default: changeInPlace(object, type)
    }
  }

  private func changeValue(_ object: String, _ type: String) {
    let (other, helper, key) = (program.word(), program.typeName(), literal())
    switch program.random.number(below: 9) {
    case 0: add(Statement(["var \(other) = \(object)", "\(other).put(\(key.code))", "_ = \(other)"]))
    case 1:
      program.declare(["func change\(helper)(_ object: inout \(type)) { object.put(\(key.code)) }"])
      add(Statement(["change\(helper)(&\(object))"]) { state in state.set(key, in: object) })
    case 2: put(object) { ["let \(other) = { \(object).put(\($0)) }", "\(other)()"] }
    case 3:
      put(object) { new in
        [
          "func \(other)(_ \(object): \(type)) { var copy = \(object); copy.put(\(key.code)) }", "\(other)(\(object))",
          "\(object).put(\(new))",
        ]
      }
    default: changeInPlace(object, type)
    }
  }

  // MARK: Calls

  /// A wrapper that takes an event object; what changes after the call is not sent.
  func changedEvent() -> Bool {
    let (type, function, event) = (program.typeName(), program.word(), program.word())
    let (name, fields, keys, late) = (text(), fields(), [literal(), literal()], literal())
    let isFinal = program.random.isHit(oneIn: 2)
    program.declare([
      "\(isFinal ? "final " : "")class \(type) {", "  let name: String", "  var fields: [String: Any] = [:]", "",
      "  init(_ name: String) { self.name = name }", "", "  func put(_ key: String) { fields[key] = 1 }", "}",
    ])
    program.declare([
      "func \(function)(_ event: \(type)) {",
      "  \(program.markOpen())logger.logEvents(name: event.name, parameters: [event.fields])", "}",
    ])
    let flag = flag()
    add(
      Statement(
        ["let \(event) = \(type)(\(name.code))", "\(event).fields = \(fields.code)", "\(event).put(\(keys[0].code))"]
          + (flag.map { ["if \($0.name) { \(event).put(\(keys[1].code)) }"] } ?? [])
          + ["\(mark)\(function)(\(event))", "\(event).put(\(late.code))"]
      ) { state in
        var all = fields.value(state).merging([keys[0].value(state): .value]) { $1 }
        if let flag, state.choices[flag.index] == 1 { all[keys[1].value(state)] = .value }
        state.send(name.value(state), all)
      })
    return true
  }

  /// An event whose name is the case of an enum.
  func namedByCase() -> Bool {
    let (type, names, function) = (program.typeName(), program.typeName(), program.word())
    let (cases, text, fields, isFirst) = (
      [program.word(), program.word()], literal(), fields(), program.random.isHit(oneIn: 2)
    )
    program.declare(["enum \(names): String {", "  case \(cases[0])", "  case \(cases[1]) = \(text.code)", "}"])
    program.declare([
      "\(program.random.element(["struct", "final class"])) \(type) {", "  let name: \(names)",
      "  let fields: [String: Any]", "",
      "  init(_ name: \(names), _ fields: [String: Any] = [:]) {", "    self.name = name", "    self.fields = fields",
      "  }", "}",
    ])
    program.declare([
      "func \(function)(_ event: \(type)) {",
      "  \(program.markOpen())logger.logEvents(name: event.name.rawValue, parameters: [event.fields])", "}",
    ])
    add(
      Statement(["\(mark)\(function)(\(type)(.\(cases[isFirst ? 0 : 1]), \(fields.code)))"]) { state in
        state.send(isFirst ? cases[0] : text.value(state), fields.value(state))
      })
    return true
  }

  /// A wrapper that changes its dictionary with a function of the app's own before it logs.
  func wrappedWithMutation() -> Bool {
    let (function, own, name, fields, key) = (program.word(), program.word(), text(), fields(), literal())
    program.declare([
      "extension Dictionary where Key == String, Value == Any {", "  mutating func \(own)(_ other: [String: Any]) {",
      "    for (key, value) in other { self[key] = value }", "  }", "}",
    ])
    program.declare([
      "func \(function)(_ name: String, _ fields: [String: Any] = [:]) {",
      "  var all: [String: Any] = [\(key.code): 1]",
      "  all.\(own)(fields)", "  \(program.markOpen())logger.logEvents(name: name, parameters: [all])", "}",
    ])
    let isGiven = !program.random.isHit(oneIn: 3)
    add(
      Statement(["\(mark)\(function)(\(name.code)\(isGiven ? ", " + fields.code : ""))"]) { state in
        let given = isGiven ? fields.value(state) : [:]
        state.send(name.value(state), given.merging([key.value(state): .value]) { own, _ in own })
      })
    return true
  }

  // MARK: Mapped values

  func mappedValues() -> FieldsExpression? {
    let fields = fields()
    let change = program.random.element([" { \"\\($0)\" }", "(String.init(describing:))", " { _ in 1 }"])
    return FieldsExpression(code: "(\(fields.typed).mapValues\(change) as [String: Any])") { state in
      fields.value(state).mapValues { _ in .value }
    }
  }

  /// Only what may be missing, because a function that is not followed may leave out anything.
  func keptValues() -> FieldsExpression? {
    guard let choice = parameter("String?", ["nil", "\"value\""]) else { return nil }
    let (function, key) = (program.word(), literal())
    let (type, body) = program.random.element([
      ("Any?", "value"), ("String?", "value.map { $0 + \"!\" }"), ("String?", "value?.isEmpty == true ? nil : value"),
    ])
    program.declare(["func \(function)(_ value: \(type)) -> \(type) { \(body) }"])
    let local = program.word()
    let closure = program.random.element(["(\(function))", " { \(function)($0) }"])
    add(Statement(["let \(local): [String: \(type)] = [\(key.code): \(choice.name)]"]))
    return FieldsExpression(code: "(\(local).compactMapValues\(closure) as [String: Any])") { state in
      state.choices[choice.index] == 1 ? [key.value(state): .value] : [:]
    }
  }

  func castValues() -> FieldsExpression? {
    guard let choice = parameter("String?", ["nil", "\"value\""]) else { return nil }
    let (local, key) = (program.word(), literal())
    add(Statement(["let \(local): [String: Any] = [\(key.code): \(choice.name) as Any]"]))
    return FieldsExpression(code: "(\(local).compactMapValues { $0 as? String } as [String: Any])") { state in
      state.choices[choice.index] == 1 ? [key.value(state): .value] : [:]
    }
  }
}
