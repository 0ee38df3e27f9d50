/// The ways in which a program comes by an event's name or a key: each can be resolved from the sources.
extension SiteWriter {
  /// An expression whose every value is known.
  func text() -> TextExpression {
    if program.random.isHit(oneIn: 3) { return literal() }
    let forms: [() -> TextExpression?] = [
      constant, constantOfExtension, clashingConstant, rawValue, rawValueOfParameter, computedProperty, ternary,
      coalescing, concatenation, interpolation, function, functionOfText, switchAssigned, conditionExpression, tuple,
      closure, reassigned, shadowed, storedProperty, overload, override, requirement, multilineText, memberOfContext,
      conditionalCompilation, lookup, generic, textTrap, textTrap, textTrap, textTrap, textTrap, textTrap, shadowTrap,
      shadowTrap, shadowTrap,
    ]
    for _ in 0..<4 {
      if let text = program.random.element(forms)() { return text }
    }
    return literal()
  }

  /// A text in any of the ways in which Swift writes one.
  func literal() -> TextExpression {
    let word = program.word()
    return switch program.random.number(below: 8) {
    case 0: TextExpression(##"#"\##(word).\n"#"##, constant: word + #".\n"#)
    case 1: TextExpression(##""\u{E9}.\##(word)""##, constant: "\u{E9}." + word)
    case 2: TextExpression(##""say \"\##(word)\"""##, constant: "say \"\(word)\"")
    case 3: TextExpression(##"#"\#u{61}\##(word)"#"##, constant: "a" + word)
    case 4: TextExpression("\"\(word)_名前\"", constant: word + "_名前")
    default: TextExpression("\"\(word)\"", constant: word)
    }
  }

  // MARK: Constants

  private func constant() -> TextExpression? {
    let (type, text) = (program.typeName(), literal())
    program.declare(["enum \(type) {", "  static let value = \(text.code)", "}"])
    return TextExpression("\(type).value", text.value)
  }

  private func constantOfExtension() -> TextExpression? {
    let (type, first, text) = (program.typeName(), literal(), literal())
    program.declare(["struct \(type) {", "  enum Inner {", "    static let first = \(first.code)", "  }", "}"])
    program.declare(["extension \(type).Inner {", "  static var second: String { \(text.code) + first }", "}"])
    return TextExpression("\(type).Inner.second") { text.value($0) + first.value($0) }
  }

  /// Two types that have a constant of one name, and a third name for one of them.
  private func clashingConstant() -> TextExpression? {
    let (left, right, alias) = (program.typeName(), program.typeName(), program.typeName())
    let (leftText, rightText) = (literal(), literal())
    program.declare(["enum \(left) {", "  static let title = \(leftText.code)", "}"])
    program.declare(["enum \(right) {", "  static let title = \(rightText.code)", "}"])
    program.declare(["typealias \(alias) = \(right)"])
    return program.random.isHit(oneIn: 2)
      ? TextExpression("\(alias).title", rightText.value) : TextExpression("\(left).title", leftText.value)
  }

  // MARK: Enums

  private func rawValue() -> TextExpression? {
    let type = program.typeName()
    let (implicit, explicit, quoted, text) = (program.word(), program.word(), program.word(), literal())
    program.declare(["enum \(type): String {", "  case `\(quoted)`, \(implicit), \(explicit) = \(text.code)", "}"])
    return switch program.random.number(below: 3) {
    case 0: TextExpression("\(type).\(implicit).rawValue", constant: implicit)
    case 1: TextExpression("\(type).`\(quoted)`.rawValue", constant: quoted)
    default: TextExpression("\(type).\(explicit).rawValue", text.value)
    }
  }

  private func rawValueOfParameter() -> TextExpression? {
    let (type, words) = (program.typeName(), [program.word(), program.word()])
    guard let choice = parameter(type, words.map { "." + $0 }) else { return nil }
    program.declare(["enum \(type): String, CaseIterable {", "  case \(words.joined(separator: ", "))", "}"])
    return TextExpression("\(choice.name).rawValue") { words[$0.choices[choice.index]] }
  }

  private func computedProperty() -> TextExpression? {
    let (type, property) = (program.typeName(), program.word())
    let texts = [literal(), literal()]
    let kinds = [0, 1, program.random.number(below: 2)]
    guard let choice = parameter(type, ["first", "second(1)", "third"].map { "." + $0 }) else { return nil }
    program.declare(["enum \(type) {", "  case first", "  case second(Int), third", "}"])
    let isGrouped = kinds[2] == 0
    program.declare(
      ["extension \(type) {", "  var \(property): String {", "    switch self {"]
        + (isGrouped
          ? ["    case .first, .third: return \(texts[0].code)", "    case .second: return \(texts[1].code)"]
          : ["    case .first:", "      return \(texts[0].code)", "    default: return \(texts[1].code)"])
        + ["    }", "  }", "}"])
    return TextExpression("\(choice.name).\(property)") { texts[kinds[$0.choices[choice.index]]].value($0) }
  }

  // MARK: Decisions

  private func ternary() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (yes, no) = (text(), text())
    return TextExpression("(\(flag.name) ? \(yes.code) : \(no.code))") {
      $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0)
    }
  }

  private func coalescing() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (maybe, yes, no) = (program.word(), literal(), literal())
    add(Statement(["let \(maybe): String? = \(flag.name) ? \(yes.code) : nil"]))
    return TextExpression("(\(maybe) ?? \(no.code))") { $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0) }
  }

  private func switchAssigned() -> TextExpression? {
    guard let choice = parameter("Int", ["0", "1", "2"]) else { return nil }
    let (name, texts) = (program.word(), [literal(), literal()])
    add(
      Statement([
        "let \(name): String", "switch \(choice.name) {", "case 0: \(name) = \(texts[0].code)",
        "case 1: fallthrough", "default:", "  \(name) = \(texts[1].code)", "}",
      ]))
    return TextExpression(name) { texts[$0.choices[choice.index] == 0 ? 0 : 1].value($0) }
  }

  private func conditionExpression() -> TextExpression? {
    guard let flag = flag() else { return nil }
    let (name, yes, no) = (program.word(), literal(), literal())
    let lines =
      program.random.isHit(oneIn: 2)
      ? ["let \(name) = if \(flag.name) { \(yes.code) } else { \(no.code) }"]
      : ["let \(name) =", "  switch \(flag.name) {", "  case true: \(yes.code)", "  case false: \(no.code)", "  }"]
    add(Statement(lines))
    return TextExpression(name) { $0.choices[flag.index] == 1 ? yes.value($0) : no.value($0) }
  }

  private func conditionalCompilation() -> TextExpression? {
    guard let index = compilationCondition() else { return nil }
    let (name, yes, no) = (program.word(), literal(), literal())
    add(
      Statement([
        "#if \(Self.condition)", "let \(name) = \(yes.code)", "#else", "let \(name) = \(no.code)", "#endif",
      ]))
    return TextExpression(name) { $0.choices[index] == 1 ? yes.value($0) : no.value($0) }
  }
}
