import Dispatch
public import DualSendCore
public import DualSendRollout
public import DualSendTracking
import Foundation
import Logging
import Metrics

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

extension DualSendTracker {
  /// Keeps the new side off on a device where it does harm, without a fetch.
  ///
  /// Counts launches that end early, and watches the tracker's store and the collector's refusals. While it is open, the old
  /// logger gets every event that the rollout gives to the new side, and the tracker's stored events wait on disk. It closes
  /// when the app has another version or the rollout another revision. See the article TheBreaker. Safe to use from any thread.
  ///
  /// ```swift
  /// let logger = DualSendTracker(oldLogger: oldLogger, collector: collector, rollout: rolloutURL) { $0.breaker = .on }
  /// ```
  public final class Breaker: Sendable {
    /// The settings of a breaker.
    public struct Settings: Sendable {
      /// The defaults.
      public static let on = Settings()

      /// How many early ends in a row open the breaker; `nil` for no limit.
      public var earlyEnds: Int? = 3
      /// How long a launch must last so that it is not an early end.
      public var healthyAfter = Duration.seconds(10)
      /// Whether the app calls ``Breaker/launchEnded()`` before each orderly end of its process. Without it, launches are counted
      /// only in an app with UIKit, where the breaker observes the end itself.
      public var appReportsEnds = false
      /// How long the store may fail without a success in between; `nil` for no limit.
      public var storeFailure: Duration? = .seconds(60)
      /// How many events the collector may permanently refuse for one app version and one revision; `nil` for no limit.
      public var deadLetters: Int? = 100
      /// The app version, whose change closes the breaker. By default the version and the build of the app's bundle.
      public var appVersion: String?
      /// Called with the opening when the breaker opens, and at each launch while it is open; with `nil` when it closes. On any
      /// thread.
      public var observer: (@Sendable (BreakerOpening?) -> Void)?

      /// Creates settings with the defaults.
      public init() {}
    }

    private struct State: Sendable {
      var record: BreakerRecord
      /// Ends the wait for this launch to count as healthy.
      var trial: Task<Void, Never>?
      /// The uptime of the first failure since the store last worked.
      var failingSince: Duration?
      var connection: Connection?
      /// Whether the tracker has an opening to report that is not confirmed to be on disk.
      var isReporting = false
    }

    /// What an adapter connects to its breaker.
    struct Connection: Sendable {
      /// The adapter's tracker, whose store and refusals count. It owns its configuration, and with it the breaker.
      weak var tracker: Tracker?
      /// Makes the router ask the breaker again.
      let decisionsChanged: @Sendable () -> Void
      /// Whether events carry their decision.
      let carriesDecisions: Bool
    }

    private static let process = UInt64.random(in: 1 ... .max)

    private let settings: Settings
    /// How many early ends open it; `nil` if this process counts none.
    private let limit: Int?
    private let storage: ByteStorage
    private let time: TimeSource
    private let logger = Logger(label: "dualsend.breaker")
    private let state: Locked<State>
    /// Writes records in the order of their changes.
    private let queue = DispatchQueue(label: "DualSend.breaker", qos: .utility)

    /// Counts how the launch before ended, and begins this one: one read and one write of the storage. An app that creates its
    /// parts itself creates the breaker first.
    ///
    /// - Parameters:
    ///   - rollout: the source of the rollout that the adapter follows.
    ///   - storage: the breaker's own. Processes with separate launches, such as an app and its extension, need separate ones.
    public convenience init(
      _ settings: Settings = .on, rollout: some RolloutSource, storage: ByteStorage, time: TimeSource = .system
    ) {
      self.init(settings, storage: storage, revision: rollout.snapshot.revision, time: time)
    }

    init(_ settings: Settings, storage: ByteStorage, revision: Int64?, time: TimeSource) {
      (self.settings, self.storage, self.time) = (settings, storage, time)
      let situation = BreakerRecord.Situation(appVersion: settings.effectiveVersion, revision: revision)
      var record = BreakerRecord(situation)
      var limit = settings.earlyEnds
      if limit != nil, !(settings.appReportsEnds || Self.observesEnds) {
        logger.notice("launches are not counted: here an orderly end cannot be told from a crash; see appReportsEnds")
        limit = nil
      }
      do { record = try storage.read().flatMap(BreakerRecord.init(reading:)) ?? record } catch {
        // What cannot be read must not be replaced by a record that knows less.
        logger.warning("this launch is not counted: the breaker's record cannot be read (\(error))")
        limit = nil
      }
      record.enter(situation)
      let before = record
      self.limit = limit
      if let limit, record.isLaunching, record.process != Self.process, record.opening == nil {
        record.earlyEnds += 1
        if record.earlyEnds >= limit {
          record.open(.earlyEnds, "\(record.earlyEnds) launches in a row ended early", at: time.wallMilliseconds())
        }
      }
      record.isLaunching = limit != nil && record.opening == nil
      if limit != nil { record.process = Self.process }
      state = Locked(State(record: record))
      // Before anything of the new side runs, so that an early end is counted wherever it comes.
      if record != before { write(record) }
      if record.isLaunching {
        awaitHealth()
        observeEnds()
      }
      if let opening = record.opening { tell(opening, isNew: before.opening == nil) }
    }

