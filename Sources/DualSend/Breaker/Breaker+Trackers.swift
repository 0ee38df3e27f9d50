import DualSendCore
import DualSendRollout
public import DualSendTracking
import Logging

extension DualSendTracker.Breaker {
  /// Makes a tracker obey the breaker from its start.
  ///
  /// Call it for the configuration of the adapter's tracker, and for those of further sinks of the new side:
  ///
  /// ```swift
  /// .buffered("archive", to: receiver) { breaker.hold(&$0) }
  /// ```
  public func hold(_ configuration: inout TrackerConfiguration) {
    configuration.hold = self
  }

  /// What an adapter connects to its breaker.
  struct Connection: Sendable {
    /// The event that reports an opening.
    static let eventName = "dualsend.breaker"

    /// The adapter's tracker. It owns its configuration, and with it the breaker.
    weak var tracker: Tracker?
    /// Makes the router ask the breaker again.
    let decisionsChanged: @Sendable () -> Void
    /// Whether events carry their decision.
    let isStamping: Bool

    /// Sends the event that reports an opening.
    func report(_ opening: BreakerOpening, at time: Int64) {
      let decision =
        isStamping
        ? DecisionStamp(revision: opening.revision, oldLogger: false, newTracker: true, reason: .scope) : nil
      tracker?.capture(
        CapturedEvent(time: time, name: Self.eventName, payload: .values(opening.members), decision: decision))
    }
  }

  /// The report of an opening that this process sends.
  struct Report: Sendable {
    let opening: BreakerOpening
    /// Whether the tracker has it, at least in memory.
    var isSent = false
  }

  /// A tracker that obeys the breaker.
  struct Held: Sendable {
    weak var tracker: Tracker?
  }

  /// Connects an adapter.
  ///
  /// - Parameter sinks: further sinks of the new side.
  func connect(_ connection: Connection, sinks: [Sink]) {
    guard let tracker = connection.tracker else { return }
    let isHeld = state.withLock { state in
      state.connection = connection
      state.observed = tracker.identity
      let held = state.trackers.contains { $0.tracker === tracker }
      for tracker in [tracker] + sinks.compactMap(\.tracker)
      where !state.trackers.contains(where: { $0.tracker === tracker }) {
        state.trackers.append(Held(tracker: tracker))
      }
      return held
    }
    if !isHeld {
      logger.warning("the breaker counts early ends only: call `hold` for the configuration of the adapter's tracker")
    }
    if opening == nil { return report() }
    // The tracker may have opened the breaker since it was created, and further sinks may not be held.
    connection.decisionsChanged()
    trackersFollow()
  }

  /// Makes all trackers do what the breaker says now, then reports an opening.
  func trackersFollow() {
    let trackers = state.withLock { state in
      state.trackers.removeAll { $0.tracker == nil }
      return state.trackers
    }
    Task { [self] in
      for held in trackers { await held.tracker?.follow { [self] in suspension } }
      report()
    }
  }

  /// Gives the report to the tracker, which stores it and delivers it when it can. Not while its store stays closed.
  private func report() {
    let pending = state.withLock { state -> (BreakerOpening, Connection)? in
      guard let opening = state.record.unreported, let connection = state.connection, state.report?.opening != opening,
        state.record.opening?.cause.suspension != .everything
      else { return nil }
      state.report = Report(opening: opening)
      return (opening, connection)
    }
    guard let (opening, connection) = pending else { return }
    connection.report(opening, at: time.wallMilliseconds())
    state.withLock { $0.report?.isSent = true }
    confirmReport()
  }

  /// Records that the report is on disk, if it is. A report in memory is confirmed when the store works again.
  func confirmReport() {
    let sent = state.withLock { state -> (BreakerOpening, Tracker)? in
      guard let report = state.report, report.isSent, report.opening == state.record.unreported,
        let tracker = state.connection?.tracker
      else { return nil }
      return (report.opening, tracker)
    }
    guard let (opening, tracker) = sent else { return }
    Task { [weak self] in
      guard await tracker.persist() == 0 else { return }
      self?.wasReported(opening)
    }
  }

  private func wasReported(_ opening: BreakerOpening) {
    let record = state.withLock { state in
      if state.record.unreported == opening { state.record.unreported = nil }
      return state.record
    }
    later { [self] in
      change(otherwise: record) { if $0.unreported == opening { $0.unreported = nil } }
    }
  }
}

extension DualSendTracker.Breaker: TrackerHold {
  /// What a tracker may not do now.
  package var suspension: TrackerSuspension { opening?.cause.suspension ?? .none }

  /// Called by a held tracker when it is created. The first one is observed until an adapter connects its own.
  package func add(_ tracker: Tracker) {
    state.withLock { state in
      state.trackers.append(Held(tracker: tracker))
      if state.observed == nil { state.observed = tracker.identity }
    }
    // The breaker may have opened since the tracker asked.
    if opening != nil { trackersFollow() }
  }
}

extension BreakerOpening.Cause {
  /// What a tracker may not do while the breaker is open for this cause.
  var suspension: TrackerSuspension {
    switch self {
    // Any part of the new side may have ended the launches.
    case .earlyEnds: .everything
    // Pending events would be refused too.
    case .deadLetters: .delivery
    // Delivering the stored events makes room.
    case .store: .none
    }
  }
}
