/// The ways in which a program comes by an event's parameters: each can be resolved from the sources.
extension SiteWriter {
  /// An expression whose keys are all known.
  func fields() -> FieldsExpression {
    if program.random.isHit(oneIn: 4) { return fieldsLiteral() }
    let forms: [() -> FieldsExpression?] = [
      built, built, built, built, ternaryFields, merging, helper, methodOfExtension, filtered, compacted, reduced,
      closureOfFields, optionalFields, fieldsOfType, zipped, staticFields, fieldsTrap, fieldsTrap,
      fieldsTrap, changedObject, changedObject, mappedValues, keptValues, castValues,
    ]
    for _ in 0..<4 {
      if let fields = program.random.element(forms)() { return fields }
    }
    return fieldsLiteral()
  }

  /// A literal with keys of every kind.
  func fieldsLiteral() -> FieldsExpression {
    let members = (0..<program.random.number(below: 4)).map { _ in (key: text(), value: member()) }
    if members.isEmpty { return FieldsExpression(code: "[:]", isLiteral: true) { _ in [:] } }
    let code = members.map { "\($0.key.code): \($0.value.code)" }.joined(separator: ", ")
    return FieldsExpression(code: "[\(code)]", isLiteral: true) { state in
      members.reduce(into: [:]) { $0[$1.key.value(state)] = $1.value.field(state) }
    }
  }

  /// A literal that needs nothing of the function: it can stand in a declaration.
  private func plainFields() -> FieldsExpression {
    let keys = (0..<1 + program.random.number(below: 2)).map { _ in literal() }
    return FieldsExpression(code: "[" + keys.map { "\($0.code): 1" }.joined(separator: ", ") + "]", isLiteral: true) {
      state in keys.reduce(into: [:]) { $0[$1.value(state)] = .value }
    }
  }

  /// What may stand under a key.
  func member() -> (code: String, field: (ProgramState) -> Field) {
    switch program.random.number(below: 9) {
    case 0:
      let inner = plainFields()
      return (inner.typed, { .object(inner.value($0)) })
    case 1:
      let elements = [plainFields(), plainFields()]
      let code = elements.map(\.code).joined(separator: ", ")
      return ("([\(code)] as [[String: Any]])", { state in .list(elements.map { $0.value(state) }) })
    case 2:
      let text = text()
      return (text.code, { _ in .value })
    case 3:
      let inner = program.random.isHit(oneIn: 2) ? fields() : plainFields()
      return (inner.typed, { .object(inner.value($0)) })
    default:
      return (
        program.random.element(["1", "true", "2.5", "\"text\"", "-3", "[1, 2].count", "String(7)"]), { _ in .value }
      )
    }
  }

  // MARK: Chosen and merged

