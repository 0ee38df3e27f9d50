public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking
public import Foundation
import Logging

extension DualSendTracker {
  /// The configuration of the default setup.
  public struct Configuration: Sendable {
    /// The tracker behind the adapter.
    public var tracker: TrackerConfiguration
    /// The options for fetching the rollout document.
    public var fetcher: RemoteConfigFetcher.Options
    /// The rollout before the first document has arrived.
    public var inAppDefault = RolloutSnapshot.oldLoggerOnly
    /// How often the rollout document is fetched.
    public var pollingInterval = Duration.seconds(300)
    /// Storage by name for the installation ID and the last good rollout. By default files in the app's support folder.
    public var storage: @Sendable (_ name: String) -> ByteStorage
    /// The transport for the collector and the rollout document.
    public var transport: any HTTPTransport {
      get { tracker.transport }
      set { tracker.transport = newValue }
    }
    /// Returns the installation or user to bucket, for each event. By default a stored installation ID.
    public var unitID: (@Sendable () -> String?)?
    /// The context for rules.
    public var context: DecisionContext
    /// Further sinks with old names.
    public var oldSinks: [Sink] = []
    /// Further sinks with new names.
    public var newSinks: [Sink] = []
    /// The mutations, in order.
    public var mutations: [Mutation] = []
    /// The sampling of units for parity observation.
    public var sampling: ParitySampling?
    /// See the initialiser.
    public var oldLoggerEventIDKey: String?
    /// The breaker, which keeps the new side off on a device where it does harm. Off by default: nothing is read or
    /// written. `configuration.breaker = .on` turns it on.
    public var breaker: Breaker.Settings?
    /// The defaults for a collector and a rollout document.
    public init(collector: URL, rollout: URL) {
      tracker = TrackerConfiguration(endpoint: TrackingEndpoint(url: collector))
      fetcher = RemoteConfigFetcher.Options(url: rollout)
      context = .app()
      storage = { .file(AppFolder.url.appendingPathComponent($0)) }
    }
  }

  /// Wraps an old logger with the default setup, and starts it.
  ///
  /// ```swift
  /// let logger = DualSendTracker(oldLogger: oldLogger, collector: collector, rollout: rolloutURL, remapping: table)
  /// ```
  ///
  /// Creates the tracker, the installation ID and the fetcher, and starts fetching. Until the first document arrives,
  /// the last good rollout of an earlier launch applies, or `Configuration.inAppDefault`.
  ///
  /// - Parameters:
  ///   - oldLogger: the app's old logger, called on the caller's thread.
  ///   - collector: the URL for the new tracker's batches.
  ///   - rollout: the URL of the rollout document.
  ///   - remapping: maps old names and keys to new ones. By default nothing changes.
  ///   - configure: changes any part.
  public convenience init(
    oldLogger: any OldLogger, collector: URL, rollout: URL, remapping: RemappingTable = RemappingTable(),
    configure: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration(collector: collector, rollout: rollout)
    configure(&configuration)
    let logger = Logger(label: "dualsend.rollout")
    let fetcher = RemoteConfigFetcher(
      configuration.fetcher, storage: configuration.storage("rollout"), inAppDefault: configuration.inAppDefault,
      transport: configuration.transport,
      time: configuration.tracker.time, report: { logger.warning("\($0)") })
    // Before anything of the new side runs, so that an early end is counted wherever it comes.
    let breaker = configuration.breaker.map {
      Breaker(
        $0, storage: configuration.storage("breaker"), revision: fetcher.snapshot.revision,
        time: configuration.tracker.time)
    }
    breaker?.hold(&configuration.tracker)
    let installationID =
      configuration.unitID == nil
      ? StoredID.installation(configuration.storage("installation-id"), time: configuration.tracker.time) : nil
    let wiring = Wiring(fetcher: fetcher, installationID: installationID, interval: configuration.pollingInterval)
    self.init(
      oldLogger: oldLogger, tracker: Tracker(configuration: configuration.tracker), remapping: remapping,
      rollout: fetcher,
      context: configuration.context, unitID: configuration.unitID ?? { installationID?.current },
      oldSinks: configuration.oldSinks,
      newSinks: configuration.newSinks, mutations: configuration.mutations, sampling: configuration.sampling,
      oldLoggerEventIDKey: configuration.oldLoggerEventIDKey,
      time: configuration.tracker.time, wiring: wiring, breaker: breaker)
  }

  /// The fetcher of the rollout; `nil` if the app passed its own rollout.
  public var fetcher: RemoteConfigFetcher? { wiring?.fetcher }

  /// The installation ID; `nil` if the app passed its own unit ID.
  public var installationID: StoredID? { wiring?.installationID }

  /// Waits until polling has started.
  public func started() async {
    await wiring?.start.value
  }
}

/// The objects of the default setup.
final class Wiring: Sendable {
  let fetcher: RemoteConfigFetcher
  let installationID: StoredID?
  let start: Task<Void, Never>

  init(fetcher: RemoteConfigFetcher, installationID: StoredID?, interval: Duration) {
    self.fetcher = fetcher
    self.installationID = installationID
    start = Task { await fetcher.start(every: interval) }
  }
}
