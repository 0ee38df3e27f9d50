import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
package import DualSendTracking
import Foundation
package import Logging

/// `dualsend replay`: a file of legacy events through the real adapter, the real tracker and a real database.
struct ReplayVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a file of legacy events through the adapter to both sinks.",
    discussion: """
      Each line of the events file is {"name":…, "parameters":{…}, "unitID":…, "time":…}. The old sink is a file with \
      one JSON line an event; the new sink is a tracker that keeps its events in --database and posts them to \
      --endpoint in the collector's --format. Both carry the event's id and what the rollout decided for it. Formats that say whom an event is about take that from the parameters \
      `user_id`, `unit_id`, `session_id` and `device_id` of the new event; where neither user nor unit is named, the \
      unit is `\(DeliveryOptions.fallbackUnit)`.

      Run again on the same database, it writes no old line twice and delivers what waits, also after it was killed or \
      the disk was full. Of the last 2,000 lines before that, events may be posted again, under the ids they had.

      Exit status 1 if lines were malformed, events were refused for good, or a damaged database was set aside; 2 if \
      events could not be delivered, or the database cannot be used. SIGINT and SIGTERM end it in order, with 130 and \
      143: what was read is stored or delivered.
      """
  )

  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: String
  @Option(
    help: ArgumentHelp("Where the tracker posts its batches, with the path.", valueName: "url"),
    transform: { try Endpoint($0).url })
  var endpoint: URL
  @Option(help: ArgumentHelp("Where the tracker keeps what waits.", valueName: "file"))
  var database = "events.sqlite"
  @Option(help: ArgumentHelp("Where the old sink writes.", valueName: "file"))
  var oldLog = "old.jsonl"
  @Option(help: ArgumentHelp("The app version that rules ask about.", valueName: "version"))
  var appVersion: String?
  @Option(help: ArgumentHelp("The platform that rules ask about.", valueName: "name"))
  var platform: String?
  @Option(help: ArgumentHelp("How long to wait for delivery once the file is read.", valueName: "seconds"))
  var timeout: Double = 30
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var formats: CollectorFormatOption

  var format: OutputFormat { formats.results }

  init() {}

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else { throw ValidationError("--timeout is 0 to 86400 seconds") }
    guard appVersion.map({ DecisionContext.AppVersion($0) != nil }) ?? true else {
      throw ValidationError("--app-version is dotted numbers, such as 25.4.10")
    }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let table = try RemappingTable(try InputFile.bytes(remap), name: remap)
    let document = try RolloutDocument(reading: try InputFile.bytes(rollout), name: rollout)
    console.report(table.warnings + document.warnings, format: format)

    let file = URL(fileURLWithPath: events)
    let oldLogFile = URL(fileURLWithPath: oldLog)
    let identity = try InputFile.opened(events) { try ReplayIdentity(file, oldLog: oldLogFile) }
    let tally = ReplayTally()
    let oldLog = OldLogFile(oldLogFile)
    let tracker = Tracker(
      configuration: .replay(
        endpoint: delivery.endpoint(endpoint, formats.collector),
        storage: .exclusiveFile(URL(fileURLWithPath: database)), tally: tally, digest: delivery.digest,
        logger: delivery.logger(console, format), transport: console.transport))
    let context = DecisionContext(appVersion: appVersion.flatMap { DecisionContext.AppVersion($0) }, platform: platform)
    let dualSend = DualSendTracker(
      oldLogger: oldLog, tracker: tracker, remapping: table, rollout: RolloutSnapshot(document), context: context,
      unitID: { nil }, options: DualSendTracker.Options(oldLoggerEventIDKey: OldLogFile.eventIDKey))
    let replay = Replay(
      events: file, identity: identity, dualSend: dualSend, oldLog: oldLog, tally: tally, database: database,
      timeout: .seconds(timeout))

    let line = Locked(ProgressLine(console))
    let running = Task {
      try await replay.run { share in line.withLock { $0.show("replay \(events): \(Int(share * 100)) %") } }
    }
    let signals = Task {
      let signal = await Interruption.wait()
      if signal != nil { running.cancel() }
      return signal
    }
    defer { signals.cancel() }
    let report = try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      running.cancel()
    }
    signals.cancel()
    line.withLock { $0.clear() }
    await tracker.shutdown(timeout: .zero)
    return show(report, endedBy: await signals.value, on: console)
  }

  private func show(_ report: Replay.Report, endedBy signal: Int32?, on console: Console) -> CommandStatus {
    if report.skippedLines > 0, format != .json {
      console.note(
        "note: an earlier run on \(database) sent \(report.skippedLines.counted("line")) of \(events), which this one did"
          + " not send again")
    }
    console.reportLines(report.malformed, format: format)
    if format == .json { console.result(report.json) } else { console.result(report.text) }
    let findings = findings(report, endedBy: signal)
    console.report(findings, format: format)
    if let signal { return signal == SIGINT ? .interrupted : .terminated }
    if report.ledger.pending > 0 { return .couldNotRun }
    return report.malformed.isEmpty && findings.isEmpty ? .clean : .findings
  }

  private func findings(_ report: Replay.Report, endedBy signal: Int32?) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    if report.isDatabaseSetAside, let last = StoreFormat.databasesSetAside(beside: URL(fileURLWithPath: database)).last
    {
      findings.append(.setAside(NamedDatabase(last, beside: database).path))
    }
    if report.ledger.deadLettersErased > 0 { findings.append(.deadLettersErased(report.ledger, database)) }
    if report.ledger.deadLettered > 0 { findings.append(.deadLettersWait(report.ledger.deadLettered, database)) }
    if let signal {
      let place = report.lastLine.map { "after line \($0.grouped) of \(events)" } ?? "when all of \(events) was read"
      findings.append(
        DocumentDiagnostic(
          .error, .undelivered,
          "ended by \(signal == SIGINT ? "SIGINT" : "SIGTERM") \(place): \(report.ledger.delivered.grouped) events are"
            + " delivered, \(report.ledger.pending.grouped) wait in \(database)", notes: ["nothing is lost"],
          help: "run the same command again: it goes on where it stopped"))
    } else if report.ledger.pending > 0 {
      let reason = report.flush.obstacle.map { ": \($0.text)" } ?? ""
      let wait = report.flush.wait.map { [$0.text] } ?? []
      findings.append(
        DocumentDiagnostic(
          .error, .undelivered, "\(report.ledger.pending.counted("event")) not delivered\(reason)",
          notes: wait + ["they wait in \(database); nothing is lost"],
          help: "run the same command again once \(endpoint.absoluteString) answers: it delivers what waits"))
    }
    return findings
  }

  private struct Endpoint {
    let url: URL

    init(_ text: String) throws {
      guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
      else { throw ValidationError("`\(text)` is not an http or https address") }
      self.url = url
    }
  }
}

extension TrackerConfiguration {
  /// A tracker for a tool: everything at once, nothing evicted, nothing held back.
  package static func replay(
    endpoint: TrackingEndpoint, storage: TrackerConfiguration.StoreLocation, tally: ReplayTally,
    digest: TrackerConfiguration.Digest = DeliveryOptions.standardDigest, logger: Logger = .silent,
    transport: any HTTPTransport
  ) -> TrackerConfiguration {
    TrackerConfiguration(
      endpoint: endpoint, storage: storage, quota: TrackerConfiguration.Quota(events: .max, bytes: .max),
      digest: digest, inboxCapacity: 2 * Replay.linesPerCommit, maximumEventBytes: 16 << 20,
      observer: { tally.observe($0) }, logger: logger, transport: transport)
  }
}

extension Console {
  /// Findings of which there may be one a line of a long file: the first are shown, the rest is counted.
  fileprivate func reportLines(_ findings: [DocumentDiagnostic], format: OutputFormat) {
    let shown = 20
    report(Array(findings.prefix(shown)), format: format)
    if findings.count > shown, format != .json {
      note("note: \((findings.count - shown).grouped) more lines are malformed")
    }
  }
}
