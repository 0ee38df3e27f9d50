/// Texts that look like something else: each can be resolved, and is easily resolved wrongly.
extension SiteWriter {
  func textTrap() -> TextExpression? {
    let traps: [() -> TextExpression?] = [
      privateConstant, initialized, changedGlobal, grownInLoop, swapped, rawValueOfOwn, caseInText, inheritedConstant,
      localFunction, switchOverTuple, nestedTypes, observed, lateConstant, overloadByType, classConstant, factory,
    ]
    return program.random.element(traps)()
  }

  /// Two files that each have a constant of this name for themselves.
  private func privateConstant() -> TextExpression? {
    let (name, own, other) = (program.word(), literal(), literal())
    let access = program.random.element(["private", "fileprivate"])
    program.declare(["\(access) let \(name) = \(own.code)"], in: file)
    program.declare(["\(access) let \(name) = \(other.code)", "func use\(name)() -> String { \(name) }"], in: file + 1)
    return TextExpression(name, own.value)
  }

  /// A property that each initializer sets to something else.
  private func initialized() -> TextExpression? {
    let (type, texts) = (program.typeName(), [literal(), literal()])
    program.declare([
      "final class \(type) {", "  let name: String", "", "  init() { name = \(texts[0].code) }", "",
      "  init(other: Bool) {", "    name = \(texts[1].code)", "  }", "}",
    ])
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(type)().name", texts[0].value) : TextExpression("\(type)(other: true).name", texts[1].value)
  }

  private func changedGlobal() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (type, texts) = (program.typeName(), [literal(), literal()])
    program.declare(["enum \(type) {", "  nonisolated(unsafe) static var name = \(texts[0].code)", "}"])
    program.declare([
      "func change\(type)(_ flag: Bool) {", "  \(type).name = flag ? \(texts[1].code) : \(texts[0].code)", "}",
    ])
    add(Statement(["change\(type)(\(flag.name))"]))
    return TextExpression("\(type).name") { texts[$0.choices[flag.index]].value($0) }
  }

  private func grownInLoop() -> TextExpression? {
    guard let choice = parameter("[Int]", ["[]", "[1, 2]"]) else { return nil }
    let (name, start, more) = (program.word(), literal(), literal())
    add(Statement(["var \(name) = \(start.code)", "for _ in \(choice.name) { \(name) += \(more.code) }"]))
    return TextExpression(name) {
      start.value($0) + ($0.choices[choice.index] == 1 ? more.value($0) + more.value($0) : "")
    }
  }

  private func swapped() -> TextExpression? {
    let (left, right, texts) = (program.word(), program.word(), [literal(), literal()])
    let swap = program.random.element(["swap(&\(left), &\(right))", "(\(left), \(right)) = (\(right), \(left))"])
    add(Statement(["var \(left) = \(texts[0].code)", "var \(right) = \(texts[1].code)", swap, "_ = \(right)"]))
    return TextExpression(left, texts[1].value)
  }

  /// A raw value that is not what was given.
  private func rawValueOfOwn() -> TextExpression? {
    let (type, text, prefix) = (program.typeName(), literal(), literal())
    if program.random.isHit(oneIn: 2) {
      program.declare([
        "struct \(type): RawRepresentable {", "  static let first = \(type)(rawValue: \(text.code))", "",
        "  let rawValue: String", "", "  init(rawValue: String) {", "    self.rawValue = \(prefix.code) + rawValue",
        "  }",
        "}",
      ])
      return TextExpression("\(type).first.rawValue") { prefix.value($0) + text.value($0) }
    }
    program.declare([
      "enum \(type): RawRepresentable {", "  case first, second", "", "  var rawValue: String { \(text.code) }", "",
      "  init?(rawValue: String) { nil }", "}",
    ])
    return TextExpression("\(type).first.rawValue", text.value)
  }

  /// In a text stands the case's name, unless the type describes itself.
  private func caseInText() -> TextExpression? {
    let (type, name, text, description) = (program.typeName(), program.word(), literal(), literal())
    program.declare(["enum \(type): String {", "  case \(name) = \(text.code)", "}"])
    guard program.random.isHit(oneIn: 2) else {
      return TextExpression("\"\\(\(type).\(name))\"", constant: name)
    }
    program.declare([
      "extension \(type): CustomStringConvertible {", "  var description: String { \(description.code) }", "}",
    ])
    return TextExpression("\"\\(\(type).\(name))\"", description.value)
  }

  private func inheritedConstant() -> TextExpression? {
    let (base, sub, texts) = (program.typeName(), program.typeName(), [literal(), literal(), literal()])
    program.declare([
      "class \(base) {", "  static let fixed = \(texts[0].code)", "  class var name: String { \(texts[1].code) }",
      "  class var twice: String { name + name }", "}",
    ])
    program.declare(["final class \(sub): \(base) {", "  override class var name: String { \(texts[2].code) }", "}"])
    return switch program.random.number(below: 3) {
    case 0: TextExpression("\(sub).fixed", texts[0].value)
    case 1: TextExpression("\(sub).name", texts[2].value)
    default: TextExpression("\(sub).twice") { texts[2].value($0) + texts[2].value($0) }
    }
  }

  private func localFunction() -> TextExpression? {
    let (name, outer, inner) = (program.word(), literal(), literal())
    program.declare(["func \(name)() -> String { \(outer.code) }"])
    guard program.random.isHit(oneIn: 2) else { return TextExpression("\(name)()", outer.value) }
    add(Statement(["func \(name)() -> String { \(inner.code) }"]))
    return TextExpression("\(name)()", inner.value)
  }

  private func switchOverTuple() -> TextExpression? {
    guard let left = flag(), let right = flag() else { return nil }
    let (name, texts) = (program.word(), [literal(), literal(), literal()])
    add(
      Statement([
        "let \(name) =", "  switch (\(left.name), \(right.name)) {", "  case (true, true): \(texts[0].code)",
        "  case (_, true), (true, _): \(texts[1].code)", "  case (false, false): \(texts[2].code)", "  }",
      ]))
    return TextExpression(name) {
      texts[2 - $0.choices[left.index] - $0.choices[right.index]].value($0)
    }
  }

  /// Two types with an inner type of one name, and a name that is looked up from the inside.
  private func nestedTypes() -> TextExpression? {
    let (left, right, texts) = (program.typeName(), program.typeName(), [literal(), literal()])
    for (type, text) in zip([left, right], texts) {
      program.declare([
        "struct \(type) {", "  enum Key {", "    static let id = \(text.code)", "  }", "",
        "  static func key() -> String { Key.id }", "}",
      ])
    }
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(right).key()", texts[1].value) : TextExpression("\(left).Key.id", texts[0].value)
  }

  private func observed() -> TextExpression? {
    let (type, object, texts) = (program.typeName(), program.word(), [literal(), literal()])
    program.declare([
      "final class \(type) {", "  var name = \"\"", "  var count = 0 {", "    didSet { name += \(texts[0].code) }",
      "  }",
      "}",
    ])
    add(Statement(["let \(object) = \(type)()", "\(object).name = \(texts[1].code)", "\(object).count = 1"]))
    return TextExpression("\(object).name") { texts[1].value($0) + texts[0].value($0) }
  }

  private func lateConstant() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (name, copy, texts) = (program.word(), program.word(), [literal(), literal()])
    add(
      Statement([
        "var \(name) = \(texts[0].code)", "let \(copy) = \(name)", "if \(flag.name) { \(name) = \(texts[1].code) }",
        "_ = \(name)",
      ]))
    return TextExpression(copy, texts[0].value)
  }
}
