import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

/// What a sink has got, by name.
final class ReceivedEvents: EventReceiver {
  private let received = Locked<[TrackingData]>([])
  private let failure = Locked<EventReceiverFailure?>(nil)

  var events: [TrackingData] { received.current }
  var names: [String] { events.map(\.name) }

  /// The payloads, read from the wire form.
  var payloads: [EventValue?] {
    events.map { event in
      guard case .object(let members)? = try? JSONReader().value(event.body) else { return nil }
      return members["payload"]
    }
  }

  /// Makes it fail from now on; `nil` makes it work.
  func fail(_ failure: EventReceiverFailure?) {
    self.failure.withLock { $0 = failure }
  }

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    if let failure = failure.current { throw failure }
    received.withLock { $0 += events }
  }
}

/// An adapter with sinks of every kind, in memory.
struct SinkBench {
  let oldLogger: RecordingOldLogger
  let tracker = ReceivedEvents()
  let amplitude = ReceivedEvents()
  let archive = ReceivedEvents()
  let clock = ManualClock()
  let closure = Locked<[TrackingEvent]>([])
  let logger = RecordingOldLogger()
  let rollout: MutableRollout
  let dualSend: DualSendTracker

  init(
    old: Int = 100, new: Int = 100, mutations: [Mutation] = [], oldLoggerEventIDKey: String? = nil,
    oldLogger: RecordingOldLogger = RecordingOldLogger(), sampling: ParitySampling? = nil,
    onClosure: @escaping @Sendable (TrackingEvent) throws -> Void = { _ in }
  ) throws {
    self.oldLogger = oldLogger
    let time = clock.timeSource
    func stored(_ id: Sink.ID, _ receiver: ReceivedEvents) -> Sink {
      .buffered(id, to: receiver, start: .onDemand) { configuration in
        configuration.storage = .memory
        configuration.intake.commitDelay = .zero
        configuration.time = time
      }
    }
    rollout = MutableRollout(try Bench.rollout(old: old, new: new))
    let tracker = stored("unused", tracker).tracker
    dualSend = DualSendTracker(
      oldLogger: oldLogger, tracker: try #require(tracker), remapping: try RemappingTable(reading: Bench.table.utf8),
      rollout: rollout, unitID: { "unit-1" }
    ) { [archive, amplitude, logger, closure] in
      $0.oldSinks = [stored("archive", archive), .logger("console", logger)]
      $0.newSinks = [
        stored("amplitude", amplitude),
        .closure("closure") { [closure] event in
          try onClosure(event)
          closure.withLock { $0.append(event) }
        },
      ]
      $0.mutations = mutations
      $0.sampling = sampling
      $0.oldLoggerEventIDKey = oldLoggerEventIDKey
      $0.time = time
    }
  }
}
