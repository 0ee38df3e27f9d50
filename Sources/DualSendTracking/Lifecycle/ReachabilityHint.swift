#if canImport(Network)
  import Dispatch
  import Network

  /// Tells a tracker when the device gets a network path again. A hint: delivery never waits for one.
  ///
  /// Create one beside the tracker and keep it; releasing it ends it.
  public final class ReachabilityHint: Sendable {
    private let monitor = NWPathMonitor()

    /// Starts to watch the network paths.
    public init(tracker: Tracker) {
      monitor.pathUpdateHandler = { [weak tracker] path in
        guard path.status == .satisfied, let tracker else { return }
        Task { await tracker.connectivityReturned() }
      }
      monitor.start(queue: DispatchQueue(label: "DualSend.reachability", qos: .utility))
    }

    deinit {
      monitor.cancel()
    }
  }
#endif