    deinit {
      var (record, trial) = state.withLock { ($0.record, $0.trial) }
      trial?.cancel()
      guard record.isLaunching else { return }
      record.isLaunching = false
      write(record)
    }

    /// Why this device keeps the new side off; `nil` while the breaker is closed.
    public var opening: BreakerOpening? { state.withLock { $0.record.opening } }

    /// Closes the breaker, such as from a debug menu. Early ends are counted from 0 again.
    public func close() {
      guard opening != nil else { return }
      change { ($0.opening, $0.earlyEnds, $0.refusals) = (nil, 0, 0) }
    }

    /// Ends the launch in order: the end of the process will not count as early, and the count stays. Returns when that is stored.
    public func launchEnded() {
      guard state.withLock({ $0.record.isLaunching }) else { return }
      change { $0.isLaunching = false }
      queue.sync {}
    }

    /// Ends the count of early ends: the launch has lasted long enough. The breaker calls it after `healthyAfter`; an app may
    /// call it earlier.
    public func launchIsHealthy() {
      change { record in
        record.isLaunching = false
        if record.opening == nil { record.earlyEnds = 0 }
      }
    }

    /// Makes a tracker obey the breaker from its start. Call it for the configuration of the adapter's tracker, and for those of
    /// further sinks of the new side.
    public func hold(_ configuration: inout TrackerConfiguration) {
      configuration.hold = self
    }
  }
}

extension DualSendTracker.Breaker.Settings {
  /// The version and build of the running app, such as `25.4.10 (1234)`; empty for a program without a bundle.
  fileprivate var effectiveVersion: String {
    if let appVersion { return appVersion }
    let info = Bundle.main.infoDictionary ?? [:]
    let version = info["CFBundleShortVersionString"] as? String ?? ""
    return (info["CFBundleVersion"] as? String).map { "\(version) (\($0))" } ?? version
  }
}

// MARK: - The launch

extension DualSendTracker.Breaker {
  private func awaitHealth() {
    let trial = Task { [weak self, time, wait = settings.healthyAfter] in
      guard (try? await time.sleep(wait)) != nil else { return }
      self?.launchIsHealthy()
    }
    let former = state.withLock { state in
      defer { state.trial = trial }
      return state.trial
    }
    former?.cancel()
  }

  #if canImport(UIKit) && !os(watchOS)
    /// Whether this process is told of its orderly end, and its launch is one that a user began.
    private static var observesEnds: Bool {
      !Bundle.main.bundlePath.hasSuffix(".appex") && !AppFolder.isOfTestsOrPreview
        && ProcessInfo.processInfo.environment["ActivePrewarm"] != "1"
    }

    /// Ends the launch when the system may end the app at any time: in the background, also if the app was launched there, and
    /// when it terminates.
    private func observeEnds() {
      guard Self.observesEnds else { return }
      Task { @MainActor [weak self, time] in
        // The observers stay for the life of the process and do not retain the breaker.
        for name in [UIApplication.didEnterBackgroundNotification, UIApplication.willTerminateNotification] {
          _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            self?.launchEnded()
          }
        }
        // A launch that is still in the background then has no user interface.
        guard (try? await time.sleep(.seconds(1))) != nil else { return }
        // Not `UIApplication.shared`, which code for app extensions must not name; `observesEnds` excludes those.
        let application = UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
        if application?.applicationState == .background { self?.launchEnded() }
      }
    }
  #else
    private static var observesEnds: Bool { false }
    private func observeEnds() {}
  #endif
}

// MARK: - Opening and closing

extension DualSendTracker.Breaker {
  /// Whether events that the rollout gives to the new side step back. Closes the breaker when another revision is in force.
  ///
  /// Called on the call site's thread when the unit or the rollout changes.
  func isBreakerOpen(at revision: Int64?) -> Bool {
    let record = state.withLock { $0.record }
    let now = BreakerRecord.Situation(appVersion: record.situation.appVersion, revision: revision)
    if !record.situation.continues(in: now) {
      change { changed in
        changed.enter(now)
        (changed.isLaunching, changed.process) = (record.isLaunching, record.process)
      }
    }
    return opening != nil
  }

