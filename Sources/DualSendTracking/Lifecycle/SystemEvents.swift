import DualSendCore

#if canImport(Network)
  import Dispatch
  import Network
#endif
#if canImport(UIKit) && !os(watchOS)
  import Dispatch
  import Foundation
  import UIKit
#endif

extension TrackerConfiguration {
  /// What a tracker learns from the system by itself. A platform without such an event ignores it.
  public struct SystemEvents: OptionSet, Sendable, Hashable {
    /// The app goes to the background or terminates (iOS, tvOS, visionOS, and extensions there).
    ///
    /// In the background, the tracker delivers pending events for at most 20 s, less than the system grants. Before the
    /// process terminates, it commits the last events, for which the main thread waits for at most a second.
    public static let lifecycle = SystemEvents(rawValue: 1)
    /// The device has a network path again (all Apple platforms). After a failure, the tracker then retries at once.
    public static let network = SystemEvents(rawValue: 2)
    /// All of them.
    public static let all: SystemEvents = [.lifecycle, .network]

    /// The events as bits.
    public let rawValue: Int

    /// Creates a set from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }
}

/// Observes the system for one tracker, and does not retain it.
final class SystemObserver: Sendable {
  #if canImport(Network)
    private let monitor: NWPathMonitor?
  #endif

  /// Starts to observe; releasing the observer stops it.
  init(_ events: TrackerConfiguration.SystemEvents, for tracker: Tracker) {
    #if canImport(Network)
      monitor = events.contains(.network) ? NWPathMonitor() : nil
      monitor?.pathUpdateHandler = { [weak tracker] path in
        guard path.status == .satisfied, let tracker else { return }
        Task { await tracker.connectivityReturned() }
      }
      monitor?.start(queue: DispatchQueue(label: "DualSend.reachability", qos: .utility))
    #endif
    #if canImport(UIKit) && !os(watchOS)
      if events.contains(.lifecycle) { Self.observeLifecycle(of: tracker) }
    #endif
  }

  #if canImport(Network)
    deinit {
      monitor?.cancel()
    }
  #endif
}

#if canImport(UIKit) && !os(watchOS)
  extension SystemObserver {
    /// The longest flush in the background. iOS grants about 30 s.
    private static let backgroundTime = Duration.seconds(20)

    /// The observers stay for the life of the process. Without a tracker they do nothing.
    private static func observeLifecycle(of tracker: Tracker) {
      func observe(_ name: NSNotification.Name, _ body: @escaping @Sendable (Tracker) -> Void) {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak tracker] _ in
          if let tracker { body(tracker) }
        }
      }
      // An app extension gets its host's notification instead.
      observe(UIApplication.didEnterBackgroundNotification, flushInBackground)
      observe(NSNotification.Name.NSExtensionHostDidEnterBackground, flushInBackground)
      observe(UIApplication.willTerminateNotification, persistBeforeTheEnd)
    }

    /// Delivers while the system lets the process run: not by `UIApplication.shared`, which an extension must not use.
    private static func flushInBackground(_ tracker: Tracker) {
      let ended = DispatchSemaphore(value: 0)
      let flush = Task {
        _ = await tracker.flush(timeout: backgroundTime)
        ended.signal()
      }
      // Called on another thread, and again when the time is over. The process may be suspended when it returns.
      ProcessInfo.processInfo.performExpiringActivity(withReason: "DualSend.flush") { isExpired in
        if isExpired {
          flush.cancel()
          ended.signal()
        } else {
          ended.wait()
          ended.signal()
        }
      }
    }

    /// The process ends when this returns, so the main thread waits for the commit, for at most a second. iOS grants about
    /// five before it ends the process.
    private static func persistBeforeTheEnd(_ tracker: Tracker) {
      let isCommitted = DispatchSemaphore(value: 0)
      Task.detached {
        await tracker.persist()
        isCommitted.signal()
      }
      _ = isCommitted.wait(timeout: .now() + 1)
    }
  }
#endif
