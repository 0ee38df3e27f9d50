/// What the sources do not decide: whoever reads them may say what he has found, but not that this is all.
extension SiteWriter {
  /// Ends the function with a call whose name or keys come from elsewhere.
  func openCall() {
    isOpen = true
    let known = program.random.isHit(oneIn: 2)
    let name = known ? text() : openText()
    let fields = known || program.random.isHit(oneIn: 3) ? openFields() : fields()
    let wraps = program.random.isHit(oneIn: 4)
    let function = program.word()
    if wraps {
      program.declare([
        "func \(function)(_ name: String, _ fields: [String: Any]) {",
        "  \(program.markOpen())logger.logEvents(name: name, parameters: [fields])", "}",
      ])
    }
    add(
      Statement([
        wraps
          ? "\(mark)\(function)(\(name.code), \(fields.code))"
          : "\(mark)logger.logEvents(name: \(name.code), parameters: [\(fields.code)])"
      ]) { state in state.send(name.value(state), fields.value(state)) })
  }

  // MARK: Names

  private func openText() -> TextExpression {
    let (type, word) = (program.typeName(), program.word())
    let text = literal()
    switch program.random.number(below: 7) {
    case 0: return TextExpression("unknownText()", constant: "")
    case 1:
      program.declare(["public enum \(type) {", "  public nonisolated(unsafe) static var name = \(text.code)", "}"])
      program.hide(["func set\(type)() { \(type).name = unknownText() }"])
      return TextExpression("\(type).name", constant: "")
    case 2:
      program.declare(["public final class \(type) {", "  public var name = \(text.code)", "  public init() {}", "}"])
      add(Statement(["let \(word) = \(type)()", "rename(\(word))"]))
      program.hide(["func rename(_ object: \(type)) { object.name = unknownText() }"])
      return TextExpression("\(word).name", constant: "")
    case 3:
      program.declare(["public protocol \(type) {", "  var name: String { get }", "}"])
      program.declare(["struct Seen\(type): \(type) {", "  let name = \(text.code)", "}"])
      program.hide(["struct Hidden\(type): \(type) {", "  let name = unknownText()", "}"])
      program.hide(["func some\(type)() -> any \(type) { Hidden\(type)() }"])
      return TextExpression("some\(type)().name", constant: "")
    case 4:
      let choice = parameter("String", ["\"given\""])
      return TextExpression("\"at_\\(\(choice?.name ?? "unknownText()"))\"", constant: "")
    case 5:
      add(Statement(["var \(word) = \(text.code)", "changeText(&\(word))"]))
      return TextExpression(word, constant: "")
    default:
      add(Statement(["let \(word) = unknownText()"]))
      return TextExpression("(\(text.code) + \(word))", constant: "")
    }
  }

  // MARK: Parameters

  private func openFields() -> FieldsExpression {
    let (name, start) = (program.word(), fields())
    func variable(_ lines: [String]) -> FieldsExpression {
      add(Statement(["var \(name): [String: Any] = \(start.code)"] + lines))
      return FieldsExpression(code: name, value: start.value)
    }
    switch program.random.number(below: 13) {
    case 0: return FieldsExpression(code: "unknownFields()", value: start.value)
    case 1: return FieldsExpression(code: "\(start.typed).merging(unknownFields()) { $1 }", value: start.value)
    case 2: return variable(["changeFields(&\(name))"])
    case 3: return variable(["keep { \(name)[unknownText()] = 1 }"])
    case 4: return variable(["\(name)[unknownText()] = 1"])
    case 5: return variable(["for key in unknownFields().keys { \(name)[key] = 1 }"])
    case 6: return variable(["\(name).merge(unknownFields()) { old, _ in old }"])
    case 7: return FieldsExpression(code: "unknownFields().filter { $0.key != \"x\" }", value: start.value)
    case 8:
      let choice = parameter("[String: Any]", ["[\"given\": 1]"])
      return FieldsExpression(code: choice?.name ?? "unknownFields()", value: start.value)
    case 9:
      let key = literal()
      return FieldsExpression(
        code: "[\(key.code) + unknownText(): 1]", isLiteral: true, value: start.value)
    case 10:
      return FieldsExpression(code: "((unknownValue() as? [String: Any]) ?? \(start.typed))", value: start.value)
    case 11: return variable(["\(name)[\"\(program.word())\"] = 1", "\(name) = \(name).filter(isUnwanted)"])
    default:
      let function = program.word()
      return variable([
        "func \(function)() { changeFields(&\(name)) }", "\(function)()",
      ])
    }
  }
}
