import Dispatch
import DualSendCore
import DualSendRollout
import DualSendTracking
import Foundation
import Logging

/// The breaker of one adapter: counts launches that end early, watches the tracker, and says whether events step back.
///
/// The call site's thread reads a flag that the router keeps. Files are read and written when the adapter is created, and
/// later on a queue of the breaker's own.
final class DeviceBreaker: Sendable {
  struct State: Sendable {
    var record: BreakerRecord
    /// The mark of this launch until it counts as healthy.
    var mark: LaunchMark?
    /// Ends the wait for this launch to count as healthy.
    var trial: Task<Void, Never>?
    /// The uptime of the first failure since the store last worked.
    var failingSince: Duration?
    /// How many dead letters the ledger counts; `nil` until the store was opened.
    var deadLetters: Int64?
    var connection: BreakerConnection?
    /// What this process has handed to the tracker for reporting.
    var reported: BreakerOpening?
  }

  let settings: DualSendTracker.Breaker
  let time: TimeSource
  let logger = Logger(label: "dualsend.breaker")
  let state: Locked<State>
  private let folder: BreakerFolder
  private let queue = DispatchQueue(label: "DualSend.breaker", qos: .utility)

  /// Counts the earlier launches and marks this one. Called before anything of the new side runs.
  init(_ settings: DualSendTracker.Breaker, folder: URL, revision: Int64?, time: TimeSource) {
    self.settings = settings
    self.time = time
    self.folder = BreakerFolder(folder)
    let situation = BreakerRecord.Situation(
      appVersion: settings.appVersion ?? DualSendTracker.Breaker.bundleVersion, revision: revision)
    let beginning = self.folder.begin(situation, limit: settings.earlyEnds, time: time.wallMilliseconds())
    state = Locked(State(record: beginning.record, mark: beginning.mark))
    if let problem = beginning.problem { logger.warning("this launch is not counted: \(problem.printable())") }
    if beginning.mark != nil { awaitHealth() }
    if let opening = beginning.record.opening { tell(opening, isNew: beginning.hasOpened) }
    endWithTheApp()
  }

  deinit {
    state.current.trial?.cancel()
  }

  var opening: BreakerOpening? { state.withLock { $0.record.opening } }

  /// What the tracker may not do from the start.
  var suspension: TrackerSuspension { opening?.cause.suspension ?? .none }

  /// Takes what the breaker acts on.
  func connect(_ connection: BreakerConnection) {
    state.withLock { $0.connection = connection }
    if opening == nil { return report() }
    // The tracker may have opened the breaker since it was made, and the further trackers know of none.
    connection.decisionsChanged()
    trackersFollow(connection)
  }

  /// Whether events that the rollout gives to the new side step back. Closes the breaker when another revision is in force.
  ///
  /// Called on the call site's thread when the unit or the rollout changes.
  func stepsBack(at revision: Int64?) -> Bool {
    enum Answer { case same(Bool), entered, closed(BreakerRecord) }
    let answer = state.withLock { state -> Answer in
      let now = BreakerRecord.Situation(appVersion: state.record.situation.appVersion, revision: revision)
      if state.record.situation.continues(in: now) { return .same(state.record.opening != nil) }
      let wasOpen = state.record.opening != nil
      state.record = state.record.entered(now)
      state.record.deadLettersBefore = state.deadLetters
      return wasOpen ? .closed(state.record) : .entered
    }
    switch answer {
    case .same(let isOpen): return isOpen
    case .entered: return false
    case .closed(let record):
      resume(record)
      return false
    }
  }

  // MARK: The launch

  private func awaitHealth() {
    let trial = Task { [weak self, time, wait = settings.healthyAfter] in
      guard (try? await time.sleep(wait)) != nil else { return }
      self?.launchIsHealthy()
    }
    state.withLock { $0.trial = trial }
  }

