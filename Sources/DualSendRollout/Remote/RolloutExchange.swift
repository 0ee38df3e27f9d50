import DualSendCore
import Foundation

/// Requests the document and, if necessary, its signature, within the timeout.
struct RolloutExchange: Sendable {
  /// The response and the signature.
  struct Answer: Sendable {
    let response: HTTPTransportResponse
    /// The signature's text, from the response's header or from the file beside the document.
    var signature: String?
  }

  let options: RemoteConfigFetcher.Options
  let transport: any HTTPTransport
  let time: TimeSource

  /// Fetches the document.
  ///
  /// The timeout also applies to a transport that ignores its own or never returns.
  func answer(from url: URL, ifNoneMatch entityTag: String?) async throws(HTTPTransportError) -> Answer {
    try await Deadline(options.timeout, sleep: time.sleep).run(orThrow: HTTPTransportError.init) {
      () async throws(HTTPTransportError) in try await document(from: url, ifNoneMatch: entityTag)
    }
  }

  private func document(from url: URL, ifNoneMatch entityTag: String?) async throws(HTTPTransportError) -> Answer {
    var request = get(url, maximumBytes: options.maximumBytes)
    request.headers["Accept"] = "application/json"
    if let entityTag { request.headers["If-None-Match"] = entityTag }
    let response = try await transport.sendIdempotent(request)
    let answer = Answer(response: response, signature: response.header(RolloutSignature.headerField))
    guard response.status == 200, answer.signature == nil, !options.publicKeys.isEmpty,
      let signatureURL = Self.signatureURL(beside: url)
    else { return answer }
    let file: HTTPTransportResponse
    do {
      file = try await transport.sendIdempotent(get(signatureURL, maximumBytes: RolloutSignature.maximumTextBytes))
    } catch {
      guard case .responseTooLarge = error else { throw error }
      // Too long for a signature: a site that responds to every address with a page.
      return Answer(response: response, signature: "")
    }
    switch file.status {
    case 200: return Answer(response: response, signature: String(decoding: file.body, as: UTF8.self))
    // There is no signature. The validator decides whether one is required.
    case 400..<500 where file.status != 408 && file.status != 429: return answer
    // A server error: the signature may exist.
    default: return Answer(response: file)
    }
  }

  private func get(_ url: URL, maximumBytes: Int) -> HTTPTransportRequest {
    HTTPTransportRequest(
      method: "GET", url: url, headers: options.headers, timeout: options.timeout, maximumResponseBytes: maximumBytes)
  }

  /// `…/rollout.json?v=1` has its signature at `…/rollout.json.sig?v=1`.
  private static func signatureURL(beside url: URL) -> URL? {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    components.percentEncodedPath += "." + RolloutSignature.fileExtension
    return components.url
  }
}

// MARK: - Fetch throttle

/// Limits the rate of requests. Measures uptime, so the wall clock has no effect.
struct FetchThrottle: Sendable {
  private static let hintInterval = Duration.seconds(1)

  private let minimumInterval: Duration
  private let backoff: RetryBackoff
  private(set) var failures = 0
  private var openAt: Duration?
  private var answeredAt: Duration?
  /// The end of the server's `Retry-After`.
  private(set) var retryAfterEnd: Duration?

  init(minimumInterval: Duration, backoff: RetryBackoff) {
    self.minimumInterval = minimumInterval
    self.backoff = backoff
  }

  /// The time until the next request is allowed; `nil` if it is allowed now.
  func wait(at now: Duration) -> Duration? {
    [openAt, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// The time until a request after a stream's hint is allowed; `nil` if it is allowed now. A hint overrides the minimum
  /// interval at most once a second. It overrides neither `Retry-After` nor the back-off.
  func waitAfterHint(at now: Duration) -> Duration? {
    let opening = failures > 0 ? openAt : answeredAt.map { $0 + Self.hintInterval }
    return [opening, retryAfterEnd].compactMap { $0 }.max().flatMap { $0 > now ? $0 - now : nil }
  }

  /// Records a response without a server error, even if its document is refused.
  mutating func noteAnswer(at now: Duration) {
    answeredAt = now
    failures = 0
    retryAfterEnd = nil
    openAt = now + minimumInterval
  }

  /// Records an error response, or no response.
  ///
  /// - Returns: the delay before polling continues.
  mutating func noteFailure(
    _ failure: RemoteConfigFetcher.Failure, retryAfter: Duration?, at now: Duration, fraction: () -> Double
  ) -> Duration {
    failures += 1
    let delay = backoff.delay(afterFailures: failures, fraction: fraction) ?? backoff.cap
    retryAfterEnd = retryAfter.map { now + $0 }
    // No request reached the server, so the throttle does not apply: an app may fetch as soon as it is online.
    openAt = failure.isUnreachable ? nil : now + delay
    return delay
  }

  /// Restores the `Retry-After` of an earlier launch.
  mutating func resume(retryAfter: Duration, at now: Duration) {
    retryAfterEnd = now + min(max(retryAfter, .zero), RetryAfter.cap)
  }
}

/// The server's time: the `Date` of its last response plus the uptime since.
///
/// Schedules use it because users can set the device's clock. It can be late by the response's latency, or by the time
/// between two launches until the next fetch. It is never early: a proxy's wrong `Date` or `Age` needs a second witness, the
/// device's clock or another answer.
struct TrustedClock: Sendable {
  /// The clock goes back only by more than this: smaller differences come from caches, larger ones from a corrected clock.
  private static let tolerance: Int64 = 300_000

  /// A jump ahead by more than this needs a second witness.
  private static let largestJump: Int64 = 86_400_000

  private var anchor: (milliseconds: Int64, uptime: Duration)?
  /// A later time that one answer gave, and the device's clock did not confirm.
  private var unconfirmed: (milliseconds: Int64, uptime: Duration)?

  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` before the first response.
  func milliseconds(at uptime: Duration) -> Int64? {
    anchor.map { $0.milliseconds + max(.zero, uptime - $0.uptime).inMilliseconds }
  }

  /// Restores the trusted time of an earlier launch.
  mutating func resume(_ milliseconds: Int64, at uptime: Duration) {
    anchor = (milliseconds, uptime)
  }

  /// Sets the clock from a response that arrives now.
  ///
  /// - Parameter device: the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  mutating func update(from response: HTTPTransportResponse, at uptime: Duration, device: Int64) {
    guard let date = response.header("Date").flatMap({ HTTPDate.milliseconds($0) }) else { return }
    // A shared cache forwards the origin's `Date` and adds an `Age` (RFC 9111, 4.2.3).
    let age = response.header("Age").flatMap { Int64($0) }.map { min(max($0, 0), 31_536_000) * 1000 } ?? 0
    // Another cache writes the `Date` of now beside the `Age`. Then the device's clock is nearer to the `Date` alone.
    let heard = Self.distance(device, date + age) < Self.distance(device, date) ? date + age : date
    if let known = milliseconds(at: uptime) {
      if heard < known, known - heard < Self.tolerance { return }
      let isJump = heard - known > Self.largestJump && Self.distance(device, heard) > Self.largestJump
      let expected = unconfirmed.map { $0.milliseconds + max(.zero, uptime - $0.uptime).inMilliseconds }
      if isJump, expected.map({ Self.distance($0, heard) > Self.tolerance }) ?? true {
        unconfirmed = (heard, uptime)
        return
      }
    }
    (anchor, unconfirmed) = ((heard, uptime), nil)
  }

  private static func distance(_ one: Int64, _ other: Int64) -> Int64 {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return overflow || difference == .min ? .max : abs(difference)
  }
}
