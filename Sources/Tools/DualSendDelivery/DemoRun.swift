import ArgumentParser
import DualSend
package import DualSendCollector
package import DualSendCommandLine
import DualSendCore
import DualSendParity
package import Foundation

/// The arguments of `dualsend demo` and what they do. `scripts/demo` runs them in a program of their own, which is built
/// without the other verbs.
package struct DemoRun: ParsableArguments {
  package static let abstract =
    "Migrate from the old logger to the new tracker in five rollout revisions, and check that nothing was lost."
  package static let discussion = """
    Starts a collector and a config server on free ports of 127.0.0.1. In each stage, the config server serves the next \
    revision and the same legacy events pass through one adapter. The events in each sink are compared with the rollout's \
    decisions, and the two streams are compared field by field. Exit status 1 if anything was lost or differs.
    With --console, it prints the address of a page and sends the same events slowly, until SIGINT or SIGTERM. Rollouts \
    published on the page apply to the next events.
    """.examples("dualsend demo", "dualsend demo --wire-format segment --fault '503*3'", "dualsend demo --console")

  @Option(help: ArgumentHelp("The folder with events.jsonl, remapping.json and rollout-1…5.json.", valueName: "folder"))
  package var fixtures = "Fixtures/legacy"
  @Option(
    name: .output,
    help: ArgumentHelp("Keep the database and both sinks' files here.", valueName: "folder"))
  private var out: String?
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A fault of the collector, as for `dualsend collector`; may be repeated.", valueName: "fault"),
    transform: { try CollectorFault($0) })
  private var fault: [CollectorFault] = []
  @OptionGroup private var formats: CollectorFormatOption

  package init() {}

  /// The format of results and diagnostics.
  package var format: OutputFormat { formats.results }

  /// The options that apply only without the console; `nil` if none is set.
  package var conflictWithConsole: String? {
    if formats.collector != .dualsend { return "--console supports only --wire-format dualsend" }
    return fault.isEmpty ? nil : "--fault and --console exclude each other"
  }

  /// Calls the body with an empty folder, which is removed afterwards unless the arguments name it.
  package func withFolder(_ body: (URL) async throws -> CommandStatus) async throws -> CommandStatus {
    let folder = URL(fileURLWithPath: out ?? NSTemporaryDirectory() + "dualsend-demo-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if out == nil { try? FileManager.default.removeItem(at: folder) } }
    guard try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty else {
      throw CommandError("\(folder.path) is not empty", help: "name a new folder: the demo counts from zero")
    }
    return try await body(folder)
  }

  /// Runs the migration and prints its figures.
  package func run(on terminal: Terminal) async throws -> CommandStatus {
    try await withFolder { folder in try await migrate(in: folder, on: terminal) }
  }

  private func migrate(in folder: URL, on terminal: Terminal) async throws -> CommandStatus {
    let collector = CollectorServer(
      CollectorConfiguration(
        format: formats.collector, output: folder.appendingPathComponent("new.jsonl"), faults: fault, keptEvents: 0))
    try await collector.start()
    guard let endpoint = await collector.url(), let rolloutURL = await collector.url(DemoJourney.rolloutPath) else {
      throw CommandError("the collector has no address")
    }
    let journey = DemoJourney(
      fixtures: URL(fileURLWithPath: fixtures), folder: folder, collector: collector,
      endpoint: TrackingEndpoint(url: endpoint, collector: formats.collector), format: formats.collector,
      rolloutURL: rolloutURL, transport: terminal.transport)
    var line = ProgressLine(terminal)
    let stages: [DemoJourney.Stage]
    do {
      stages = try await journey.run { title, share in line.show("\(title): \(Int(share * 100)) %") }
    } catch {
      await collector.stop()
      throw error
    }
    line.clear()
    let totals = await collector.totals
    await collector.stop()
    let parity = try journey.compare()
    let judgement = ParityGate().judgement(on: parity)
    if format == .json {
      terminal.result(["stages": json(stages), "parity": parity.json(judgement)])
    } else {
      terminal.result(text(stages, totals) + "\n" + parity.text(judgement))
    }
    return stages.allSatisfy(\.lostNothing) && judgement.passes ? .clean : .findings
  }

  private func text(_ stages: [DemoJourney.Stage], _ totals: CollectorTotals) -> String {
    var table = TextTable(
      [.words("stage")]
        + ["revision", "seen", "old only", "both", "new only", "neither", "in old log", "in collector"].map {
          TextTable.Column.numbers($0)
        })
    for (index, stage) in stages.enumerated() {
      let total = stage.report.total
      let outcomes = [.oldOnly, .both, .newOnly, .neither].map { (total.outcomes[$0] ?? 0).grouped }
      table.addRow(
        ["\(index + 1) \(stage.title)", stage.revision.grouped, total.seen.grouped] + outcomes
          + [stage.oldSink.found.grouped, stage.newSink.found.grouped])
    }
    let ledger = stages.last.map { "ledger: \($0.report.ledger)\n" } ?? ""
    let collected =
      "collector: \(totals.accepted.counted("event")) in \(totals.requests.counted("request")),"
      + " \(totals.duplicates.counted("duplicate")), \(totals.faults.counted("fault"))\n"
    return table.text + ledger + collected + verdict(stages) + "\n"
  }

  private func verdict(_ stages: [DemoJourney.Stage]) -> String {
    let faulty = stages.filter { !$0.lostNothing }
    let seen = stages.reduce(0) { $0 + $1.report.total.seen }
    if faulty.isEmpty {
      return "nothing was lost: each of \(seen.counted("event")) reached every sink that the rollout selected, once"
    }
    return faulty.map { stage in
      "stage \(stage.title) does not add up: old \(stage.oldSink.found) of \(stage.oldSink.expected),"
        + " new \(stage.newSink.found) of \(stage.newSink.expected)"
    }.joined(separator: "\n")
  }

  private func json(_ stages: [DemoJourney.Stage]) -> EventValue {
    .array(
      stages.map { stage in
        [
          "stage": .string(stage.title), "revision": .int(stage.revision),
          "counts": .object(stage.report.total.members),
          "inOldLog": .int(Int64(stage.oldSink.found)), "inCollector": .int(Int64(stage.newSink.found)),
          "ledger": stage.report.ledger.json, "lostNothing": .bool(stage.lostNothing),
        ]
      })
  }
}

// MARK: - Collector format option

/// `--wire-format` and `--format` of verbs that use a collector.
package struct CollectorFormatOption: ParsableArguments {
  @Option(
    name: .customLong("wire-format"),
    help: ArgumentHelp("The collector's wire format: \(CollectorFormat.names) (default: dualsend).", valueName: "name"),
    transform: { try CollectorFormat(named: $0) })
  package var collector = CollectorFormat.dualsend
  @OptionGroup private var output: FormatOption

  package init() {}

  /// The format of results and diagnostics.
  package var results: OutputFormat { output.format }
}

extension CollectorFormat {
  /// The names of all of them, for help.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  package init(named text: String) throws {
    guard let format = CollectorFormat(rawValue: text) else {
      throw ValidationError("there is no format \(text): \(Self.names)")
    }
    self = format
  }
}
