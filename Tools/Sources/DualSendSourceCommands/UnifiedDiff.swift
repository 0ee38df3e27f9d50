import DualSendCore

/// The difference of two texts of one file, in the format of `patch` and `git apply` (POSIX, `diff -u`).
package struct UnifiedDiff {
  private static let contextLines = 3

  /// The diff; empty if the texts are equal.
  package let text: String

  /// Compares two texts.
  ///
  /// - Parameters:
  ///   - path: the file's name; an absolute path stays absolute.
  ///   - old: the text before; `nil` for a new file.
  package init(_ path: String, from old: String?, to new: String) {
    let (oldLines, newLines) = (Self.lines(old ?? ""), Self.lines(new))
    let steps = EditStep.steps(from: oldLines.map { ExactText($0) }, to: newLines.map { ExactText($0) })
    guard steps.contains(where: { $0.kind != .same }) else {
      text = ""
      return
    }
    let entries = steps.map { step in
      Entry(step: step, line: step.kind == .removed ? oldLines[step.old] : newLines[step.new])
    }
    let name = path.hasPrefix("/") ? (path, path) : ("a/" + path, "b/" + path)
    text =
      "--- \(old == nil ? "/dev/null" : Self.quoted(name.0))\n+++ \(Self.quoted(name.1))\n" + Self.hunks(entries)
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

  private struct Entry {
    let step: EditStep
    let line: String
  }

  /// Lines with their line feeds, so that a last line without a line feed is different from one with it.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    for byte in text.utf8 {
      line.append(byte)
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      }
    }
    if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  private static func hunks(_ entries: [Entry]) -> String {
    let changed = entries.indices.filter { entries[$0].step.kind != .same }
    var text = ""
    var position = 0
    while position < changed.count {
      let start = max(changed[position] - contextLines, 0)
      var end = changed[position]
      while position < changed.count, changed[position] <= end + 2 * contextLines {
        end = changed[position]
        position += 1
      }
      let hunk = entries[start..<min(end + contextLines + 1, entries.count)]
      guard let first = hunk.first else { continue }
      text += "@@ -\(range(hunk, first.step.old, .added)) +\(range(hunk, first.step.new, .removed)) @@\n"
      for entry in hunk {
        text += String(entry.step.kind.mark) + entry.line
        if !entry.line.utf8.reversed().starts(with: [UInt8(ascii: "\n")]) { text += "\n\\ No newline at end of file\n" }
      }
    }
    return text
  }

  private static func range(_ hunk: ArraySlice<Entry>, _ start: Int, _ foreign: EditStep.Kind) -> String {
    let count = hunk.count { $0.step.kind != foreign }
    return "\(count == 0 ? start : start + 1),\(count)"
  }
}