  /// Changes the record, stores it, and lets the router follow if the breaker opens or closes. Trackers ask by themselves.
  ///
  /// When it closes after early ends, the launch begins again: an end soon after it resumed counts as early.
  private func change(_ change: (inout BreakerRecord) -> Void) {
    let (before, record, connection) = state.withLock { state in
      let before = state.record
      change(&state.record)
      if state.record.opening != before.opening { state.failingSince = nil }
      if before.opening?.cause == .earlyEnds, state.record.opening == nil { state.record.isLaunching = limit != nil }
      return (before, state.record, state.connection)
    }
    guard record != before else { return }
    // The newest record, whichever call writes last.
    queue.async { [self] in write(state.withLock { $0.record }) }
    guard record.opening != before.opening else { return }
    if record.isLaunching, !before.isLaunching { awaitHealth() }
    connection?.decisionsChanged()
    if let opening = record.opening {
      tell(opening, isNew: true)
    } else {
      logger.notice("the breaker is closed; the new side resumes")
      settings.observer?(nil)
    }
    wakeTracker()
  }

  private func write(_ record: BreakerRecord) {
    do { try storage.write(record.bytes) } catch {
      logger.error("the breaker's state could not be kept: \("\(error)".printable())")
    }
  }

  private func tell(_ opening: BreakerOpening, isNew: Bool) {
    logger.error("the breaker is open, the new side stays off: \(opening.description)")
    if isNew {
      Counter(label: "dualsend.breaker.opened", dimensions: [("cause", opening.cause.rawValue)]).increment()
    }
    settings.observer?(opening)
  }
}

// MARK: - Trackers

extension DualSendTracker.Breaker: TrackerHold {
  /// What a tracker may not do now.
  package var suspension: TrackerSuspension {
    switch opening?.cause {
    // Any part of the new side may have ended the launches.
    case .earlyEnds: .everything
    // Pending events would be refused too.
    case .deadLetters: .delivery
    // Delivering the stored events makes room.
    case .store, nil: .none
    }
  }

  /// Called by a held tracker on its dispatcher. Only those of the adapter's tracker count.
  package func handle(_ event: TrackerEvent, from tracker: Tracker.Identity) {
    guard state.withLock({ $0.connection?.tracker })?.identity == tracker else { return }
    switch event {
    case .storeWorks:
      state.withLock { $0.failingSince = nil }
      change { if $0.opening?.cause == .store { $0.opening = nil } }
      report()
    case .storeFails(let error):
      // By the uptime, because the wall clock may jump.
      let now = time.uptime()
      let since = state.withLock { state in
        state.failingSince = state.failingSince ?? now
        return state.failingSince ?? now
      }
      guard let limit = settings.storeFailure, now - since >= limit else { return }
      open(.store, "the event store failed for \((now - since).inMilliseconds / 1000) s (\(error.kind.rawValue))")
    case .refused(let count):
      change { $0.refusals += count }
      let total = state.withLock { $0.record.refusals }
      guard let limit = settings.deadLetters, total > limit else { return }
      open(.deadLetters, "the collector refused \(total) events for good, more than \(limit)")
    case .shutDown: launchEnded()
    }
  }

  private func open(_ cause: BreakerOpening.Cause, _ detail: String) {
    change { if $0.opening == nil { $0.open(cause, detail, at: time.wallMilliseconds()) } }
  }

  /// Connects an adapter.
  ///
  /// - Parameter sinks: further sinks of the new side.
  func connect(_ connection: Connection, sinks: [Sink]) {
    state.withLock { $0.connection = connection }
    for tracker in sinks.map(\.tracker) + [connection.tracker] { tracker?.obey(self) }
    // The tracker may have opened the breaker since it was created.
    if opening != nil { connection.decisionsChanged() }
    report()
  }

  /// Lets the adapter's tracker resume or stop at once, and report.
  private func wakeTracker() {
    state.withLock { $0.connection?.tracker }?.obey(self)
    report()
  }

  /// Sends the event that reports an opening through the adapter's tracker, unless its store stays closed. It stays
  /// unreported until the tracker has stored it.
  private func report() {
    let pending = state.withLock { state -> (BreakerOpening, Tracker, CarriedDecision?, isNew: Bool)? in
      guard let opening = state.record.unreported, let tracker = state.connection?.tracker,
        state.record.opening?.cause != .earlyEnds
      else { return nil }
      defer { state.isReporting = true }
      let decision = CarriedDecision(revision: opening.revision, oldLogger: false, newTracker: true, reason: .scope)
      return (opening, tracker, state.connection?.carriesDecisions == true ? decision : nil, !state.isReporting)
    }
    guard let (opening, tracker, decision, isNew) = pending else { return }
    if isNew {
      tracker.capture(
        CapturedEvent(
          time: time.wallMilliseconds(), name: "dualsend.breaker", payload: .values(opening.members), decision: decision
        ))
    }
    Task { [weak self] in
      guard await tracker.persist() == 0, let self else { return }
      state.withLock { $0.isReporting = false }
      change { if $0.unreported == opening { $0.unreported = nil } }
    }
  }
}
