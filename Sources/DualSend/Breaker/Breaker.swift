import Dispatch
import DualSendCore
public import DualSendRollout
import DualSendTracking
import Foundation
import Logging

extension DualSendTracker {
  /// Keeps the new side off on a device where it does harm, without a fetch.
  ///
  /// ```swift
  /// let logger = DualSendTracker(oldLogger: oldLogger, collector: collector, rollout: rolloutURL) { $0.breaker = .on }
  /// ```
  ///
  /// Counts launches that end early, and watches the tracker's store and dead letters. While the breaker is open, the old
  /// logger gets every event that the rollout gives to the new side, and the tracker's stored events wait on disk. The
  /// breaker closes when the app has another version or the rollout another revision.
  ///
  /// An app that creates its parts itself creates the breaker first, before anything of the new side runs:
  ///
  /// ```swift
  /// let breaker = DualSendTracker.Breaker(rollout: rollout)
  /// breaker.hold(&configuration)
  /// let logger = DualSendTracker(
  ///   oldLogger: oldLogger, tracker: Tracker(configuration: configuration), rollout: rollout, unitID: unitID,
  ///   breaker: breaker)
  /// ```
  public final class Breaker: Sendable {
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
      var connection: Connection?
      /// The trackers that obey.
      var trackers: [Held] = []
      /// The tracker whose store and dead letters count.
      var observed: Tracker.Identity?
      var report: Report?
    }

    let settings: Settings
    let time: TimeSource
    let logger = Logger(label: "dualsend.breaker")
    let state: Locked<State>
    private let folder: BreakerFolder
    private let queue = DispatchQueue(label: "DualSend.breaker", qos: .utility)

    /// Counts the early ends of earlier launches and marks this one: some fifteen system calls.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - rollout: the source of the rollout that the adapter follows.
    ///   - time: the clock.
    public convenience init(
      _ settings: Settings = .on, rollout: some RolloutSource, time: TimeSource = .system
    ) {
      self.init(settings, folder: Parts.supportFolder, revision: rollout.snapshot.revision, time: time)
    }

    /// - Parameter folder: the parent of the breaker's files, unless the settings name a folder.
    init(_ settings: Settings, folder: URL, revision: Int64?, time: TimeSource) {
      self.settings = settings
      self.time = time
      self.folder = BreakerFolder(settings.folder ?? folder.appendingPathComponent("breaker"))
      let situation = BreakerRecord.Situation(appVersion: settings.effectiveVersion, revision: revision)
      let beginning = self.folder.begin(situation, limit: settings.earlyEnds, time: time.wallMilliseconds())
      state = Locked(State(record: beginning.record, mark: beginning.mark))
      if let problem = beginning.problem { logger.warning("this launch is not counted: \(problem.printable())") }
      if beginning.mark != nil { awaitHealth() }
      if let opening = beginning.record.opening { tell(opening, isNew: beginning.hasOpened) }
    }

    deinit {
      state.current.trial?.cancel()
    }

    /// Why this device keeps the new side off; `nil` while the breaker is closed.
    public var opening: BreakerOpening? { state.withLock { $0.record.opening } }

    /// Closes the breaker, such as from a debug menu. Early ends are counted from 0 again.
    public func close() {
      let record = state.withLock { state -> BreakerRecord? in
        guard state.record.opening != nil else { return nil }
        state.record.close(deadLetters: state.deadLetters)
        return state.record
      }
      if let record { resume(record) }
    }

    /// Changes the record on disk.
    ///
    /// - Parameter record: replaces a record that is missing or damaged.
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

    /// Marks a launch that continues after the breaker has closed.
    private func markAgain(_ situation: BreakerRecord.Situation) {
      do throws(BreakerProblem) {
        let mark = try folder.mark(situation)
        state.withLock { $0.mark = mark }
        awaitHealth()
      } catch {
        logger.warning("the new side continues without a mark: \(error.description.printable())")
      }
    }
  }
}

extension DualSendTracker.Breaker {
  /// Whether events that the rollout gives to the new side step back. Closes the breaker when another revision is in force.
  ///
  /// Called on the call site's thread when the unit or the rollout changes.
  func stepsBack(at revision: Int64?) -> Bool {
    let (isOpen, closed) = state.withLock { state -> (Bool, BreakerRecord?) in
      let now = BreakerRecord.Situation(appVersion: state.record.situation.appVersion, revision: revision)
      let wasOpen = state.record.opening != nil
      if state.record.situation.continues(in: now) { return (wasOpen, nil) }
      state.record = state.record.entered(now)
      state.record.deadLettersBefore = state.deadLetters
      return (false, wasOpen ? state.record : nil)
    }
    if let closed { resume(closed) }
    return isOpen
  }

  // MARK: The launch

  fileprivate func awaitHealth() {
    let trial = Task { [weak self, time, wait = settings.healthyAfter] in
      guard (try? await time.sleep(wait)) != nil else { return }
      self?.launchIsHealthy()
    }
    state.withLock { $0.trial = trial }
    endWithTheApp()
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

  /// Deletes the mark, so that the end of the process does not count as early. The count of earlier launches stays until a
  /// launch lasts long enough.
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
    let opened = state.withLock { state -> (record: BreakerRecord, opening: BreakerOpening, Connection?)? in
      guard state.record.opening == nil else { return nil }
      state.record.open(cause, detail, at: time.wallMilliseconds())
      state.failingSince = nil
      return state.record.opening.map { (state.record, $0, state.connection) }
    }
    guard let (record, opening, connection) = opened else { return }
    connection?.decisionsChanged()
    later { [self] in
      change(durably: true, otherwise: record) { stored in
        guard stored.opening == nil else { return }
        (stored.situation, stored.opening, stored.unreported) = (record.situation, opening, opening)
      }
    }
    tell(opening, isNew: true)
    trackersFollow()
  }

  /// Resumes the new side. Its launch is marked again before a tracker does anything.
  fileprivate func resume(_ record: BreakerRecord) {
    state.current.connection?.decisionsChanged()
    logger.notice("the breaker is closed; the new side resumes")
    settings.observer?(nil)
    later { [self] in
      change(durably: true, otherwise: record) { $0 = record }
      markAgain(record.situation)
      trackersFollow()
    }
  }
}
