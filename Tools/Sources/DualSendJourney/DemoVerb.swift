import ArgumentParser
import DualSend
import DualSendCollector
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import Foundation

/// `dualsend demo`: runs a whole migration with the files from Fixtures.
struct DemoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Migrate from the old logger to the new tracker in five rollout revisions, and check that nothing was lost.",
    discussion: """
      Starts a collector and a config server on free ports of 127.0.0.1. In each stage, the config server serves the next \
      revision and the same legacy events pass through one adapter. The events in each sink are compared with the rollout's \
      decisions, and the two streams are compared field by field. Exit status 1 if anything was lost or differs.
      With --console, it prints the address of a page and sends the same events slowly, until SIGINT or SIGTERM. Rollouts \
      published on the page apply to the next events.
      """
  )

  @Option(help: ArgumentHelp("The folder with events.jsonl, remapping.json and rollout-1…5.json.", valueName: "folder"))
  var fixtures = "Fixtures/legacy"
  @Option(help: ArgumentHelp("Keep the database and both sinks' files here.", valueName: "folder"))
  var out: String?
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A fault of the collector, as for `dualsend collector`; may be repeated.", valueName: "fault"),
    transform: { try CollectorFault($0) })
  var fault: [CollectorFault] = []
  @Flag(help: "Start `dualsend console` and send it the events slowly.")
  var console = false
  @Option(help: ArgumentHelp("With --console: the port; 0 chooses a free one.", valueName: "number"))
  var port: UInt16 = 0
  @Option(help: ArgumentHelp("With --console: events per second.", valueName: "number"))
  var pace = 10.0
  @OptionGroup var formats: CollectorFormatOption

  var format: OutputFormat { formats.results }

  func validate() throws {
    guard pace >= 0.1, pace <= 10_000 else { throw ValidationError("--pace must be 0.1 to 10000 events per second") }
    if console, formats.collector != .dualsend {
      throw ValidationError("the console supports only the format dualsend")
    }
    if console, !fault.isEmpty { throw ValidationError("--fault and --console exclude each other") }
    if !console, port != 0 { throw ValidationError("--port needs --console") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let folder = URL(fileURLWithPath: out ?? NSTemporaryDirectory() + "dualsend-demo-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if out == nil { try? FileManager.default.removeItem(at: folder) } }
    guard try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty else {
      throw CommandError("\(folder.path) is not empty", help: "name a new folder: the demo counts from zero")
    }

    if self.console {
      let demo = DemoConsole(
        fixtures: URL(fileURLWithPath: fixtures), folder: folder, port: port, pace: pace, terminal: terminal)
      return try await show(demo, on: terminal)
    }
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

  /// Runs the console until it is interrupted.
  private func show(_ demo: DemoConsole, on terminal: Terminal) async throws -> CommandStatus {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await demo.run { terminal.result($0.absoluteString) } }
      group.addTask { await Interruption.wait() }
      defer { group.cancelAll() }
      try await group.next()
    }
    return .clean
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
          "stage": .string(stage.title), "revision": .int(stage.revision), "counts": stage.report.total.json,
          "inOldLog": .int(Int64(stage.oldSink.found)), "inCollector": .int(Int64(stage.newSink.found)),
          "ledger": stage.report.ledger.json, "lostNothing": .bool(stage.lostNothing),
        ]
      })
  }
}
