import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis
import DualSendTracking
import Foundation

/// `dualsend replay`: sends a file of legacy events through the real adapter, tracker and database.
struct ReplayVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a file of legacy events through the adapter to both sinks.",
    discussion: """
      Each line of the events file is {"name":…, "parameters":{…}, "unitID":…, "time":…}. The old logger is a file with \
      one JSON line per event; the new tracker stores its events in --database and posts them to \
      --endpoint in the collector's --wire-format. Both carry the event's id and the rollout's decision. Formats that identify \
      a user take the identity from the parameters `user_id`, `unit_id`, `session_id` and `device_id` of the new event; \
      without a user and a unit, the unit is `\(DeliveryOptions.fallbackUnit)`.
      Run again on the same database, the command writes no old line twice and delivers waiting events, also after it was \
      killed or the disk was full. Events of the last 2,000 lines before that may be posted again, with the same ids.
      Exit status 1 if lines were malformed, events were refused for good, or a damaged database was set aside; 2 if \
      events could not be delivered, or the database cannot be used. After SIGINT (130) or SIGTERM (143), every event \
      that was read is stored or delivered.
      """.examples(
        "dualsend replay --events old.jsonl --remap remapping.json \\\n      --rollout rollout.json --endpoint http://127.0.0.1:8080/events"
      )
  )

  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @OptionGroup var oldFormat: OldFormatOption
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: String
  @Option(
    help: ArgumentHelp("The URL to which the tracker posts its batches, with the path.", valueName: "url"),
    transform: { try Endpoint($0).url })
  var endpoint: URL
  @Option(help: ArgumentHelp("The tracker's database.", valueName: "file"))
  var database = "events.sqlite"
  @Option(
    name: .output,
    help: ArgumentHelp("The output of the old logger.", valueName: "file"))
  var oldLog = "old.jsonl"
  @OptionGroup var context: ContextOptions
  @Option(help: ArgumentHelp("The time limit for delivery after the file is read.", valueName: "seconds"))
  var timeout: Double = 30
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var formats: CollectorFormatOption

  var format: OutputFormat { formats.results }

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else { throw ValidationError("--timeout is 0 to 86400 seconds") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let table = try RemappingTable(reading: try InputFile.bytes(remap), name: remap)
    let document = try RolloutDocument(proving: try InputFile.bytes(rollout), name: rollout)
    terminal.report(table.warnings + document.warnings, format: format)

    let recording = try ConvertedRecording(events, oldFormat.lines)
    defer { recording.remove() }
    let file = recording.file
    for note in recording.notes(events) { terminal.note(note) }
    let oldLogFile = URL(fileURLWithPath: oldLog)
    let identity = try InputFile.opened(events) { try ReplayIdentity(file, oldLog: oldLogFile) }
    let tally = ReplayTally()
    let oldLog = OldLogFile(oldLogFile)
    let tracker = Tracker(
      configuration: .replay(
        endpoint: delivery.endpoint(endpoint, formats.collector),
        storage: .exclusiveFile(URL(fileURLWithPath: database)), tally: tally, digest: delivery.digest,
        logger: delivery.logger(terminal, format), transport: terminal.transport))
    let dualSend = DualSendTracker(
      oldLogger: oldLog, tracker: tracker, remapping: table,
      rollout: RolloutSnapshot(document, at: context.moment.milliseconds), unitID: { nil }
    ) {
      $0.context = context.context(unitID: nil)
      $0.oldLoggerEventIDKey = OldLogFile.eventIDKey
    }
    let replay = Replay(
      events: file, identity: identity, dualSend: dualSend, oldLog: oldLog, tally: tally, database: database,
      timeout: .seconds(timeout))

    let line = Locked(ProgressLine(terminal))
    let running = Task {
      try await replay.run { share in line.withLock { $0.show("replay \(events): \(Int(share * 100)) %") } }
    }
    let signals = Task {
      let signal = await Interruption.wait()
      if signal != nil { running.cancel() }
      return signal
    }
    defer { signals.cancel() }
    var report = try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      running.cancel()
    }
    signals.cancel()
    line.withLock { $0.clear() }
    await tracker.shutdown(timeout: .zero)
    report.malformed.insert(contentsOf: recording.findings(events), at: 0)
    return show(report, endedBy: await signals.value, on: terminal)
  }

  private func show(_ report: Replay.Report, endedBy signal: Int32?, on terminal: Terminal) -> CommandStatus {
    if report.skippedLines > 0, format != .json {
      terminal.note(
        "note: an earlier run on \(database) sent \(report.skippedLines.counted("line")) of \(events), which this one did"
          + " not send again")
    }
    terminal.reportLines(report.malformed, format: format)
    if format == .json { terminal.result(report.json) } else { terminal.result(report.text) }
    let findings = findings(report, endedBy: signal)
    terminal.report(findings, format: format)
    if let signal { return signal == SIGINT ? .interrupted : .terminated }
    if report.ledger.pending > 0 { return .couldNotRun }
    return report.malformed.isEmpty && findings.isEmpty ? .clean : .findings
  }

  private func findings(_ report: Replay.Report, endedBy signal: Int32?) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    if let (count, line) = report.tooDeep {
      findings.append(
        DocumentDiagnostic(
          .error, .tooDeep,
          "\(count.counted("event")) with more than \(EventValueConverter.maximumDepth) containers in one another; the inner "
            + "ones are left out", file: events, position: DocumentDiagnostic.Position(line: line, column: 1),
          help: "an app's adapter leaves them out, too: send them as text, or flat"))
    }
    if report.isDatabaseSetAside, let last = DamagedDatabase.setAside(beside: URL(fileURLWithPath: database)).last {
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
          help: "run the same command again: it continues where it stopped"))
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

extension Terminal {
  /// Reports the first findings about the lines of a file, and counts the rest.
  fileprivate func reportLines(_ findings: [DocumentDiagnostic], format: OutputFormat) {
    let shown = 20
    report(Array(findings.prefix(shown)), format: format)
    if findings.count > shown, format != .json {
      note("note: \((findings.count - shown).grouped) more lines are malformed")
    }
  }
}
