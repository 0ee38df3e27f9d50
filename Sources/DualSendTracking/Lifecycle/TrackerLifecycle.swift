#if canImport(UIKit) && !os(watchOS)
  import Dispatch
  import Foundation
  import UIKit

  /// Delivers pending events when the app enters the background, within the time that the system grants, and commits
  /// the last events when the app terminates.
  ///
  /// Create one next to the tracker and keep it; releasing it stops it.
  @MainActor
  public final class TrackerLifecycle {
    private let tracker: Tracker
    private let timeout: Duration
    private var observations: [any NSObjectProtocol] = []

    /// Starts to observe the app.
    ///
    /// - Parameter timeout: the longest flush; by default 20 s, less than the 30 s or so that iOS grants.
    public init(tracker: Tracker, timeout: Duration = .seconds(20)) {
      self.tracker = tracker
      self.timeout = timeout
      let center = NotificationCenter.default
      observations = [
        center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main) {
          [weak self] _ in MainActor.assumeIsolated { self?.flush() }
        },
        center.addObserver(forName: UIApplication.willTerminateNotification, object: nil, queue: .main) {
          [weak self] _ in MainActor.assumeIsolated { self?.persist() }
        },
      ]
    }

    /// Stops observing the app.
    public func stop() {
      for observation in observations { NotificationCenter.default.removeObserver(observation) }
      observations = []
    }

    /// The process ends when this returns, so the main thread waits for the commit, for a second at most.
    private func persist() {
      let (tracker, isCommitted) = (tracker, DispatchSemaphore(value: 0))
      Task.detached {
        await tracker.persist()
        isCommitted.signal()
      }
      _ = isCommitted.wait(timeout: .now() + 1)
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
