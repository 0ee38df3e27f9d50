extension RemoteConfigFetcher {
  /// Where a fetcher stands.
  public struct Status: Sendable, Hashable {
    /// Where the rollout in force is from.
    public enum Source: String, Sendable, Hashable {
      /// The app itself: nothing else was ever there, or it could not be read.
      case inAppDefault
      /// The last good one of an earlier run; nobody has confirmed it in this one.
      case cached
      /// Fetched, offered or confirmed in this run.
      case fresh
    }

    /// One word for both questions: where the rollout is from, and whether the last attempt to renew it came to anything.
    public enum State: Sendable, Hashable {
      /// The in-app default is in force, and nothing has been tried.
      case `default`
      /// The last good rollout of an earlier run is in force, and nothing has been tried.
      case cached
      /// The last attempt went well.
      case fresh
      /// The last attempt came too early.
      case throttled(for: Duration)
      /// The last attempt failed; the source says what is in force all the same.
      case failed(RemoteConfigFetcher.Failure)
    }

    /// Where the rollout in force is from.
    public internal(set) var source: Source
    /// The revision in force; `nil` where booleans or a default without a document decide.
    public internal(set) var revision: Int64?
    /// Whether a newer rollout waits for ``RemoteConfigFetcher/activate()``.
    public internal(set) var isActivationPending = false
    /// What came of the last attempt; `nil` before the first.
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

    /// One word for all of it.
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
