@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendTesting

/// How the golden files of a folder stand to what became of the events.
struct GoldenComparison {
  private let events: GoldenEvents
  private var matchingCount = 0
  private var differing: [(file: String, lines: String)] = []
  private var missing: [String] = []
  /// Files that belong to no event.
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

  /// The lines that differ, what is missing or left over, and the totals.
  var text: String {
    let differences = differing.map { "differs   \($0.file)  (- golden file, + now)\n\($0.lines)\n" }
    let lines = missing.map { "missing   \($0)" } + orphans.map { "orphaned  \($0)" }
    let total =
      "\(events.first.count.counted("event")): \(matchingCount.grouped) as in the golden file, "
      + "\(differing.count.grouped) otherwise, \(missing.count.grouped) without a file; "
      + "\(orphans.count.counted("file")) without an event"
    return (differences + lines + [total]).joined(separator: "\n")
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
      "laterEvents": .int(Int64(events.laterCount)), "malformedLines": .int(Int64(events.malformedLines)),
    ]
  }
}
