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
      public var appVersion = ["CFBundleShortVersionString", "CFBundleVersion"]
        .compactMap { Bundle.main.infoDictionary?[$0] as? String }.joined(separator: " ")
      /// Called with the opening when the breaker opens, and at each launch while it is open; with `nil` when it closes. On any
      /// thread.
      public var observer: (@Sendable (BreakerOpening?) -> Void)?

      /// Creates settings with the defaults.
      public init() {}
    }

    private struct State: Sendable {
      var record: BreakerRecord
      /// The uptime of the first failure since the store last worked.
      var failingSince: Duration?
      /// The adapter's tracker, whose store and refusals count. It owns its configuration, and with it the breaker.
      weak var tracker: Tracker?
      /// Makes the adapter's router ask the breaker again.
      var decisionsChanged: @Sendable () -> Void = {}
    }

    private static let process = UInt64.random(in: 1 ... .max)

    private let settings: Settings
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
    ///   - settings: when it opens.
    ///   - rollout: the source of the rollout that the adapter follows.
    ///   - storage: the breaker's own. Processes with separate launches, such as an app and its extension, need separate ones.
    ///   - time: the clocks.
    public init(
      _ settings: Settings = .on, rollout: some RolloutSource, storage: ByteStorage, time: TimeSource = .system
    ) {
      (self.settings, self.storage, self.time) = (settings, storage, time)
      var record = BreakerRecord(appVersion: settings.appVersion, revision: rollout.snapshot.revision)
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
      let before = record
      record.enter(appVersion: settings.appVersion, revision: rollout.snapshot.revision)
      let wasOpen = record.opening != nil
      if let limit, !wasOpen, let process = record.launching, process != Self.process {
        record.earlyEnds += 1
        if record.earlyEnds >= limit {
          record.open(.earlyEnds, "\(record.earlyEnds) launches in a row ended early", at: time.wallMilliseconds())
        }
      }
      record.launching = limit != nil && record.opening == nil ? Self.process : nil
      state = Locked(State(record: record))
      // Before anything of the new side runs, so that an early end is counted wherever it comes.
      if record != before { write(record) }
      if record.launching != nil { observeLaunch() }
      if let opening = record.opening { tell(opening, isNew: !wasOpen) }
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
      guard state.withLock({ $0.record.launching != nil }) else { return }
      change { $0.launching = nil }
      queue.sync {}
    }

    /// Ends the count of early ends: the launch has lasted long enough. The breaker calls it after `healthyAfter`; an app may
    /// call it earlier.
    public func launchIsHealthy() {
      change { record in
        record.launching = nil
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

// MARK: - The launch

extension DualSendTracker.Breaker {
  private func observeLaunch() {
    Task {
      guard (try? await time.sleep(settings.healthyAfter)) != nil else { return }
      launchIsHealthy()
    }
    #if canImport(UIKit) && !os(watchOS)
      if Self.observesEnds { observeEnds() }
    #endif
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
  #endif
}

// MARK: - Opening and closing

extension DualSendTracker.Breaker {
  /// Whether events that the rollout gives to the new side step back. Closes the breaker when another revision is in force.
  ///
  /// Called on the call site's thread when the unit or the rollout changes.
  func isBreakerOpen(at revision: Int64?) -> Bool {
    change { record in
      let launching = record.launching
      record.enter(appVersion: record.appVersion, revision: revision)
      record.launching = launching
    }
    return opening != nil
  }

  private func open(_ cause: BreakerOpening.Cause, _ detail: String) {
    change { if $0.opening == nil { $0.open(cause, detail, at: time.wallMilliseconds()) } }
  }

  /// Changes the record, stores it, and lets the router and the tracker follow if the breaker opens or closes.
  private func change(_ change: (inout BreakerRecord) -> Void) {
    let (before, now) = state.withLock { state in
      let before = state.record
      change(&state.record)
      if state.record.opening != before.opening { state.failingSince = nil }
      return (before, state)
    }
    guard now.record != before else { return }
    // The newest record, whichever call writes last.
    queue.async { [self] in write(state.withLock { $0.record }) }
    guard now.record.opening != before.opening else { return }
    now.decisionsChanged()
    tell(now.record.opening, isNew: true)
    now.tracker?.obey(self)
  }

  private func write(_ record: BreakerRecord) {
    do { try storage.write(record.bytes) } catch {
      logger.error("the breaker's state could not be kept: \("\(error)".printable())")
    }
  }

  private func tell(_ opening: BreakerOpening?, isNew: Bool) {
    if let opening {
      logger.error("the breaker is open, the new side stays off: \(opening.description)")
      let cause = [("cause", opening.cause.rawValue)]
      if isNew { Counter(label: "dualsend.breaker.opened", dimensions: cause).increment() }
    } else {
      logger.notice("the breaker is closed; the new side resumes")
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
    guard state.withLock({ $0.tracker })?.identity == tracker else { return }
    switch event {
    case .storeWorks:
      state.withLock { $0.failingSince = nil }
      change { if $0.opening?.cause == .store { $0.opening = nil } }
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

  /// Connects an adapter, its tracker and further sinks of the new side.
  ///
  /// - Parameter decisionsChanged: makes the adapter's router ask the breaker again.
  func connect(_ tracker: Tracker, sinks: [Sink], decisionsChanged: @escaping @Sendable () -> Void) {
    state.withLock { ($0.tracker, $0.decisionsChanged) = (tracker, decisionsChanged) }
    for held in sinks.compactMap(\.tracker) + [tracker] { held.obey(self) }
    // The tracker may have opened the breaker since it was created.
    if opening != nil { decisionsChanged() }
  }
}
