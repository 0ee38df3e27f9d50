#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  extension DeviceBreaker {
    /// An app that goes to the background or is told to end may be ended by the system at any time; that is no early end.
    func endWithTheApp() {
      Task { @MainActor [weak self] in
        let names = [UIApplication.didEnterBackgroundNotification, UIApplication.willTerminateNotification]
        // The observers stay for the life of the process, as the adapter does, and hold nothing.
        for name in names {
          _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            self?.launchEnded()
          }
        }
      }
    }
  }
#else
  extension DeviceBreaker {
    /// A process without an app's life cycle says by `shutdown` that it ends in order.
    func endWithTheApp() {}
  }
#endif
