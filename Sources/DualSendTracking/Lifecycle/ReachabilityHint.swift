#if canImport(Network)
  import Dispatch
  import Network

  /// Tells a tracker when the device has a network path again. Only a hint: delivery never waits for one.
  ///
  /// Create one next to the tracker and keep it; releasing it stops it.
  public final class ReachabilityHint: Sendable {
    private let monitor = NWPathMonitor()

    /// Starts to observe network paths.
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
