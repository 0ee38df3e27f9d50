/// Texts that are put together, handed on, hidden by others of the same name or chosen by a type.
extension SiteWriter {
  // MARK: Put together

  func concatenation() -> TextExpression? {
    let (left, right) = (text(), text())
    return TextExpression("(\(left.code) + \".\" + \(right.code))") { left.value($0) + "." + right.value($0) }
  }

  func interpolation() -> TextExpression? {
    let inner = text()
    return switch program.random.number(below: 2) {
    case 0: TextExpression("\"at.\\(\(inner.code)).end\"") { "at." + inner.value($0) + ".end" }
    default: TextExpression("#\"at.\\#(\(inner.code))\"#") { "at." + inner.value($0) }
    }
  }

  func multilineText() -> TextExpression? {
    let (name, first, second) = (program.word(), program.word(), program.word())
    add(
      Statement(["let \(name) = \"\"\"", "  \(first) \\", "  \"\(second)\"", "    deeper", "  \"\"\""]))
    return TextExpression(name, constant: "\(first) \"\(second)\"\n  deeper")
  }

  func reassigned() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (name, first, second) = (program.word(), literal(), literal())
    let adds = program.random.isHit(oneIn: 2)
    add(
      Statement([
        "var \(name) = \(first.code)", "if \(flag.name) { \(name) \(adds ? "+=" : "=") \(second.code) }",
      ]))
    return TextExpression(name) {
      $0.choices[flag.index] == 0 ? first.value($0) : (adds ? first.value($0) : "") + second.value($0)
    }
  }

  func tuple() -> TextExpression? {
    let (name, left, right) = (program.word(), literal(), literal())
    switch program.random.number(below: 3) {
    case 0:
      add(Statement(["let (\(name), _) = (\(left.code), \(right.code))"]))
      return TextExpression(name, left.value)
    case 1:
      add(Statement(["let \(name) = (\(left.code), second: \(right.code))"]))
      return TextExpression("\(name).second", right.value)
    default:
      add(Statement(["let \(name) = (\(left.code), \(right.code))"]))
      return TextExpression("\(name).0", left.value)
    }
  }

  func lookup() -> TextExpression? {
    let (left, right, other) = (literal(), literal(), literal())
    return program.random.isHit(oneIn: 2)
      ? TextExpression("[\(left.code), \(right.code)][1]", right.value)
      : TextExpression("([\(left.code): \(right.code)][\(left.code)] ?? \(other.code))", right.value)
  }

  // MARK: Handed on

  func function() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (name, yes, no) = (program.word(), literal(), literal())
    let body =
      switch program.random.number(below: 3) {
      case 0: ["  guard flag else { return \(no.code) }", "  return \(yes.code)"]
      case 1: ["  if flag {", "    return \(yes.code)", "  }", "  return \(no.code)"]
      default: ["  flag ? \(yes.code) : \(no.code)"]
      }
    program.declare(["func \(name)(_ flag: Bool) -> String {"] + body + ["}"])
    return TextExpression("\(name)(\(flag.name))") { $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0) }
  }

  func functionOfText() -> TextExpression? {
    let (type, inner, prefix) = (program.typeName(), text(), literal())
    program.declare([
      "struct \(type) {", "  private static let prefix = \(prefix.code)",
      "  static func make(_ part: String, after middle: String = \":\") -> String { prefix + middle + part }", "}",
    ])
    return TextExpression("\(type).make(\(inner.code))") { prefix.value($0) + ":" + inner.value($0) }
  }

  func closure() -> TextExpression? {
    let (name, inner, suffix) = (program.word(), text(), literal())
    guard program.random.isHit(oneIn: 2) else {
      return TextExpression("({ \(inner.code) }())", inner.value)
    }
    add(Statement(["let \(name) = { (part: String) -> String in part + \(suffix.code) }"]))
    return TextExpression("\(name)(\(inner.code))") { inner.value($0) + suffix.value($0) }
  }

  /// Two functions of one name, told apart by what they are given.
  func overload() -> TextExpression? {
    let (name, number, text) = (program.word(), literal(), literal())
    program.declare(["func \(name)(_ value: Int) -> String { \(number.code) }"])
    program.declare(["func \(name)(_ value: String) -> String { \(text.code) }"])
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(name)(1)", number.value) : TextExpression("\(name)(\"1\")", text.value)
  }

  // MARK: Hidden by others of the same name

  func shadowed() -> TextExpression? {
    let (name, outer, inner) = (program.word(), literal(), literal())
    let kept = program.word()
    program.declare(["let \(name) = \(outer.code)"])
    switch program.random.number(below: 3) {
    case 0: return TextExpression(name, outer.value)
    case 1:
      add(Statement(["let \(name) = \(inner.code)"]))
      return TextExpression(name, inner.value)
    default:
      add(
        Statement([
          "var \(kept) = \(name)", "do {", "  let \(name) = \(inner.code)", "  _ = \(name)", "}", "\(kept) += \(name)",
        ]))
      return TextExpression(kept) { outer.value($0) + outer.value($0) }
    }
  }

  func memberOfContext() -> TextExpression? {
    switch context {
    case .free: return nil
    case .instance(let type):
      // With a text behind it: a dictionary may not have a key twice.
      let suffix = literal()
      let (code, screen) = program.random.element([("Self.screen", "static."), ("self.screen", "instance.")])
      return TextExpression("(\(code) + \(suffix.code))") { screen + type + suffix.value($0) }
    case .type(let type):
      let text = literal()
      return program.random.isHit(oneIn: 2)
        ? TextExpression("(screen + \(text.code))") { "static." + type + text.value($0) }
        : TextExpression("({ let screen = \(text.code); return screen }())", text.value)
    }
  }

  // MARK: Chosen by a type

  func storedProperty() -> TextExpression? {
    let (type, text, given) = (program.typeName(), literal(), literal())
    program.declare([
      "struct \(type) {", "  let fixed = \(text.code)", "  let given: String", "", "  init(_ given: String) {",
      "    self.given = given", "  }", "}",
    ])
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(type)(\"\").fixed", text.value)
      : TextExpression("\(type)(\(given.code)).given", given.value)
  }

  /// A property that a subclass overrides.
  func override() -> TextExpression? {
    let (base, sub) = (program.typeName(), program.typeName())
    guard let choice = parameter(base, [base + "()", sub + "()"]) else { return nil }
    let texts = [literal(), literal()]
    program.declare(["class \(base) {", "  var name: String { \(texts[0].code) }", "}"])
    program.declare(["final class \(sub): \(base) {", "  override var name: String { \(texts[1].code) }", "}"])
    return TextExpression("\(choice.name).name") { texts[$0.choices[choice.index]].value($0) }
  }

  /// A requirement that one type fulfils itself, and the other by an extension of the protocol.
  func requirement() -> TextExpression? {
    let (named, own, given) = (program.typeName(), program.typeName(), program.typeName())
    guard let choice = parameter("any \(named)", [own + "()", given + "()"]) else { return nil }
    let texts = [literal(), literal()]
    program.declare(["protocol \(named) {", "  var name: String { get }", "}"])
    program.declare(["extension \(named) {", "  var name: String { \(texts[1].code) }", "}"])
    program.declare(["struct \(own): \(named) {", "  let name = \(texts[0].code)", "}"])
    program.declare(["struct \(given) {}", "", "extension \(given): \(named) {}"])
    return TextExpression("\(choice.name).name") { texts[$0.choices[choice.index]].value($0) }
  }

  func generic() -> TextExpression? {
    let (named, function) = (program.typeName(), program.word())
    let (types, texts) = ([program.typeName(), program.typeName()], [literal(), literal()])
    program.declare(["protocol \(named) {", "  static var name: String { get }", "}"])
    for (type, text) in zip(types, texts) {
      program.declare(["enum \(type): \(named) {", "  static let name = \(text.code)", "}"])
    }
    program.declare(["func \(function)<Kind: \(named)>(_ kind: Kind.Type) -> String { Kind.name }"])
    let index = program.random.number(below: 2)
    return TextExpression("\(function)(\(types[index]).self)", texts[index].value)
  }
}
