import DualSend
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout
import DualSendTracking
import Foundation

/// A whole migration in one process: a collector, a config server, one adapter, and five rollout revisions.
struct DemoJourney: Sendable {
  static let stages = ["old only", "both for some", "both for all", "old drained", "new only"]
  static let rolloutPath = "/rollout.json"

  let fixtures: URL
  let folder: URL
  let collector: CollectorServer
  let endpoint: TrackingEndpoint
  let format: CollectorFormat
  let rolloutURL: URL
  /// The transport to both servers.
  let transport: any HTTPTransport
  /// The old logger's output.
  var oldLogURL: URL { folder.appendingPathComponent("old.jsonl") }
  /// The collector's output.
  var newLogURL: URL { folder.appendingPathComponent("new.jsonl") }

  /// The result of a stage.
  struct Stage: Sendable {
    let title: String
    let revision: Int64
    let report: Replay.Report
    /// The events that the rollout selects for the old logger, and those in its file.
    let oldSink: (expected: Int, found: Int)
    /// The events that the rollout selects for the new tracker, and those that the collector has, each counted once.
    let newSink: (expected: Int, found: Int)

    var lostNothing: Bool {
      oldSink.expected == oldSink.found && newSink.expected == newSink.found && report.ledger.isBalanced
        && report.malformed.isEmpty && report.ledger.pending == 0
    }
  }

  /// The time limit for the delivery of a stage. On a busy machine, some requests time out and are repeated.
  private static let patience = Duration.seconds(600)

  /// The server is on this machine: a failure is over soon.
  private static let backoff = RetryBackoff(shape: .fullJitter, base: .milliseconds(10), cap: .seconds(1))
  /// How often a revision is fetched again; each failed fetch counts, and so does each wait.
  private static let furtherFetches = 20

  func run(progress: (String, Double) -> Void) async throws -> [Stage] {
    let table = try RemappingTable(reading: try bytes("remapping.json"), name: "remapping.json")
    let tally = Locked(ReplayTally())
    let database = folder.appendingPathComponent("events.sqlite")
    var configuration = TrackerConfiguration.replay(
      endpoint: endpoint, storage: .file(database), tally: ReplayTally(), transport: transport)
    configuration.observer = { outcome in tally.current.observe(outcome) }
    configuration.retry.backoff = Self.backoff
    let tracker = Tracker(configuration: configuration)
    let oldLog = OldLogFile(oldLogURL)
    try oldLog.open(resumingAt: nil)
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(
        url: rolloutURL, minimumInterval: .zero, timeout: .seconds(60), backoff: Self.backoff),
      storage: ByteStorage.memory(), transport: transport)
    let dualSend = DualSendTracker(
      oldLogger: oldLog, tracker: tracker, remapping: table, rollout: fetcher, unitID: { nil }
    ) {
      $0.context = DecisionContext()
      $0.oldLoggerEventIDKey = format.hasIDs ? OldLogFile.eventIDKey : nil
    }

    var stages: [Stage] = []
    for (index, title) in Self.stages.enumerated() {
      let before = (old: try lineCount(oldLogURL), new: await collector.receivedIDs.count)
      await collector.setDocument(try bytes("rollout-\(index + 1).json"), at: Self.rolloutPath)
      let revision = try await nextRevision(from: fetcher)
      let stageTally = ReplayTally()
      tally.withLock { $0 = stageTally }
      let events = fixtures.appendingPathComponent("events.jsonl")
      let replay = Replay(
        events: events, identity: try ReplayIdentity(events, oldLog: oldLogURL, stage: "\(revision)"),
        dualSend: dualSend, oldLog: oldLog, tally: stageTally, database: database.path, timeout: Self.patience)
      let report = try await replay.run { progress(title, $0) }
      let outcomes = report.total.outcomes
      let both = outcomes[.both] ?? 0
      let stage = Stage(
        title: title, revision: revision, report: report,
        oldSink: ((outcomes[.oldOnly] ?? 0) + both, try lineCount(oldLogURL) - before.old),
        newSink: ((outcomes[.newOnly] ?? 0) + both, await collector.receivedIDs.count - before.new))
      stages.append(stage)
    }
    await tracker.shutdown()
    return stages
  }

  /// Fetches until the next revision is there: on a busy machine, a request may time out.
  private func nextRevision(from fetcher: RemoteConfigFetcher) async throws -> Int64 {
    var result = await fetcher.fetch()
    for _ in 0..<Self.furtherFetches {
      switch result {
      case .fresh:
        await fetcher.activate()
        return fetcher.snapshot.revision ?? 0
      case .throttled(let wait): try await Task.sleep(for: wait)
      case .unchanged, .failed: break
      }
      result = await fetcher.fetch()
    }
    throw CommandError("the next revision did not come from \(rolloutURL.absoluteString): \(result)")
  }

  /// Compares the old logger's events of all stages with the collector's.
  ///
  /// Each event is judged by the decision that it carries. Without ids, events of one name and time cannot be told
  /// apart, so only those in both streams are compared.
  func compare() throws -> ParityReport {
    let table = try RemappingTable(reading: try bytes("remapping.json"), name: "remapping.json")
    var comparer = ParityComparer(
      table: table, join: format.hasIDs ? .eventID(parameter: nil) : .order(unit: nil, window: 0))
    comparer.membership = format.hasIDs ? .everywhere : .oneSidedAllowed(in: [.old, .new])
    return try comparer.compare(old: oldLogURL, new: newLogURL)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try InputFile.bytes(fixtures.appendingPathComponent(name).path)
  }

  private func lineCount(_ file: URL) throws -> Int {
    try LineReader(file).reduce(0) { count, _ in count + 1 }
  }
}
