/// Names that a declaration introduces and that hide others, functions of the app's own for known ones, and statements
/// that are left in a way that is easily overlooked.
extension SiteWriter {
  func shadowTrap() -> TextExpression? {
    let traps: [() -> TextExpression?] = [
      setterName, setterName, caughtName, genericName, associatedName, nestedName, noRequirement, ownEquality, ownMatch,
      describedOptional, compiledCase, leftBlock, ownMap,
    ]
    return program.random.element(traps)()
  }

  // MARK: Names that declarations introduce

  /// A type with a constant of the name that its setter, observer or subscript has for what it is given.
  private func setterName() -> TextExpression? {
    let (type, object, property, given, hidden) = (
      program.typeName(), program.word(), program.word(), text(), literal()
    )
    let (declaration, name, assignment) = program.random.element([
      ("var \(property): String { get { \"\" } set(name) { last = name } }", "name", ".\(property) = "),
      ("var \(property): String { get { \"\" } set { last = newValue } }", "newValue", ".\(property) = "),
      ("var \(property) = \"\" { willSet(name) { last = name } }", "name", ".\(property) = "),
      ("var \(property) = \"\" { willSet { last = newValue } }", "newValue", ".\(property) = "),
      ("subscript(name: String) -> Int { get { 0 } set { last = name } }", "name", ""),
      ("subscript(at: Int) -> String { get { \"\" } set(name) { last = name } }", "name", "[0] = "),
    ])
    let isOld = program.random.isHit(oneIn: 5)
    let start = literal()
    let observed = "var \(property) = \(start.code) { didSet { last = oldValue } }"
    program.declare([
      "struct \(type) {", "  let \(isOld ? "oldValue" : name) = \(hidden.code)", "  var last = \"\"",
      "  \(isOld ? observed : declaration)", "}",
    ])
    let call =
      isOld ? ".\(property) = \(given.code)" : assignment.isEmpty ? "[\(given.code)] = 1" : assignment + given.code
    add(Statement(["var \(object) = \(type)()", object + call]))
    return TextExpression("\(object).last", isOld ? start.value : given.value)
  }

  /// What a `catch` binds.
  private func caughtName() -> TextExpression? {
    let (error, function, result, outer, thrown) = (
      program.typeName(), program.word(), program.word(), literal(), literal()
    )
    let name = program.word()
    program.declare(["enum \(error): Error {", "  case named(String)", "}"])
    program.declare(["func \(function)() throws { throw \(error).named(\(thrown.code)) }"])
    add(
      Statement(
        ["let \(name) = \(outer.code)", "var \(result) = \(name)", "do { try \(function)() }"]
          + program.random.element([
            ["catch \(error).named(let \(name)) { \(result) += \(name) }"],
            ["catch let \(name) as \(error) {", "  if case .named(let text) = \(name) { \(result) += text }", "}"],
          ]) + ["catch { \(result) = \"\" }"]))
    return TextExpression(result) { outer.value($0) + thrown.value($0) }
  }

  /// A generic parameter of the name of an enum.
  private func genericName() -> TextExpression? {
    let (named, own, hidden, function, box) = (
      program.typeName(), program.typeName(), program.typeName(), program.word(), program.typeName()
    )
    let texts = [literal(), literal()]
    program.declare(["protocol \(named) {", "  static var name: String { get }", "}"])
    program.declare(["enum \(own): \(named) {", "  static let name = \(texts[0].code)", "}"])
    program.declare(["enum \(hidden) {", "  static let name = \(texts[1].code)", "}"])
    switch program.random.number(below: 3) {
    case 0:
      program.declare(["func \(function)<\(hidden): \(named)>(_: \(hidden).Type) -> String { \(hidden).name }"])
      return TextExpression("\(function)(\(own).self)", texts[0].value)
    case 1:
      program.declare([
        "struct \(box)<\(hidden): \(named)> {", "  func \(function)() -> String { \(hidden).name }", "}",
      ])
    default:
      program.declare(["struct \(box)<\(hidden): \(named)> {}"])
      program.declare(["extension \(box) {", "  func \(function)() -> String { \(hidden).name }", "}"])
    }
    return TextExpression("\(box)<\(own)>().\(function)()", texts[0].value)
  }

  /// An associated type of the name of an enum.
  private func associatedName() -> TextExpression? {
    let (named, holder, hidden, own, type) = (
      program.typeName(), program.typeName(), program.typeName(), program.typeName(), program.typeName()
    )
    let texts = [literal(), literal()]
    program.declare(["protocol \(named) {", "  static var name: String { get }", "}"])
    program.declare(["enum \(own): \(named) {", "  static let name = \(texts[0].code)", "}"])
    program.declare(["enum \(hidden) {", "  static let name = \(texts[1].code)", "}"])
    program.declare(["protocol \(holder) {", "  associatedtype \(hidden): \(named)", "}"])
    program.declare(["extension \(holder) {", "  func made() -> String { \(hidden).name }", "}"])
    program.declare(["struct \(type): \(holder) {", "  typealias \(hidden) = \(own)", "}"])
    return TextExpression("\(type)().made()", texts[0].value)
  }

  /// An inner type that a class inherits, and a type of its name outside.
  private func nestedName() -> TextExpression? {
    let (base, sub, hidden, texts) = (
      program.typeName(), program.typeName(), program.typeName(), [literal(), literal()]
    )
    program.declare(["enum \(hidden) {", "  static let name = \(texts[1].code)", "}"])
    program.declare(["class \(base) {", "  enum \(hidden) {", "    static let name = \(texts[0].code)", "  }", "}"])
    program.declare(["final class \(sub): \(base) {", "  func made() -> String { \(hidden).name }", "}"])
    return TextExpression("\(sub)().made()", texts[0].value)
  }

