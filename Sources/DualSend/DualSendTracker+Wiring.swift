public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking
public import Foundation
import Logging

extension DualSendTracker {
  /// What an adapter may have besides its parts.
  public struct Options: Sendable {
    /// The context for rules. By default the app's version and platform. Its unit ID is replaced by the adapter's.
    public var context = DecisionContext.app()
    /// Further sinks with old names. All ids must be unique.
    public var oldSinks: [Sink] = []
    /// Further sinks with new names.
    public var newSinks: [Sink] = []
    /// The mutations, in order.
    public var mutations: [Mutation] = []
    /// The units whose pairs of old and new events are observed; none by default.
    public var sampling: ParitySampling?
    /// The key for the new event's id in the old logger's parameters, so that both streams can be joined by event; `nil`
    /// changes neither stream. With a key, both streams also carry the decision: the revision and the sinks, such as
    /// `12:both`. Old parameters have it as `dual_send`, new events as `decision` next to their id. A comparison then knows
    /// which rollout the app had.
    ///
    /// An event in which the app uses one of the keys, or which would exceed ``oldParameterLimit``, is left as it is, reported, and
    /// counted by ``DualSendTracker/oldEventsWithoutID``; it is then compared by order.
    public var oldLoggerEventIDKey: String?
    /// Whether the tracker's database keeps the day on which each entry of the table was last used; see
    /// ``DualSendTracker/remappedNames(inLast:)``. At most one small write a day for each entry.
    public var recordsTableUse = false
    /// The most parameters that the old logger keeps of an event; `nil` for no limit.
    public var oldParameterLimit: Int?
    /// The limit of Firebase Analytics, for ``oldParameterLimit``.
    public static let firebaseParameterLimit = 25
    /// The clock that stamps events. The default setup uses the tracker's.
    public var time = TimeSource.system
    /// Keeps the new side off on a device where it does harm; none by default. Must hold the tracker. The default setup makes
    /// it from ``Configuration/breaker``.
    public var breaker: Breaker?

    /// The defaults.
    public init() {}
  }

  /// The configuration of the default setup.
  @dynamicMemberLookup
  public struct Configuration: Sendable {
    /// The tracker behind the adapter.
    public var tracker: TrackerConfiguration
    /// The options for fetching the rollout document.
    public var fetcher: RemoteConfigFetcher.Options
    /// The rollout before the first document has arrived.
    public var inAppDefault = RolloutSnapshot.oldLoggerOnly
    /// How often the rollout document is fetched.
    public var pollingInterval = Duration.seconds(300)
    /// Storage by name for `installation-id`, `breaker` and the last good rollout. By default files in the app's support folder.
    /// The rollout's name is `rollout-` and a hash: another one for each address, without its query, and each set of public keys.
    public var storage: @Sendable (_ name: String) -> ByteStorage
    /// The transport for the collector and the rollout document.
    public var transport: any HTTPTransport {
      get { tracker.transport }
      set { tracker.transport = newValue }
    }
    /// Returns the installation or user to bucket, for each event. By default a stored installation ID.
    public var unitID: (@Sendable () -> String?)?
    /// The options, such as further sinks. Each is also a property of this configuration.
    public var options = Options()
    /// The breaker, which keeps the new side off on a device where it does harm. Off by default: nothing is read or
    /// written. `configuration.breaker = .on` turns it on.
    public var breaker: Breaker.Settings?
    /// The defaults for a collector and a rollout document.
    public init(collector: URL, rollout: URL) {
      tracker = TrackerConfiguration(endpoint: TrackingEndpoint(url: collector))
      fetcher = RemoteConfigFetcher.Options(url: rollout)
      storage = { .file(AppFolder.url.appendingPathComponent($0)) }
    }

    /// The name of the storage of the last good rollout of this address.
    var rolloutName: String { "rollout-" + FNV1a.hexadecimal(fetcher.identity.utf8) }

    /// An option.
    public subscript<Value>(dynamicMember option: WritableKeyPath<Options, Value>) -> Value {
      get { options[keyPath: option] }
      set { options[keyPath: option] = newValue }
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
    if AppFolder.isOfTestsOrPreview, configuration.transport is URLSessionTransport {
      logger.warning("a unit test or a preview sends events and fetches rollouts: set `transport` and `storage`")
    }
    let fetcher = RemoteConfigFetcher(
      configuration.fetcher, storage: configuration.storage(configuration.rolloutName),
      inAppDefault: configuration.inAppDefault, transport: configuration.transport,
      time: configuration.tracker.time, report: { logger.warning("\($0)") })
    // Before anything of the new side runs, so that an early end is counted wherever it comes.
    let breaker = configuration.breaker.map {
      Breaker($0, rollout: fetcher, storage: configuration.storage("breaker"), time: configuration.tracker.time)
    }
    breaker?.hold(&configuration.tracker)
    let installation =
      configuration.unitID == nil
      ? StoredID.installation(configuration.storage("installation-id"), time: configuration.tracker.time) : nil
    let parts = Parts(
      tracker: Tracker(configuration: configuration.tracker),
      unitID: configuration.unitID ?? { installation?.current },
      wiring: Wiring(fetcher: fetcher, installation: installation, interval: configuration.pollingInterval))
    var options = configuration.options
    options.time = configuration.tracker.time
    options.breaker = breaker ?? options.breaker
    self.init(oldLogger, remapping, parts, fetcher, options)
  }

  /// Wraps a function in place of an old logger, with the default setup. It is called on the caller's thread, once for each
  /// event, with the call site's name and parameters. See the initialiser with an old logger.
  ///
  /// ```swift
  /// let logger = DualSendTracker(collector: collector, rollout: rolloutURL, remapping: table) { name, parameters in
  ///   Analytics.logEvent(name, parameters: parameters)
  /// }
  /// ```
  public convenience init(
    collector: URL, rollout: URL, remapping: RemappingTable = RemappingTable(),
    configure: (inout Configuration) -> Void = { _ in },
    oldLogger: @escaping @Sendable (_ name: String, _ parameters: [String: Any]) -> Void
  ) {
    self.init(
      oldLogger: FunctionLogger(log: oldLogger), collector: collector, rollout: rollout, remapping: remapping,
      configure: configure)
  }

  /// The fetcher of the rollout; `nil` if the app passed its own rollout.
  public var fetcher: RemoteConfigFetcher? { wiring?.fetcher }

  /// The stored ID of the installation; `nil` if the app passed its own unit ID.
  public var installation: StoredID? { wiring?.installation }

  /// Waits until polling has started.
  public func started() async {
    await wiring?.start.value
  }
}

/// The objects of the default setup.
final class Wiring: Sendable {
  let fetcher: RemoteConfigFetcher
  let installation: StoredID?
  let start: Task<Void, Never>

  init(fetcher: RemoteConfigFetcher, installation: StoredID?, interval: Duration) {
    self.fetcher = fetcher
    self.installation = installation
    start = Task { await fetcher.start(every: interval) }
  }
}

/// A function in the place of an old logger.
private struct FunctionLogger: OldLogger {
  let log: @Sendable (String, [String: Any]) -> Void

  func logEvents(name: String, parameters: [[String: Any]]) {
    // A call without a dictionary is an event too.
    for one in parameters.isEmpty ? [[:]] : parameters { log(name, one) }
  }
}
