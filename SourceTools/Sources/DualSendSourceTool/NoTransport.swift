import DualSendCore

/// Refuses every request: what reads sources asks nobody anything.
struct NoTransport: HTTPTransport {
  func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    throw .connectionFailed("this command has no network")
  }
}
