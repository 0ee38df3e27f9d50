import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// A folder that is gone after the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("tracking-tests-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A tracker over a scripted transport and a clock that the test turns.
struct Bench {
  let clock: ManualClock
  let transport: ScriptedTransport
  let tracker: Tracker

  init(
    _ transport: ScriptedTransport = ScriptedTransport(), storage: TrackerConfiguration.StoreLocation = .memory,
    clock: ManualClock = ManualClock(), change: (inout TrackerConfiguration) -> Void = { _ in }
  ) throws {
    (self.transport, self.clock) = (transport, clock)
    let url = try #require(URL(string: "http://collector.test/events"))
    var configuration = TrackerConfiguration(
      endpoint: TrackingEndpoint(url: url), storage: storage, transport: transport, time: clock.timeSource
    ) {
      $0.intake.commitDelay = .zero
      $0.retry.randomFraction = { 1 }
    }
    change(&configuration)
    tracker = Tracker(configuration: configuration)
  }

  /// Returns when no request is under way.
  func isIdle() async {
    while await tracker.dispatcher.digestTask != nil, !Task.isCancelled { await Task.yield() }
  }

  /// The names of the delivered events, in the order in which they arrived.
  var receivedNames: [String] {
    transport.events.compactMap { event in
      if case .string(let name)? = event["eventName"] { name } else { nil }
    }
  }
}

extension HTTPTransportResponse {
  static func status(_ status: Int, headers: [String: String] = [:], body: String = "") -> HTTPTransportResponse {
    HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}

extension AsyncStream where Element == TrackingOutcome {
  /// The first outcome for which the closure has an answer.
  func first<Value>(_ matching: (TrackingOutcome) -> Value?) async -> Value? {
    for await outcome in self {
      if let value = matching(outcome) { return value }
    }
    return nil
  }
}
