import DualSendCore

/// Refuses every request: commands about sources need no network.
struct NoTransport: HTTPTransport {
  func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    throw .connectionFailed("this command has no network")
  }
}
