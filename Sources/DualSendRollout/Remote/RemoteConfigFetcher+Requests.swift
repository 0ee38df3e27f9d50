import DualSendCore

extension RemoteConfigFetcher {
  /// Sends one request and validates the document of the response.
  func requestDocument() async -> RemoteConfigFetcher.FetchResult {
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
      // Another document may have been offered during the request.
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

  /// The delay of a polling loop after a failure: the back-off up to the interval, or longer after a `Retry-After`.
  func waitAfterFailure(interval: Duration) -> Duration {
    max(min(troubleDelay ?? interval, interval), throttle.wait(at: time.uptime()) ?? .zero)
  }
}
