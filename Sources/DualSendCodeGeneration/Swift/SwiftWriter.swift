import DualSendCore

/// Writes code line by line, two spaces a level.
struct SwiftWriter {
  private(set) var text = ""
  private var indent = 0

  /// One line; an empty one has no spaces.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: indent) + line }
    text += "\n"
  }

  /// A line, what it encloses, and the line that closes it.
  ///
  /// What encloses nothing stays on one line.
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

  /// A documentation comment of several paragraphs, each of any number of lines; empty ones are left out.
  ///
  /// A comment of this kind ends with its line, so that line ends are all that could end it: every one of them begins
  /// another line of the comment, and what a reader cannot see is written out.
  mutating func documentation(_ paragraphs: String...) {
    let text = paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
    guard !text.isEmpty else { return }
    for line in PrintableText.lines(SpecificationText.trimmed(text)).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      self.line(line.isEmpty ? "///" : "/// " + line)
    }
  }

  /// An ordinary comment of one line.
  mutating func comment(_ text: String) {
    line("// " + text.printable(limit: PrintableText.lineLimit))
  }

  /// An initializer that sets every property from the argument of its name.
  mutating func initializer(_ access: String, _ properties: [(name: String, type: String)]) {
    if properties.isEmpty {
      line("\(access)init() {}")
      return
    }
    call("\(access)init", properties.map { "\($0.name): \($0.type)" }, closing: ") {")
    for property in properties { line("  self.\(property.name) = \(property.name)") }
    line("}")
  }

  /// A call with its arguments, on one line if they are few.
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
