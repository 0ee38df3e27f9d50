/// Parameters that are easily resolved wrongly: copies that are none, references, steps that do nothing.
extension SiteWriter {
  func fieldsTrap() -> FieldsExpression? {
    program.random.element([sharedObject, copiedStruct, capturedCopy, snapshot, computed, ownSubscript, variadic])()
  }

  func stepTrap(_ name: String) -> Bool {
    switch program.random.number(below: 5) {
    case 0:
      // Assigns only where there is something already.
      let key = literal()
      add(Statement(["\(name)[\(key.code)]? = 1"]))
    case 1:
      let (key, old) = (literal(), literal())
      add(
        Statement(["\(name).merge([(\(key.code), 1), (\(old.code), 2)] as [(String, Any)]) { $1 }"]) { state in
          for key in [key, old] { state.set(key, in: name) }
        })
    case 2:
      guard let flag = flag() else { return false }
      add(
        Statement(["\(name) = \(flag.name) ? \(name) : [:]"]) { state in
          if state.choices[flag.index] == 0 { state.fields[name] = [:] }
        })
    case 3:
      let (key, outer, item) = (literal(), program.word(), program.word())
      add(
        Statement([
          "\(outer): for _ in 0..<2 {", "  for \(item) in 0..<3 {", "    if \(item) == 1 { continue \(outer) }",
          "    \(name)[\(key.code)] = \(item)", "  }", "}",
        ]) { state in state.set(key, in: name) })
    default:
      let (key, kept) = (literal(), literal())
      add(
        Statement([
          "\(name)[\(key.code)] = 1", "\(name)[\(kept.code)] = 1",
          "for key in \(name).keys where key == \(key.code) { \(name)[key] = nil }",
        ]) { state in state.set(kept, in: name) })
    }
    return true
  }

  /// Two names for one object.
  private func sharedObject() -> FieldsExpression? {
    let (type, first, second, start, key) = (program.typeName(), program.word(), program.word(), fields(), literal())
    program.declare(["final class \(type) {", "  var fields: [String: Any] = [:]", "}"])
    add(
      Statement([
        "let \(first) = \(type)()", "let \(second) = \(first)", "\(first).fields = \(start.code)",
        "\(second).fields[\(key.code)] = 1",
      ]))
    return FieldsExpression(code: "\(first).fields") { start.value($0).merging([key.value($0): .value]) { $1 } }
  }

  private func copiedStruct() -> FieldsExpression? {
    let (type, first, second, start, key) = (program.typeName(), program.word(), program.word(), fields(), literal())
    program.declare([
      "struct \(type) {", "  private(set) var fields: [String: Any]", "",
      "  mutating func add(_ key: String) { fields[key] = 1 }", "}",
    ])
    add(
      Statement([
        "var \(first) = \(type)(fields: \(start.code))", "var \(second) = \(first)", "\(second).add(\(key.code))",
        "_ = \(second)",
      ]))
    let added = program.random.isHit(oneIn: 2)
    return FieldsExpression(code: "\(added ? second : first).fields") {
      start.value($0).merging(added ? [key.value($0): .value] : [:]) { $1 }
    }
  }

  /// A closure that keeps what there was, or sees what comes later.
  private func capturedCopy() -> FieldsExpression? {
    let (name, later, start, key) = (program.word(), program.word(), fields(), literal())
    let copies = program.random.isHit(oneIn: 2)
    add(
      Statement([
        "var \(name): [String: Any] = \(start.code)", "let \(later) = { \(copies ? "[\(name)] in " : "")\(name) }",
        "\(name)[\(key.code)] = 1",
      ]))
    return FieldsExpression(code: "\(later)()") {
      start.value($0).merging(copies ? [:] : [key.value($0): .value]) { $1 }
    }
  }

  private func snapshot() -> FieldsExpression? {
    let (name, copy, start, key) = (program.word(), program.word(), fields(), literal())
    add(
      Statement([
        "var \(name): [String: Any] = \(start.code)", "let \(copy) = \(name)", "\(name)[\(key.code)] = 1",
        "_ = \(name)",
      ]))
    return FieldsExpression(code: copy, value: start.value)
  }

  private func computed() -> FieldsExpression? {
    let (name, start, key, flag) = (program.word(), fields(), literal(), flag())
    guard let flag else { return nil }
    add(
      Statement([
        "var \(name): [String: Any] {", "  var made = \(start.typed)", "  if \(flag.name) { made[\(key.code)] = 1 }",
        "  return made", "}",
      ]))
    return FieldsExpression(code: name) {
      start.value($0).merging($0.choices[flag.index] == 1 ? [key.value($0): .value] : [:]) { $1 }
    }
  }

  /// A type whose subscript puts something else under the key.
  private func ownSubscript() -> FieldsExpression? {
    let (type, name, key, prefix) = (program.typeName(), program.word(), literal(), literal())
    program.declare([
      "struct \(type) {", "  var fields: [String: Any] = [:]", "", "  subscript(key: String) -> Any? {",
      "    get { fields[key] }", "    set { fields[\(prefix.code) + key] = newValue }", "  }", "}",
    ])
    add(Statement(["var \(name) = \(type)()", "\(name)[\(key.code)] = 1"]))
    return FieldsExpression(code: "\(name).fields") { [prefix.value($0) + key.value($0): .value] }
  }

  private func variadic() -> FieldsExpression? {
    let (function, keys) = (program.word(), [literal(), literal()])
    program.declare([
      "func \(function)(_ keys: String..., last: String = \(keys[1].code)) -> [String: Any] {",
      "  var fields: [String: Any] = [last: 1]", "  for key in keys { fields[key] = 1 }", "  return fields", "}",
    ])
    return FieldsExpression(code: "\(function)(\(keys[0].code))") { state in
      keys.reduce(into: [:]) { $0[$1.value(state)] = .value }
    }
  }
}
