import DualSendCore

/// The difference of two texts of one file, in the format of `patch` and `git apply` (POSIX, `diff -u`).
package struct UnifiedDiff {
  private static let contextLines = 3

  /// The diff; empty if the texts are equal.
  package let text: String

  /// Compares two texts.
  ///
  /// - Parameter path: the file's name; an absolute path stays absolute.
  package init(_ path: String, from old: String, to new: String) {
    let (oldLines, newLines) = (Self.lines(old), Self.lines(new))
    let steps = EditStep.steps(from: oldLines, to: newLines)
    guard steps.contains(where: { $0.kind != .same }) else {
      text = ""
      return
    }
    let lines = steps.map { step in
      Line(step: step, text: (step.kind == .removed ? oldLines[step.old] : newLines[step.new]).text)
    }
    let name = path.hasPrefix("/") ? (path, path) : ("a/" + path, "b/" + path)
    text = "--- \(Self.quoted(name.0))\n+++ \(Self.quoted(name.1))\n" + Self.hunks(lines)
  }

  /// A file's name as `git diff` writes it: quoted if it contains control characters, and followed by a tab if it
  /// contains a space, because readers of diffs take the text after a tab for a date.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar != "\"" && scalar != "\\" && scalar.properties.generalCategory != .control
        && !scalar.properties.isBidiControl && scalar.value != 0x2028 && scalar.value != 0x2029
    }
    if isPlain { return name.contains(" ") ? name + "\t" : name }
    let bytes = name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\" + String(0o1000 + Int(byte), radix: 8).dropFirst()
      }
    }
    return "\"" + bytes.joined() + "\""
  }

  private struct Line {
    let step: EditStep
    let text: String
  }

  /// Lines with their line feeds, so that a last line without a line feed is different from one with it.
  private static func lines(_ text: String) -> [ExactText] {
    var lines: [ExactText] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map(rest.index(after:)) ?? rest.endIndex
      lines.append(ExactText(String(decoding: rest[..<end], as: UTF8.self)))
      rest = rest[end...]
    }
    return lines
  }

  private static func hunks(_ lines: [Line]) -> String {
    let changed = lines.indices.filter { lines[$0].step.kind != .same }
    var text = ""
    var position = 0
    while position < changed.count {
      let start = max(changed[position] - contextLines, 0)
      var end = changed[position]
      while position < changed.count, changed[position] <= end + 2 * contextLines {
        end = changed[position]
        position += 1
      }
      let hunk = lines[start..<min(end + contextLines + 1, lines.count)]
      guard let first = hunk.first else { continue }
      text += "@@ -\(range(hunk, first.step.old, .added)) +\(range(hunk, first.step.new, .removed)) @@\n"
      for line in hunk {
        text += String(line.step.kind.mark) + line.text
        if line.text.utf8.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n" }
      }
    }
    return text
  }

  private static func range(_ hunk: ArraySlice<Line>, _ start: Int, _ foreign: EditStep.Kind) -> String {
    let count = hunk.count { $0.step.kind != foreign }
    return "\(count == 0 ? start : start + 1),\(count)"
  }
}
