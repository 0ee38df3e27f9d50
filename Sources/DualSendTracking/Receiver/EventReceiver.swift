public import DualSendCore

/// Hands batches to a receiver and reads the results.
struct ReceiverClient: BatchClient {
  let receiver: any EventReceiver
  /// The longest time for one batch.
  let timeout: Duration
  let time: TimeSource

  var recipient: String { "receiver" }

  func prepared(_ batch: [TrackingData]) -> [PreparedRequest] {
    PreparedRequest.of(readable: batch) { events in
      [PreparedRequest(events: events, refused: [:]) { await send(events) }]
    }
  }

  private func send(_ batch: [TrackingData]) async -> WireAnswer {
    do throws(HTTPTransportError) {
      let deadline = Deadline(timeout, sleep: time.sleep)
      let answer = try await deadline.run(orThrow: HTTPTransportError.init) {
        [receiver] () async throws(HTTPTransportError) in
        do throws(EventReceiverFailure) {
          try await receiver.receive(batch)
          return WireAnswer.delivered()
        } catch {
          return WireAnswer(error)
        }
      }
      return answer.bounded
    } catch {
      return WireAnswer(error)
    }
  }
}

extension WireAnswer {
  /// The result for a receiver's failure.
  fileprivate init(_ failure: EventReceiverFailure) {
    self =
      switch failure {
      case .unavailable(let reason, let retryAfter): .retry(.reported(reason), after: retryAfter)
      case .rejected(let reasons): .delivered(rejected: reasons)
      case .invalid(let reason): .invalid(reason)
      case .refused(let reason): .refused(.reported(reason))
      }
  }
}

// MARK: - Event receiver

/// Receives a tracker's events instead of a collector: another SDK, a file, a log.
///
/// Everything else works as with a collector: events are stored, delivered in batches as
/// ``TrackerConfiguration/FlowControl`` defines, retried with back-off, and counted in the ledger.
public protocol EventReceiver: Sendable {
  /// Receives events, oldest first. Returns when they are safely stored.
  ///
  /// Called by one task at a time, unless an earlier call exceeded its timeout. If the process dies before the tracker
  /// records the result, the same events come again with the same ids.
  ///
  /// - Throws: ``EventReceiverFailure``, which decides about the events.
  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure)
}

/// Why a receiver did not accept all events.
public enum EventReceiverFailure: Error, Sendable, Hashable {
  /// A temporary failure: all events come again, after `retryAfter` at the earliest.
  case unavailable(String, retryAfter: Duration? = nil)
  /// It rejects these events and has all others. Each becomes a dead letter with its reason.
  case rejected([EventID: String])
  /// It accepted none, because of events that it cannot name or because they are too many. They come again in smaller
  /// batches; an event that fails alone becomes a dead letter with this reason.
  case invalid(String)
  /// It refuses all events until something changes. Delivery pauses, and all events are kept.
  case refused(String)
}
