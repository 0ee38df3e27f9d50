#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  extension DualSendTracker.Breaker {
    /// The time after which a launch that is still in the background is known to be one without a user interface.
    private static let backgroundLaunchAfter = Duration.seconds(1)

    /// Removes the mark when the system may end the app at any time, because that is not an early end: in the background,
    /// also if the app was launched there, and when it terminates.
    func endWithTheApp() {
      Task { @MainActor [weak self, time] in
        let names = [UIApplication.didEnterBackgroundNotification, UIApplication.willTerminateNotification]
        // The observers stay for the life of the process and do not retain the breaker.
        for name in names {
          _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            self?.launchEnded()
          }
        }
        guard (try? await time.sleep(Self.backgroundLaunchAfter)) != nil else { return }
        if UIApplication.shared.applicationState == .background { self?.launchEnded() }
      }
    }
  }
#else
  extension DualSendTracker.Breaker {
    /// Without an app's life cycle, `shutdown` removes the mark.
    func endWithTheApp() {}
  }
#endif
