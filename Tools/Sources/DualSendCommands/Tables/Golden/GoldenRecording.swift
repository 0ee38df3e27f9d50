import DualSendCommandLine
import DualSendCore
import DualSendTesting

/// The files that a recording run wrote.
struct GoldenRecording {
  private let events: GoldenEvents
  private var new: [String] = []
  private var changed: [String] = []
  private var unchangedCount = 0
  /// Files without an event.
  var orphans: [String] = []

  init(_ events: GoldenEvents) {
    self.events = events
  }

  /// Adds a file by its state before it was written.
  mutating func add(_ verdict: GoldenVerdict, _ file: String) {
    switch verdict {
    case .missing: new.append(file)
    case .differs: changed.append(file)
    case .matches: unchangedCount += 1
    }
  }

  /// A line for each new, changed or orphaned file, and the totals.
  func text(below folder: String) -> String {
    let lines =
      new.map { "new       \($0)" } + changed.map { "changed   \($0)" } + orphans.map { "orphaned  \($0.printable())" }
    let total =
      "\(events.cases.count.counted("golden file")) recorded below \(folder.printable()): \(new.count.grouped) new, "
      + "\(changed.count.grouped) changed, \(unchangedCount.grouped) as before; "
      + "\(orphans.count.counted("file")) without an event"
    return (lines + [total]).joined(separator: "\n")
  }

  var json: EventValue {
    [
      "recorded": .int(Int64(events.cases.count)), "new": .array(new.map { .string($0) }),
      "changed": .array(changed.map { .string($0) }), "unchanged": .int(Int64(unchangedCount)),
      "orphaned": .array(orphans.map { .string($0) }), "leftOutEvents": .int(Int64(events.leftOutCount)),
      "malformedLines": .int(Int64(events.malformedLines)),
    ]
  }
}
