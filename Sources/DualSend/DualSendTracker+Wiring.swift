public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking
public import Foundation
import Logging

extension DualSendTracker {
  /// The parts of the usual wiring. Each has a default; an app changes those that it has better ones for.
  public struct Parts: Sendable {
    /// The tracker behind the adapter.
    public var tracker: TrackerConfiguration
    /// How the rollout document is fetched.
    public var fetcher: RemoteConfigFetcher.Options
    /// The rollout until a first document was ever there.
    public var inAppDefault = RolloutSnapshot.oldLoggerOnly
    /// How often the rollout document is asked for.
    public var pollingInterval = Duration.seconds(300)
    /// Where a few bytes are kept under a name: the installation ID and the last good rollout. By default files in the
    /// app's support folder.
    public var storage: @Sendable (_ name: String) -> ByteStorage
    /// Reaches the collector and the server of the rollout document.
    public var transport: any HTTPTransport {
      get { tracker.transport }
      set { tracker.transport = newValue }
    }
    /// The installation or user that is bucketed, asked for each event; by default a stored installation ID.
    public var unitID: (@Sendable () -> String?)?
    /// What rules may ask about besides the event.
    public var context: DecisionContext
    /// More sinks that get events under their old names.
    public var oldSinks: [Sink] = []
    /// More sinks that get events under their new names.
    public var newSinks: [Sink] = []
    /// What changes the events, in order.
    public var mutations: [Mutation] = []
    /// The units whose pairs of old and new events are observed.
    public var sampling: ParitySampling?
    /// What is off by default.
    public var options = Options()

    /// The defaults for a collector and a rollout document.
    public init(collector: URL, rollout: URL) {
      tracker = TrackerConfiguration(endpoint: TrackingEndpoint(url: collector))
      fetcher = RemoteConfigFetcher.Options(url: rollout)
      context = .app()
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      let folder = (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("DualSend")
      storage = { .file(folder.appendingPathComponent($0)) }
    }
  }

  /// Wraps an old logger with the usual wiring, and starts it.
  ///
  /// ```swift
  /// let logger = DualSendTracker(oldLogger: oldLogger, collector: collector, rollout: rolloutURL, remapping: table)
  /// ```
  ///
  /// It makes the tracker, the installation ID and the fetcher, and starts the fetcher. Until the first document has come,
  /// the last good rollout of an earlier launch decides, or else `Parts.inAppDefault`.
  ///
  /// - Parameters:
  ///   - oldLogger: called on the thread of the call site.
  ///   - collector: where the new tracker posts its batches.
  ///   - rollout: where the rollout document is published.
  ///   - remapping: the old names and keys and the new ones; by default nothing changes.
  ///   - configure: exchanges or changes any part.
  public convenience init(
    oldLogger: any OldLogger, collector: URL, rollout: URL, remapping: RemappingTable = RemappingTable(),
    configure: (inout Parts) -> Void = { _ in }
  ) {
    var parts = Parts(collector: collector, rollout: rollout)
    configure(&parts)
    let logger = Logger(label: "dualsend.rollout")
    let fetcher = RemoteConfigFetcher(
      parts.fetcher, storage: parts.storage("rollout"), inAppDefault: parts.inAppDefault, transport: parts.transport,
      time: parts.tracker.time, report: { logger.warning("\($0)") })
    let installationID = parts.unitID == nil ? InstallationID(storage: parts.storage("installation-id")) : nil
    let wiring = Wiring(
      fetcher: fetcher, installationID: installationID, interval: parts.pollingInterval,
      time: parts.tracker.time)
    self.init(
      oldLogger: oldLogger, tracker: Tracker(configuration: parts.tracker), remapping: remapping, rollout: fetcher,
      context: parts.context, unitID: parts.unitID ?? { installationID?.current }, oldSinks: parts.oldSinks,
      newSinks: parts.newSinks, mutations: parts.mutations, sampling: parts.sampling, options: parts.options,
      time: parts.tracker.time, wiring: wiring)
  }

  /// What keeps the rollout current; `nil` where the app handed in its own rollout.
  public var fetcher: RemoteConfigFetcher? { wiring?.fetcher }

  /// The unit of the usual wiring; `nil` where the app handed in its own.
  public var installationID: InstallationID? { wiring?.installationID }

  /// Returns once the installation ID was asked for and polling has begun. Until the ID is known, the rollout decides as it
  /// says for a missing unit; an ID that cannot be read, as before a device's first unlock, is asked for again.
  public func started() async {
    await wiring?.start.value
  }
}

/// What the usual wiring makes beside the adapter.
final class Wiring: Sendable {
  let fetcher: RemoteConfigFetcher
  let installationID: InstallationID?
  let start: Task<Void, Never>
  private let askingAgain: Task<Void, Never>?
  /// How long to wait before an ID that could not be read is asked for again: 1 s, doubled up to 5 minutes.
  private static let backoff = RetryBackoff(shape: .ladder, base: .seconds(1), cap: .seconds(300))

  init(fetcher: RemoteConfigFetcher, installationID: InstallationID?, interval: Duration, time: TimeSource) {
    self.fetcher = fetcher
    self.installationID = installationID
    let start = Task {
      await installationID?.value()
      await fetcher.start(every: interval)
    }
    self.start = start
    askingAgain = installationID.map { installationID in
      Task {
        await start.value
        var failures = 0
        while await installationID.value() == nil {
          failures += 1
          let wait = Self.backoff.delay(afterFailures: failures) { 1 } ?? .seconds(300)
          guard (try? await time.sleep(wait)) != nil else { return }
        }
      }
    }
  }

  deinit {
    askingAgain?.cancel()
  }
}
