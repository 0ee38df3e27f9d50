package import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendTracking
package import Foundation
package import Logging

/// Sends a file of legacy events through a real adapter, and counts the outcomes.
///
/// A replay can be repeated on the same database: it skips lines that the database has, and delivers waiting events. A
/// run that was killed, or stopped by a full disk, is resumed in the same way.
package struct Replay: Sendable {
  /// The number of lines per commit. The inbox holds as many without dropping any.
  static let linesPerCommit = 2000

  let events: URL
  let identity: ReplayIdentity
  let dualSend: DualSendTracker
  let oldLog: OldLogFile
  let tally: ReplayTally
  /// The path of the tracker's database in messages.
  let database: String
  let timeout: Duration

  package init(
    events: URL, identity: ReplayIdentity, dualSend: DualSendTracker, oldLog: OldLogFile, tally: ReplayTally,
    database: String, timeout: Duration
  ) {
    (self.events, self.identity, self.dualSend, self.oldLog) = (events, identity, dualSend, oldLog)
    (self.tally, self.database, self.timeout) = (tally, database, timeout)
  }

  /// The result of a run.
  package struct Report: Sendable {
    package var counts: [ExactText: ReplayCounts] = [:]
    /// Lines that an earlier run had sent.
    package var skippedLines = 0
    /// The last line read before the run was cancelled; `nil` if the whole file was read.
    package var lastLine: Int?
    package var malformed: [DocumentDiagnostic] = []
    /// Events with containers that the adapter leaves out, and the line of the first.
    package var tooDeep: (events: Int, line: Int)?
    package var isDatabaseSetAside = false
    package var flush: Tracker.FlushReport
    package var ledger: TrackingLedger
  }

  /// Reads the file, sends its events, and delivers them. If the task is cancelled, the events read so far are stored.
  ///
  /// - Parameter progress: called regularly with the fraction of the file that is read.
  /// - Throws: ``CommandError`` if the database or the old log cannot be opened or written.
  package func run(progress: (Double) -> Void) async throws -> Report {
    do {
      let lines = try await sendLinesOrDeliver(progress: progress)
      let flush = await dualSend.tracker.flush(timeout: timeout)
      if case .store(let error)? = flush.obstacle { throw error }
      return Report(
        counts: tally.counts, skippedLines: lines.skipped, lastLine: lines.last, malformed: lines.malformed,
        tooDeep: lines.tooDeep, isDatabaseSetAside: tally.isDatabaseSetAside, flush: flush,
        ledger: await dualSend.tracker.statistics.ledger)
    } catch let error as TrackingStoreError {
      throw CommandError(error, database: database)
    }
  }

  /// Sends the lines. If that fails, as on a full disk, delivers waiting events, which frees space for the next run.
  private func sendLinesOrDeliver(
    progress: (Double) -> Void
  ) async throws -> Lines {
    do { return try await sendLines(progress: progress) } catch {
      _ = await dualSend.tracker.flush(timeout: timeout)
      throw error
    }
  }

  /// The result of reading the file.
  private struct Lines {
    let skipped: Int
    let malformed: [DocumentDiagnostic]
    let tooDeep: (events: Int, line: Int)?
    /// The last line read; `nil` if the whole file was read.
    let last: Int?
  }

  private func sendLines(progress: (Double) -> Void) async throws -> Lines {
    let tracker = dualSend.tracker
    let size = try events.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let done = Int(try await tracker.note(identity.noteKey) ?? 0)
    let mark = try await tracker.note(identity.oldLogNoteKey)
    try oldLog.open(resumingAt: mark)
    if mark == nil { try await tracker.setNote(identity.oldLogNoteKey, try oldLog.length) }
    let waiting = done > 0 ? Set(try await tracker.waitingIDs()) : []
    var malformed: [DocumentDiagnostic] = []
    var tooDeep: (events: Int, line: Int)?
    var reader = try LineReader(events)
    var last = 0
    var isWhole = false
    while !Task.isCancelled {
      guard let line = reader.next() else {
        isWhole = true
        break
      }
      last = line.number
      guard !line.bytes.isEmpty else { continue }
      do {
        let event = try event(of: line)
        if event.parameters.values.contains(where: { $0.isDeeper(than: EventValueConverter.maximumDepth - 1) }) {
          tooDeep = ((tooDeep?.events ?? 0) + 1, tooDeep?.line ?? line.number)
        }
        if line.number > done { send(event) } else { recall(event, waiting) }
      } catch {
        malformed.append(error.diagnostic(file: events.path, line: line))
      }
      if line.number.isMultiple(of: Self.linesPerCommit) {
        if line.number > done { try await commit(through: line.number) }
        progress(size > 0 ? Double(reader.bytesRead) / Double(size) : 1)
      }
    }
    if let failure = reader.failure { throw failure }
    if last > done { try await commit(through: last) }
    return Lines(skipped: min(done, last), malformed: malformed, tooDeep: tooDeep, last: isWhole ? nil : last)
  }

  private func event(of line: LineReader.Line) throws(LegacyEvent.Malformed) -> LegacyEvent {
    if line.isCut { throw LegacyEvent.Malformed(description: "the line is too long", offset: nil) }
    var event = try LegacyEvent(reading: line.bytes)
    let time = event.time ?? 0
    event.id = identity.eventID(of: line, time: time)
    return event
  }

  private func send(_ event: LegacyEvent) {
    guard let id = event.id else { return }
    oldLog.begin(unitID: event.unitID, time: event.time)
    tally.expect(id, name: event.name)
    let decision = dualSend.logEvent(event)
    tally.sent(event, decision)
    if !decision.shouldSendLogToNewTracker { tally.dismiss(id) }
  }

  /// Counts an event of an earlier run if it still waited when this run began.
  private func recall(_ event: LegacyEvent, _ waiting: Set<EventID>) {
    if let id = event.id, waiting.contains(id) || tally.hasSettled(id) { tally.expect(id, name: event.name) }
  }

  /// Saves every line so far in both sinks, then records the progress.
  private func commit(through line: Int) async throws {
    let tracker = dualSend.tracker
    try oldLog.flush()
    var unsaved = await tracker.persist()
    // On a full disk, delivering events frees space for the next ones.
    while unsaved > 0, await tracker.flush(timeout: timeout).sent > 0 { unsaved = await tracker.persist() }
    guard unsaved == 0 else {
      throw tally.storeFailure
        ?? TrackingStoreError(kind: .other, message: "\(unsaved.counted("event")) only in memory")
    }
    // In this order: after a crash in between, lines after the mark are recorded as sent, which is harmless.
    try await tracker.setNote(identity.noteKey, Int64(line))
    try await tracker.setNote(identity.oldLogNoteKey, try oldLog.length)
  }
}

