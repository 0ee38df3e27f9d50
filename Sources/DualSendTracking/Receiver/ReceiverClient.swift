import DualSendCore

/// Hands batches to a receiver and reads the results.
struct ReceiverClient: BatchClient {
  let receiver: any EventReceiver
  /// The longest time for one batch.
  let timeout: Duration
  let time: TimeSource
  let progress = RequestProgress()

  var recipient: String { "receiver" }

  func prepared(_ batch: [TrackingData]) -> [PreparedRequest] {
    PreparedRequest.of(readable: batch, progress: progress) { events in
      [PreparedRequest(events: events, refused: [:], progress: progress) { await send(events) }]
    }
  }

  private func send(_ batch: [TrackingData]) async -> WireAnswer {
    progress.reached(.underWay)
    do throws(HTTPTransportError) {
      let deadline = Deadline(timeout, sleep: time.sleep)
      let answer = try await deadline.run(orThrow: progress.failure(_:)) {
        [receiver] () async throws(HTTPTransportError) in
        do throws(EventReceiverFailure) {
          try await receiver.receive(batch)
          return WireAnswer.delivered()
        } catch {
          return WireAnswer(error)
        }
      }
      progress.ended(answered: true)
      return answer.bounded
    } catch {
      progress.ended(answered: false)
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
