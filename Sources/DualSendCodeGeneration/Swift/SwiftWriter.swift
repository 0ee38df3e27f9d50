import DualSendCore

/// Writes indented code.
struct SwiftWriter {
  private(set) var text = ""
  private var indent = 0

  /// Writes a line. Empty lines have no spaces.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: indent) + line }
    text += "\n"
  }

  /// Writes a block with an opening and a closing line; an empty block on one line.
  mutating func block(_ opening: String, closing: String = "}", _ body: (inout SwiftWriter) -> Void) {
    var inner = SwiftWriter()
    inner.indent = indent + 1
    body(&inner)
    if inner.text.isEmpty {
      line(opening + closing)
      return
    }
    line(opening)
    text += inner.text
    line(closing)
  }

  /// Writes a documentation comment of several paragraphs. Empty ones are left out.
  ///
  /// Each line break starts a new comment line, and invisible characters are escaped, so that no text can end the
  /// comment.
  mutating func documentation(_ paragraphs: String...) {
    let text = paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
    guard !text.isEmpty else { return }
    for line in PrintableText.lines(SpecificationText.trimmed(text)).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      self.line(line.isEmpty ? "///" : "/// " + line)
    }
  }

  /// Writes a comment of one line.
  mutating func comment(_ text: String) {
    line("// " + text.printable(limit: PrintableText.lineLimit))
  }

  /// Writes a memberwise initializer.
  mutating func initializer(_ access: String, _ properties: [(name: String, type: String)]) {
    if properties.isEmpty {
      line("\(access)init() {}")
      return
    }
    call("\(access)init", properties.map { "\($0.name): \($0.type)" }, closing: ") {")
    for property in properties { line("  self.\(property.name) = \(property.name)") }
    line("}")
  }

  /// Writes a call, on one line if it fits.
  mutating func call(_ function: String, _ arguments: [String], closing: String = ")") {
    let oneLine = function + "(" + arguments.joined(separator: ", ") + closing
    if arguments.isEmpty || (indent * 2 + oneLine.utf8.count <= 110 && !oneLine.contains("\n")) {
      line(oneLine)
      return
    }
    block(function + "(", closing: closing) { writer in
      for (index, argument) in arguments.enumerated() {
        let lines = argument.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
          let isEnd = number == lines.count - 1 && index < arguments.count - 1
          writer.line(String(line) + (isEnd ? "," : ""))
        }
      }
    }
  }
}