  /// A member of an extension that is no requirement: the written type selects it, and not the value.
  private func noRequirement() -> TextExpression? {
    let (named, type, function, local) = (program.typeName(), program.typeName(), program.word(), program.word())
    let texts = [literal(), literal()]
    program.declare(["protocol \(named) {}"])
    program.declare(["extension \(named) {", "  var name: String { \(texts[0].code) }", "}"])
    program.declare(["struct \(type): \(named) {", "  var name: String { \(texts[1].code) }", "}"])
    switch program.random.number(below: 3) {
    case 0:
      program.declare(["func \(function)(_ value: any \(named)) -> String { value.name }"])
      return TextExpression("\(function)(\(type)())", texts[0].value)
    case 1:
      add(Statement(["let \(local): any \(named) = \(type)()"]))
      return TextExpression("\(local).name", texts[0].value)
    default: return TextExpression("\(type)().name", texts[1].value)
    }
  }

  // MARK: Functions of the app's own

  private func ownEquality() -> TextExpression? {
    let (type, texts) = (program.typeName(), [literal(), literal()])
    isHard = true
    program.declare([
      "enum \(type) {", "  case first, second", "",
      "  static func == (left: \(type), right: \(type)) -> Bool { true }", "}",
    ])
    return TextExpression("(\(type).first == .second ? \(texts[0].code) : \(texts[1].code))", texts[0].value)
  }

  private func ownMatch() -> TextExpression? {
    let (type, function, texts) = (program.typeName(), program.word(), [literal(), literal()])
    isHard = true
    program.declare(["struct \(type) {", "  let number: Int", "}"])
    program.declare(["func ~= (pattern: \(type), value: \(type)) -> Bool { pattern.number != value.number }"])
    program.declare([
      "func \(function)() -> String {", "  switch \(type)(number: 1) {",
      "  case \(type)(number: 1): \(texts[1].code)", "  case \(type)(number: 2): \(texts[0].code)",
      "  default: \(texts[1].code)", "  }", "}",
    ])
    return TextExpression("\(function)()", texts[0].value)
  }

  private func ownMap() -> TextExpression? {
    let (type, texts) = (program.typeName(), [literal(), literal()])
    program.declare(["struct \(type) {}"])
    program.declare([
      "extension Array where Element == \(type) {",
      "  func map(_ change: (\(type)) -> String) -> [String] { [\(texts[0].code)] }", "}",
    ])
    return TextExpression("[\(type)()].map { (_: \(type)) -> String in \(texts[1].code) }[0]", texts[0].value)
  }

  private func describedOptional() -> TextExpression? {
    let (name, inner) = (program.word(), literal())
    add(Statement(["let \(name): String? = \(inner.code)"]))
    return TextExpression(program.random.element(["String(describing: \(name))", "\"\\(\(name) as Any)\""])) {
      String(describing: Optional(inner.value($0)))
    }
  }

  // MARK: Statements

  /// A case that is compiled or not, after a return.
  private func compiledCase() -> TextExpression? {
    guard let index = compilationCondition() else { return nil }
    let (function, texts) = (program.word(), [literal(), literal(), literal()])
    program.declare([
      "func \(function)(_ number: Int) -> String {", "  if number == 0 { return \(texts[0].code) }",
      "  switch number {", "  #if \(Self.condition)", "  case 1: return \(texts[1].code)", "  #endif",
      "  default: return \(texts[2].code)", "  }", "}",
    ])
    return TextExpression("\(function)(1)") { texts[$0.choices[index] == 1 ? 1 : 2].value($0) }
  }

  /// A block that is left before it sets a name.
  private func leftBlock() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (name, label, texts) = (program.word(), program.word(), [literal(), literal()])
    let leaving = program.random.element([
      ["if \(flag.name) { break \(label) }"],
      ["switch \(flag.name) {", "case true: break \(label)", "default: break", "}"],
    ])
    add(
      Statement(
        ["var \(name) = \(texts[0].code)", "\(label): do {"] + leaving.indented() + [
          "  \(name) = \(texts[1].code)", "}",
        ]
      ))
    return TextExpression(name) { texts[1 - $0.choices[flag.index]].value($0) }
  }

  // MARK: Calls

  /// A call in a setter, an observer or a subscript, whose name hides a constant of the type.
  func inAccessor() -> Bool {
    let (type, object, property, given, hidden) = (
      program.typeName(), program.word(), program.word(), text(), literal()
    )
    func call(_ name: String) -> String { "\(mark)logger.logEvents(name: \(name), parameters: [[:]])" }
    let (lines, name, change) = program.random.element([
      (
        ["var \(property): String {", "  get { \"\" }", "  set(name) { \(call("name")) }", "}"], "name",
        ".\(property) = "
      ),
      (
        ["var \(property): String {", "  get { \"\" }", "  set { \(call("newValue")) }", "}"], "newValue",
        ".\(property) = "
      ),
      (
        ["var \(property) = \"\" {", "  didSet(name) {", "    \(call(property))", "  }", "}"], "name", ".\(property) = "
      ),
      (["var \(property) = \"\" {", "  willSet(name) { \(call("name")) }", "}"], "name", ".\(property) = "),
      (["subscript(at: Int) -> String {", "  get { \"\" }", "  set(name) { \(call("name")) }", "}"], "name", "[0] = "),
    ])
    program.declare(["struct \(type) {", "  let \(name) = \(hidden.code)"] + lines.indented() + ["}"])
    add(
      Statement(["var \(object) = \(type)()", "\(object)\(change)\(given.code)"]) { state in
        state.send(given.value(state), [:])
      })
    return true
  }
}
