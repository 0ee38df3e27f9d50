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
