/// Styles of real apps: overloads, events of a class, factories of a protocol, keys of an enum.
extension SiteWriter {
  // MARK: Texts

  /// Two functions of one name: the type that the code writes selects one, and not the value.
  func overloadByType() -> TextExpression? {
    let (named, type, function, local) = (program.typeName(), program.typeName(), program.word(), program.word())
    let texts = [literal(), literal()]
    program.declare(["protocol \(named) {}", "struct \(type): \(named) {}"])
    program.declare(["func \(function)(_ value: any \(named)) -> String { \(texts[0].code) }"])
    program.declare(["func \(function)(_ value: \(type)) -> String { \(texts[1].code) }"])
    if program.random.isHit(oneIn: 2) { return TextExpression("\(function)(\(type)())", texts[1].value) }
    add(Statement(["let \(local): any \(named) = \(type)()"]))
    return TextExpression("\(function)(\(local))", texts[0].value)
  }

  /// A class that is not final, with constants of its own type.
  func classConstant() -> TextExpression? {
    let (type, sub, texts) = (program.typeName(), program.typeName(), [literal(), literal(), literal()])
    program.declare([
      "class \(type) {", "  let name: String", "  var title: String { name }", "",
      "  init(_ name: String = \(texts[0].code)) { self.name = name }", "",
      "  nonisolated(unsafe) static let given = \(type)(\(texts[1].code))",
      "  nonisolated(unsafe) static let plain = \(type)()", "}",
    ])
    program.declare(["final class \(sub): \(type) {", "  override var title: String { \(texts[2].code) }", "}"])
    return switch program.random.number(below: 4) {
    case 0: TextExpression("\(type).given.title", texts[1].value)
    case 1: TextExpression("\(type).plain.name", texts[0].value)
    case 2: TextExpression("\(sub)(\(texts[1].code)).title", texts[2].value)
    default: TextExpression("\(type)(\(texts[2].code)).title", texts[2].value)
    }
  }

  /// A factory of an extension `where Self == …`, and a generic function of which an enum has the parameter's name.
  func factory() -> TextExpression? {
    let (named, own, other, parameter) = (
      program.typeName(), program.typeName(), program.typeName(), program.typeName()
    )
    let (function, make, texts) = (program.word(), program.word(), [literal(), literal(), literal()])
    program.declare(["protocol \(named) {", "  var name: String { get }", "}"])
    program.declare(["struct \(own): \(named) {", "  let name: String", "}"])
    program.declare(["struct \(other): \(named) {", "  let name = \(texts[1].code)", "}"])
    program.declare(["enum \(parameter) {", "  case one", "  var name: String { \(texts[2].code) }", "}"])
    let form = program.random.element(["\(own)(name: name)", "Self(name: name)", ".init(name: name)"])
    program.declare([
      "extension \(named) where Self == \(own) {", "  static func \(make)(_ name: String) -> Self { \(form) }", "}",
    ])
    program.declare([
      "func \(function)<\(parameter): \(named)>(_ value: \(parameter)) -> String { value.name }"
    ])
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(function)(.\(make)(\(texts[0].code)))", texts[0].value)
      : TextExpression("\(function)(\(other)())", texts[1].value)
  }

  // MARK: Calls

  /// A wrapper with overloads, one of which hands on to the other.
  func wrappedByType() -> Bool {
    let (type, event, fields, name, prefix) = (program.typeName(), program.typeName(), fields(), text(), literal())
    program.declare(["struct \(event) {", "  let name: String", "  let fields: [String: Any]", "}"])
    program.declare([
      "struct \(type) {",
      "  func track(_ event: \(event)) {",
      "    \(program.markOpen())logger.logEvents(name: event.name, parameters: [event.fields])", "  }",
      "  func track(_ name: String) {",
      "    \(program.markOpen())track(\(event)(name: \(prefix.code) + name, fields: [:]))", "  }",
      "  func track(_ place: Int) {}", "}",
    ])
    if program.random.isHit(oneIn: 2) {
      add(
        Statement(["\(mark)\(type)().track(\(name.code))"]) { state in
          state.send(prefix.value(state) + name.value(state), [:])
        })
    } else {
      add(
        Statement(["\(mark)\(type)().track(\(event)(name: \(name.code), fields: \(fields.code)))"]) { state in
          state.send(name.value(state), fields.value(state))
        })
    }
    return true
  }

  /// A static function that calls the one of the instance that has its name, and changes the text.
  func wrappedInStatic() -> Bool {
    let (type, fields, name, prefix) = (program.typeName(), fields(), text(), literal())
    program.declare([
      "struct \(type) {", "  nonisolated(unsafe) static let shared = \(type)()", "",
      "  static func track(_ name: String, _ fields: [String: Any]) {",
      "    \(program.markOpen())shared.track(\"\\(\(prefix.code))\\(name)\", fields)", "  }", "",
      "  func track(_ name: String, _ fields: [String: Any]) {",
      "    \(program.markOpen())logger.logEvents(name: name, parameters: [fields])", "  }", "}",
    ])
    let isStatic = program.random.isHit(oneIn: 2)
    let receiver = isStatic ? type : program.random.element(["\(type).shared", "\(type)()"])
    add(
      Statement(["\(mark)\(receiver).track(\(name.code), \(fields.code))"]) { state in
        state.send((isStatic ? prefix.value(state) : "") + name.value(state), fields.value(state))
      })
    return true
  }

  /// A wrapper whose keys are the cases of an enum.
  func wrappedWithKeys() -> Bool {
    let (type, function, name) = (program.typeName(), program.word(), text())
    let (cases, text) = ([program.word(), program.word()], literal())
    let conversion = program.random.element([
      "values.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }",
      "Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })",
    ])
    program.declare(["enum \(type): String {", "  case \(cases[0])", "  case \(cases[1]) = \(text.code)", "}"])
    program.declare([
      "func \(function)(_ name: String, _ values: [\(type): Any]) {",
      "  \(program.markOpen())logger.logEvents(name: name, parameters: [\(conversion)])", "}",
    ])
    guard let flag = flag() else { return false }
    let local = program.word()
    add(
      Statement([
        "var \(local): [\(type): Any] = [.\(cases[0]): 1]", "if \(flag.name) { \(local)[.\(cases[1])] = 2 }",
        "\(mark)\(function)(\(name.code), \(local))",
      ]) { state in
        let more: Fields = state.choices[flag.index] == 1 ? [text.value(state): .value] : [:]
        state.send(name.value(state), more.merging([cases[0]: .value]) { $1 })
      })
    return true
  }
}
