import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendTesting

/// `dualsend golden record`: writes golden files for review.
struct GoldenRecordVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write golden files for the events of a file.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      A run that records verifies nothing, so the exit status is always 1. If `CI` is set and not empty, recording is \
      refused. Files without an event are named and left in place.
      """.examples(
        "dualsend golden record --events old.jsonl --remap remapping.json \\\n      --rollout rollout.json --folder golden"
      )
  )

  @OptionGroup var options: GoldenOptions

  var format: OutputFormat { options.output.format }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    guard !GoldenMode.refusesRecording(in: terminal.environment) else {
      throw CommandError(
        "golden files are not recorded if `CI` is set",
        help: "record them locally, review the changes, and commit them")
    }
    let adapter = try options.adapter(on: terminal)
    let events = try options.read(on: terminal)
    let folder = options.files
    var recording = GoldenRecording(events)
    do {
      for item in events.cases {
        let text = await adapter.record(item.event).text
        recording.add(try folder.verdict(on: text, inFile: item.file), item.file)
        try folder.record(text, inFile: item.file)
      }
      recording.orphans = try folder.orphans(besidesFiles: events.files)
    } catch {
      throw CommandError("cannot record below \(options.folder): \(error)", help: "check the path")
    }
    if format == .json {
      terminal.result(recording.json)
    } else {
      terminal.result(recording.text(below: options.folder))
    }
    terminal.note("note: nothing was verified; review the changes, commit them, and run `dualsend golden verify`")
    return .findings
  }
}

// MARK: - Golden recording

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
