@_spi(Tools) import DualSendCore

/// Writes JSON with one member or element a line, so that a line that changes is a value that changed.
struct GoldenText {
  private var text = ""

  /// An object with these members in this order; keys further in are sorted.
  static func text(_ members: [(key: String, value: EventValue)]) -> String {
    var writer = GoldenText()
    writer.list("{", "}", members, indent: 0) { writer, member in writer.member(member, indent: 1) }
    return writer.text + "\n"
  }

  private mutating func value(_ value: EventValue, indent: Int) {
    switch value {
    case .object(let members) where !members.isEmpty:
      let sorted = members.sorted { precedesInUTF16($0.key, $1.key) }
      list("{", "}", sorted, indent: indent) { writer, member in writer.member(member, indent: indent + 1) }
    case .array(let elements) where !elements.isEmpty:
      list("[", "]", elements, indent: indent) { writer, element in writer.value(element, indent: indent + 1) }
    default: text += value.canonicalText
    }
  }

  private mutating func member(_ member: (key: String, value: EventValue), indent: Int) {
    text += EventValue.string(member.key).canonicalText + ": "
    value(member.value, indent: indent)
  }

  private mutating func list<Item>(
    _ open: String, _ close: String, _ items: [Item], indent: Int, _ write: (inout GoldenText, Item) -> Void
  ) {
    text += open
    for (position, item) in items.enumerated() {
      text += (position > 0 ? ",\n" : "\n") + String(repeating: "  ", count: indent + 1)
      write(&self, item)
    }
    text += "\n" + String(repeating: "  ", count: indent) + close
  }
}
