import DualSendCommandLine
import DualSendCore
import DualSendTesting

/// The comparison of a folder's golden files with the current results.
struct GoldenComparison {
  private let events: GoldenEvents
  private var matchingCount = 0
  private var differing: [(file: String, lines: String)] = []
  private var missing: [String] = []
  /// Files without an event.
  var orphans: [String] = []

  init(_ events: GoldenEvents) {
    self.events = events
  }

  mutating func add(_ verdict: GoldenVerdict, _ file: String) {
    switch verdict {
    case .matches: matchingCount += 1
    case .differs(let lines): differing.append((file, lines))
    case .missing: missing.append(file)
    }
  }

  var isMatch: Bool { differing.isEmpty && missing.isEmpty && orphans.isEmpty }

  /// The lines that differ, the missing and orphaned files, and the totals.
  var text: String {
    let differences = groups.map(\.text)
    let lines = missing.map { "missing   \($0.printable())" } + orphans.map { "orphaned  \($0.printable())" }
    let total =
      "\(events.cases.count.counted("event")): \(matchingCount.grouped) as in the golden file, "
      + "\(differing.count.grouped) different, \(missing.count.grouped) without a file; "
      + "\(orphans.count.counted("file")) without an event"
    return (differences + lines + [total]).joined(separator: "\n")
  }

  /// The files with equal differences together, in order of their first file.
  private var groups: [Group] {
    var groups: [Group] = []
    var known: [[String]: Int] = [:]
    for difference in differing {
      let shape = GoldenDifference(difference.lines).shape
      if let index = known[shape] {
        groups[index].others.append(difference.file)
      } else {
        known[shape] = groups.count
        groups.append(Group(file: difference.file, lines: difference.lines))
      }
    }
    return groups
  }

  /// Files that differ in the same way. The first is shown, the others are named.
  private struct Group {
    private static let shownNames = 10
    let file: String
    let lines: String
    var others: [String] = []

    var text: String {
      var text = "differs   \(file.printable())  (- golden file, + now)\n\(lines)\n"
      guard !others.isEmpty else { return text }
      let names = others.prefix(Self.shownNames).map { $0.printable() }.joined(separator: ", ")
      text += "and in the same way \(others.count.counted("more file")): \(names)"
      return text + (others.count > Self.shownNames ? ", …\n" : "\n")
    }
  }

  var json: EventValue {
    [
      "matching": .int(Int64(matchingCount)),
      "differing": .array(
        differing.map { difference in
          let lines = difference.lines.split(separator: "\n", omittingEmptySubsequences: false)
          return ["file": .string(difference.file), "lines": .array(lines.map { .string(String($0)) })]
        }),
      "missing": .array(missing.map { .string($0) }), "orphaned": .array(orphans.map { .string($0) }),
      "leftOutEvents": .int(Int64(events.leftOutCount)), "malformedLines": .int(Int64(events.malformedLines)),
    ]
  }
}

/// The lines that differ between a golden file and the current result.
struct GoldenDifference {
  private struct Line {
    let mark: Character
    let key: Substring
    let value: Substring
  }

  private let lines: [Line]

  /// - Parameter text: removed lines (`-`), added lines (`+`), and their context.
  init(_ text: String) {
    lines = text.split(separator: "\n").compactMap { line in
      guard let mark = line.first, mark == "-" || mark == "+" else { return nil }
      let text = line.dropFirst().drop { $0 == " " }
      let end = text.firstRange(of: "\": ")?.upperBound ?? text.startIndex
      let value = text[end...]
      return Line(mark: mark, key: text[..<end], value: value.last == "," ? value.dropLast() : value)
    }
  }

  /// The changes, without values that only moved from one key to another. Equal for all events that one wrong row
  /// renames, whatever their values.
  var shape: [String] {
    let gone = Set(lines.filter { $0.mark == "-" && !$0.key.isEmpty }.map(\.value))
    let new = Set(lines.filter { $0.mark == "+" && !$0.key.isEmpty }.map(\.value))
    let moved = gone.intersection(new)
    return lines.map { "\($0.mark)\($0.key)" + (moved.contains($0.value) ? "" : $0.value) }
  }
}
