/// The lines that differ between a golden file and what is now, taken apart.
struct GoldenDifference {
  private struct Line {
    let mark: Character
    let key: Substring
    let value: Substring
  }

  private let lines: [Line]

  /// - Parameter text: a line each for what is gone (`-`), what is new (`+`), and what stands around it.
  init(_ text: String) {
    lines = text.split(separator: "\n").compactMap { line in
      guard let mark = line.first, mark == "-" || mark == "+" else { return nil }
      let text = line.dropFirst().drop { $0 == " " }
      let end = text.firstRange(of: "\": ")?.upperBound ?? text.startIndex
      let value = text[end...]
      return Line(mark: mark, key: text[..<end], value: value.last == "," ? value.dropLast() : value)
    }
  }

  /// What changed, without the values that only went from one key to another: equal for all events that one wrong row
  /// renames, whatever they hold there.
  var shape: [String] {
    let gone = Set(lines.filter { $0.mark == "-" && !$0.key.isEmpty }.map(\.value))
    let new = Set(lines.filter { $0.mark == "+" && !$0.key.isEmpty }.map(\.value))
    let moved = gone.intersection(new)
    return lines.map { "\($0.mark)\($0.key)" + (moved.contains($0.value) ? "" : $0.value) }
  }
}
