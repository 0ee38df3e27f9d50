import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// A tracker over a scripted transport and a clock that the test turns.
func makeTracker(
  _ transport: ScriptedTransport, clock: ManualClock = ManualClock(),
  change: (inout TrackerConfiguration) -> Void = { _ in }
) throws -> Tracker {
  let url = try #require(URL(string: "http://collector.test/events"))
  var configuration = TrackerConfiguration(
    endpoint: TrackingEndpoint(url: url), storage: .memory, transport: transport, time: clock.timeSource
  ) {
    $0.intake.commitDelay = .zero
    // Other tests post the same events.
    $0.systemEvents = []
    $0.retry.randomFraction = { 1 }
  }
  change(&configuration)
  return Tracker(configuration: configuration)
}

extension AsyncStream where Element == TrackingOutcome {
  /// Returns after the first outcome that matches.
  func until(_ matches: (TrackingOutcome) -> Bool) async {
    for await outcome in self where matches(outcome) { return }
  }
}
