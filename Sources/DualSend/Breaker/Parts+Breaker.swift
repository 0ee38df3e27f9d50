import DualSendTracking
import Foundation

extension DualSendTracker.Parts {
  /// Makes the breaker, if the app has turned it on, and lets the tracker start as the breaker says.
  ///
  /// - Parameter revision: the rollout's revision in force.
  mutating func makeBreaker(revision: Int64?) -> DeviceBreaker? {
    guard let settings = breaker else { return nil }
    let breaker = DeviceBreaker(
      settings, folder: settings.folder ?? folder.appendingPathComponent("breaker"), revision: revision,
      time: tracker.time)
    tracker.suspension = breaker.suspension
    tracker.healthObserver = { [weak breaker] in breaker?.hear($0) }
    return breaker
  }
}
