extension RemoteConfigFetcher {
  /// The status of a fetcher.
  public struct Status: Sendable, Hashable {
    /// The origin of the rollout in force.
    public enum Source: String, Sendable, Hashable {
      /// The in-app default: no other rollout was stored, or it could not be read.
      case inAppDefault
      /// The last valid rollout of an earlier launch, not confirmed in this one.
      case cached
      /// Fetched, offered or confirmed in this launch.
      case fresh
    }

    /// The source and the last result in one value.
    public enum State: Sendable, Hashable {
      /// The in-app default is in force, and no fetch was tried.
      case `default`
      /// The last valid rollout of an earlier launch is in force, and no fetch was tried.
      case cached
      /// The last fetch succeeded.
      case fresh
      /// The last fetch was throttled.
      case throttled(for: Duration)
      /// The last fetch failed. ``Status/source`` gives the origin of the rollout in force.
      case failed(RemoteConfigFetcher.Failure)
    }

    /// The origin of the rollout in force.
    public internal(set) var source: Source
    /// The revision in force; `nil` for booleans and for a default without a document.
    public internal(set) var revision: Int64?
    /// Whether a newer rollout waits for ``RemoteConfigFetcher/activate()``.
    public internal(set) var isActivationPending = false
    /// The result of the last fetch; `nil` before the first.
    public internal(set) var lastResult: RemoteConfigFetcher.FetchResult?
    /// Whether a stream of live updates is open.
    public internal(set) var isStreaming = false

    init(of rollout: VerifiedRollout) {
      source = rollout.source
      revision = rollout.snapshot.revision
    }

    mutating func adopt(_ rollout: VerifiedRollout) {
      source = rollout.source
      revision = rollout.snapshot.revision
    }

    /// The source and the last result in one value.
    public var state: State {
      switch lastResult {
      case .throttled(let time): return .throttled(for: time)
      case .failed(let failure): return .failed(failure)
      case .fresh, .unchanged: return .fresh
      case nil: break
      }
      switch source {
      case .inAppDefault: return .default
      case .cached: return .cached
      case .fresh: return .fresh
      }
    }
  }
}