extension TrackerConfiguration {
  /// A tracker for a tool: delivers at once and evicts nothing.
  package static func replay(
    endpoint: TrackingEndpoint, storage: TrackerConfiguration.StoreLocation, tally: ReplayTally,
    digest: TrackerConfiguration.Digest = DeliveryOptions.standardDigest, logger: Logger = .silent,
    transport: any HTTPTransport
  ) -> TrackerConfiguration {
    TrackerConfiguration(endpoint: endpoint, storage: storage, transport: transport) {
      $0.quota = TrackerConfiguration.Quota(events: .max, bytes: .max)
      $0.digest = digest
      $0.intake.capacity = 2 * Replay.linesPerCommit
      $0.intake.maximumEventBytes = 16 << 20
      $0.observer = { tally.observe($0) }
      $0.logger = logger
    }
  }
}

extension LegacyEvent.Malformed {
  /// The fault as a finding with its line.
  fileprivate func diagnostic(file: String, line: LineReader.Line) -> DocumentDiagnostic {
    let column = offset.map { SourceText(line.bytes, name: nil).position(at: $0).column } ?? 1
    return DocumentDiagnostic(
      .error, .malformedEvent, "line \(line.number) is not a legacy event: \(description)", file: file,
      position: DocumentDiagnostic.Position(line: line.number, column: column),
      help: "the line was skipped; every other line was sent")
  }
}

extension DocumentDiagnostic.Code {
  /// A line of an events file is not a legacy event.
  package static let malformedEvent = DocumentDiagnostic.Code(rawValue: "DS0401")
  /// Events wait because the collector could not be reached, or does not take them.
  package static let undelivered = DocumentDiagnostic.Code(rawValue: "DS0402")
  /// A replayed payload nests more containers than an event may have.
  package static let tooDeep = DocumentDiagnostic.Code(rawValue: "DS0424")
}
