#if canImport(UIKit) && !os(watchOS)
  public import Foundation
  import UIKit

  /// Delivers what waits when the app goes to the background, within the time that the system grants.
  ///
  /// Create one beside the tracker and keep it; releasing it ends it.
  @MainActor
  public final class TrackerLifecycle {
    private let tracker: Tracker
    private let timeout: Duration
    private var observation: (any NSObjectProtocol)?

    /// Starts to watch the app.
    ///
    /// - Parameter timeout: the longest flush; by default 20 s, less than the 30 s or so that iOS grants.
    public init(tracker: Tracker, timeout: Duration = .seconds(20)) {
      self.tracker = tracker
      self.timeout = timeout
      observation = NotificationCenter.default.addObserver(
        forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
      ) { [weak self] _ in
        MainActor.assumeIsolated { self?.flush() }
      }
    }

    /// Stops to watch the app.
    public func stop() {
      if let observation { NotificationCenter.default.removeObserver(observation) }
      observation = nil
    }

    private func flush() {
      let application = UIApplication.shared
      let (tracker, timeout) = (tracker, timeout)
      let flush = Task { _ = await tracker.flush(timeout: timeout) }
      let identifier = application.beginBackgroundTask(withName: "DualSend.flush") { flush.cancel() }
      Task {
        await flush.value
        application.endBackgroundTask(identifier)
      }
    }
  }
#endif