  private func launchIsHealthy() {
    let (mark, record, hadEarlyEnds) = state.withLock { state in
      let hadEarlyEnds = state.record.earlyEnds > 0 && state.record.opening == nil
      if hadEarlyEnds { state.record.earlyEnds = 0 }
      let mark = state.mark
      state.mark = nil
      return (mark, state.record, hadEarlyEnds)
    }
    // First the count: a process that dies between the two leaves one early end, not a full row.
    if hadEarlyEnds {
      change(otherwise: record) { if $0.opening == nil { $0.earlyEnds = 0 } }
    }
    withExtendedLifetime(mark) {}
  }

  /// Takes the mark away: what happens to the process from here on is no early end. The count stays until the launch has
  /// lasted long enough.
  func launchEnded() {
    let mark = state.withLock { state in
      defer { state.mark = nil }
      return state.mark
    }
    withExtendedLifetime(mark) {}
  }

  // MARK: Opening and closing

  /// Opens the breaker unless it is open.
  func open(_ cause: BreakerOpening.Cause, _ detail: String) {
    let opened = state.withLock { state -> (record: BreakerRecord, opening: BreakerOpening, BreakerConnection?)? in
      guard state.record.opening == nil else { return nil }
      state.record.open(cause, detail, at: time.wallMilliseconds())
      state.failingSince = nil
      return state.record.opening.map { (state.record, $0, state.connection) }
    }
    guard let (record, opening, connection) = opened else { return }
    connection?.decisionsChanged()
    queue.async { [self] in
      change(durably: true, otherwise: record) { stored in
        guard stored.opening == nil else { return }
        (stored.situation, stored.opening, stored.unreported) = (record.situation, opening, opening)
      }
    }
    tell(opening, isNew: true)
    if let connection { trackersFollow(connection) }
  }

  func close() {
    let record = state.withLock { state -> BreakerRecord? in
      guard state.record.opening != nil else { return nil }
      state.record.close(deadLetters: state.deadLetters)
      return state.record
    }
    if let record { resume(record) }
  }

  /// Lets the new side go on; its launch is on trial again before the tracker does anything.
  private func resume(_ record: BreakerRecord) {
    let connection = state.withLock { $0.connection }
    connection?.decisionsChanged()
    logger.notice("the breaker is closed; the new side goes on")
    settings.observer?(nil)
    queue.async { [self] in
      change(durably: true, otherwise: record) { $0 = record }
      do throws(BreakerProblem) {
        let mark = try folder.mark(record.situation)
        state.withLock { $0.mark = mark }
        awaitHealth()
      } catch {
        logger.warning("the new side goes on without a mark: \(error.description.printable())")
      }
      if let connection { trackersFollow(connection) }
    }
  }

  private func trackersFollow(_ connection: BreakerConnection) {
    Task { [self] in
      await connection.follow { [self] in suspension }
      report()
    }
  }

  // MARK: Reporting

  /// Hands the report to the tracker, which keeps it on disk until the network is there. Not while the store stays closed.
  private func report() {
    let pending = state.withLock { state -> (BreakerOpening, BreakerConnection)? in
      guard let opening = state.record.unreported, let connection = state.connection, state.reported != opening,
        state.record.opening?.cause.suspension != .everything
      else { return nil }
      state.reported = opening
      return (opening, connection)
    }
    guard let (opening, connection) = pending else { return }
    Task { [weak self, time] in
      guard await connection.report(opening, at: time.wallMilliseconds()) else { return }
      self?.wasReported(opening)
    }
  }

  private func wasReported(_ opening: BreakerOpening) {
    let record = state.withLock { state in
      if state.record.unreported == opening { state.record.unreported = nil }
      return state.record
    }
    queue.async { [self] in
      change(otherwise: record) { if $0.unreported == opening { $0.unreported = nil } }
    }
  }

  func change(
    durably: Bool = false, otherwise record: BreakerRecord, _ change: (inout BreakerRecord) -> Void
  ) {
    do throws(BreakerProblem) { try folder.update(durably: durably, otherwise: record, change) } catch {
      logger.error("the breaker's state could not be kept: \(error.description.printable())")
    }
  }

  /// Runs work on the files off the caller's thread.
  func later(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}
