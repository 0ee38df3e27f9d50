#if canImport(UIKit) && !os(watchOS)
  import DualSend
  import UIKit

  /// Starts the adapter in an app for iOS, and asks for consent.
  @MainActor
  public final class AppDelegateExample: UIResponder, UIApplicationDelegate {
    /// The logger for call sites; set before the first screen appears.
    public private(set) var logger: DualSendTracker?

    public func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
      guard let collector = URL(string: "https://collector.example/events"),
        let rollout = URL(string: "https://config.example/rollout.json")
      else { return false }
      let logger = DualSendTracker(oldLogger: ConsoleLogger(), collector: collector, rollout: rollout) {
        configuration in
        // Events stay on disk until the user has answered.
        configuration.tracker.consent = .pending
      }
      self.logger = logger
      return true
    }

    /// Call this from the app's consent dialogue. Sends or deletes the held events.
    public func userAnswered(agrees: Bool) {
      guard let logger else { return }
      Task { await logger.setConsent(agrees ? .granted : .denied) }
    }
  }

  /// A stand-in for the app's existing logger.
  private struct ConsoleLogger: OldLogger {
    func logEvents(name: String, parameters: [[String: Any]]) {
      for event in parameters { print(name, event) }
    }
  }
#endif
