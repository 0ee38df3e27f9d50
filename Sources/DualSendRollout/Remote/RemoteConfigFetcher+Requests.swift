import DualSendCore

extension RemoteConfigFetcher {
  /// Asks the server once, and takes what it sends.
  func askServer() async -> RemoteConfigFetcher.FetchResult {
    guard let url = options.url else { return .failed(.noAddress) }
    let exchange = RolloutExchange(options: options, transport: transport, time: time)
    let entityTag = newest.entityTag(for: url)
    let answer: RolloutExchange.Answer
    do throws(HTTPTransportError) {
      answer = try await exchange.answer(from: url, ifNoneMatch: entityTag)
    } catch {
      return noteTrouble(.noAnswer(error), nil)
    }
    let (response, now) = (answer.response, time.uptime())
    clock.update(from: response, at: now)
    followSchedule()
    switch response.status {
    case 200:
      noteGoodAnswer()
      let tag = response.header("ETag").map { VerifiedRollout.EntityTag($0, at: url) }
      return take(VerifiedRollout.Text(bytes: response.body, signature: answer.signature, entityTag: tag))
    case 304 where entityTag != nil:
      noteGoodAnswer()
      // Another document may have been offered while the server was asked about this one.
      if newest.entityTag(for: url) == entityTag { confirm(newest.text) }
      return .unchanged
    default:
      return noteTrouble(.status(response.status), response)
    }
  }

  private func noteGoodAnswer() {
    let hadToWait = throttle.retryAfterEnd != nil
    throttle.noteAnswer(at: time.uptime())
    troubleDelay = nil
    if hadToWait { save() }
  }

  private func noteTrouble(_ failure: RemoteConfigFetcher.Failure, _ response: HTTPTransportResponse?)
    -> RemoteConfigFetcher.FetchResult
  {
    guard failure.isServerTrouble else {
      noteGoodAnswer()
      return .failed(failure)
    }
    let retryAfter = response.flatMap { RetryAfter.delay(in: $0, wallMilliseconds: time.wallMilliseconds()) }
    troubleDelay = throttle.noteFailure(failure, retryAfter: retryAfter, at: time.uptime(), fraction: fraction)
    if retryAfter != nil { save() }
    return .failed(failure)
  }

  /// How long a polling loop waits after a failure: less than usual if the server may soon be back, more if it asks.
  func waitAfterFailure(interval: Duration) -> Duration {
    max(min(troubleDelay ?? interval, interval), throttle.wait(at: time.uptime()) ?? .zero)
  }
}
