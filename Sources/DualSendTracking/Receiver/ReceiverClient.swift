import DualSendCore

/// Hands batches to a receiver and says what each answer means.
struct ReceiverClient: BatchClient {
  let receiver: any EventReceiver
  /// The longest time for one batch.
  let timeout: Duration
  let time: TimeSource
  let progress = RequestProgress()

  func prepared(_ batch: [TrackingData]) -> PreparedBatch {
    { await send(batch) }
  }

  private func send(_ batch: [TrackingData]) async -> TrackingAnswer {
    progress.reached(.underWay)
    do throws(HTTPTransportError) {
      let deadline = Deadline(timeout, sleep: time.sleep)
      let answer = try await deadline.run(orThrow: progress.failure(_:)) {
        [receiver] () async throws(HTTPTransportError) in
        do throws(EventReceiverFailure) {
          try await receiver.receive(batch)
          return TrackingAnswer.accepted(rejected: [:])
        } catch {
          return TrackingAnswer(error)
        }
      }
      progress.ended(answered: true)
      return answer
    } catch {
      progress.ended(answered: false)
      return TrackingAnswer(error)
    }
  }
}

extension TrackingAnswer {
  /// Reads what a receiver says. Its words are kept and shown for as long as a dead letter is.
  fileprivate init(_ failure: EventReceiverFailure) {
    self =
      switch failure {
      case .unavailable(let reason, let retryAfter):
        .unavailable(.receiver(Self.words(reason)), retryAfter: retryAfter.map { min(max($0, .zero), RetryAfter.cap) })
      case .rejected(let reasons): .accepted(rejected: reasons.mapValues(Self.words))
      case .refused(let reason): .refused(.receiver(Self.words(reason)))
      }
  }

  private static func words(_ text: String) -> String {
    text.printable(limit: PrintableText.lineLimit)
  }
}