  private func ternaryFields() -> FieldsExpression? {
    guard let flag = flag() else { return nil }
    let (yes, no) = (fields(), fields())
    return FieldsExpression(code: "(\(flag.name) ? \(yes.typed) : \(no.typed))") {
      $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0)
    }
  }

  private func merging() -> FieldsExpression? {
    let (left, right) = (fields(), fields())
    let keepsLeft = program.random.isHit(oneIn: 2)
    let closure =
      keepsLeft
      ? program.random.element([" { old, _ in old }", ", uniquingKeysWith: { first, _ in first }"])
      : program.random.element([" { $1 }", " { _, new in new }", ", uniquingKeysWith: { (_, last) in last }"])
    let end = closure.hasPrefix(",") ? "\(closure))" : ")\(closure)"
    return FieldsExpression(code: "\(left.typed).merging(\(right.typed)\(end)") {
      left.value($0).merging(right.value($0)) { keepsLeft ? $0 : $1 }
    }
  }

  private func optionalFields() -> FieldsExpression? {
    guard let flag = flag() else { return nil }
    let (name, yes, no) = (program.word(), fields(), fields())
    add(Statement(["let \(name): [String: Any]? = \(flag.name) ? \(yes.typed) : nil"]))
    return FieldsExpression(code: "(\(name) ?? \(no.typed))") {
      $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0)
    }
  }

  // MARK: Handed on

  private func helper() -> FieldsExpression? {
    guard let flag = flag() else { return nil }
    let (name, yes, no) = (program.word(), plainFields(), plainFields())
    program.declare([
      "func \(name)(_ flag: Bool = true) -> [String: Any] {", "  guard flag else {", "    return \(no.code)", "  }",
      "  return \(yes.code)", "}",
    ])
    return FieldsExpression(code: "\(name)(\(flag.name))") {
      $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0)
    }
  }

  private func methodOfExtension() -> FieldsExpression? {
    let (type, key, fields) = (program.typeName(), text(), plainFields())
    program.declare(["struct \(type) {", "  let key: String", "}"])
    program.declare([
      "extension \(type) {", "  func fields(adding more: [String: Any] = [:]) -> [String: Any] {",
      "    var all: [String: Any] = \(fields.code)", "    all[key] = 1",
      "    return all.merging(more) { $1 }", "  }", "}",
    ])
    let more = program.random.isHit(oneIn: 2) ? plainFields() : nil
    return FieldsExpression(code: "\(type)(key: \(key.code)).fields(\(more.map { "adding: " + $0.code } ?? ""))") {
      state in
      fields.value(state).merging([key.value(state): .value]) { $1 }.merging(more?.value(state) ?? [:]) { $1 }
    }
  }

  private func fieldsOfType() -> FieldsExpression? {
    let type = program.typeName()
    let fields = [plainFields(), plainFields()]
    guard let choice = parameter(type, [".first", ".second(\"value\")"]) else { return nil }
    program.declare([
      "enum \(type) {", "  case first, second(String)", "", "  var fields: [String: Any] {", "    switch self {",
      "    case .first: \(fields[0].code)", "    case .second: \(fields[1].code)", "    }", "  }", "}",
    ])
    return FieldsExpression(code: "\(choice.name).fields") { fields[$0.choices[choice.index]].value($0) }
  }

  private func staticFields() -> FieldsExpression? {
    let (type, fields) = (program.typeName(), plainFields())
    program.declare(["enum \(type) {", "  nonisolated(unsafe) static let shared: [String: Any] = \(fields.code)", "}"])
    return FieldsExpression(code: "\(type).shared", value: fields.value)
  }

  private func closureOfFields() -> FieldsExpression? {
    let (name, fields, key) = (program.word(), fields(), literal())
    add(
      Statement([
        "let \(name) = { () -> [String: Any] in", "  var made = \(fields.typed)", "  made[\(key.code)] = 1",
        "  return made", "}",
      ]))
    return FieldsExpression(code: "\(name)()") { fields.value($0).merging([key.value($0): .value]) { $1 } }
  }

  // MARK: Computed by the standard library

  private func filtered() -> FieldsExpression? {
    let (fields, key) = (plainFields(), literal())
    return FieldsExpression(
      code: "\(fields.typed).merging([\(key.code): 1]) { $1 }.filter { $0.key != \(key.code) }", value: fields.value)
  }

  private func compacted() -> FieldsExpression? {
    guard let flag = flag() else { return nil }
    let (name, key, maybe) = (program.word(), literal(), literal())
    add(
      Statement([
        "let \(name): [String: Int?] = [\(key.code): 1, \(maybe.code): \(flag.name) ? 2 : nil]"
      ]))
    return FieldsExpression(code: "(\(name).compactMapValues { $0 } as [String: Any])") { state in
      var fields: Fields = [key.value(state): .value]
      if state.choices[flag.index] == 1 { fields[maybe.value(state)] = .value }
      return fields
    }
  }

  private func reduced() -> FieldsExpression? {
    let keys = [literal(), literal()]
    return FieldsExpression(
      code: "[\(keys[0].code), \(keys[1].code)].reduce(into: [String: Any]()) { $0[$1] = 1 }"
    ) { state in keys.reduce(into: [:]) { $0[$1.value(state)] = .value } }
  }

  private func zipped() -> FieldsExpression? {
    let keys = [literal(), literal()]
    return FieldsExpression(
      code: "Dictionary(uniqueKeysWithValues: zip([\(keys[0].code), \(keys[1].code)], [1, 2] as [Any]))"
    ) { state in keys.reduce(into: [:]) { $0[$1.value(state)] = .value } }
  }
}
