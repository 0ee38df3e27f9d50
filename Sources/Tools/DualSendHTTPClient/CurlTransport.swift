package import DualSendCore

#if os(Linux)
  package import DualSendCore
  package import Foundation

  /// A transport over libcurl, for Linux.
  ///
  /// On Linux, `URLSession` sometimes sends a request's header without its body (seen once in 2,000 to 20,000 requests,
  /// more often under load), which only the timeout ends. All transports share the threads and connections of the process.
  ///
  /// Requires TLS 1.2 or later. Does not use the proxies of the environment.
  package struct CurlTransport: HTTPTransport {
    /// The longest time for connecting, with the TLS handshake. A request with a shorter timeout ends sooner.
    package static let connectTimeout = Duration.seconds(8)

    private let trustRoots: String?

    /// Creates a transport.
    ///
    /// - Parameter trustRoots: a file of PEM certificates to trust instead of the system's.
    package init(trustRoots: URL? = nil) {
      self.trustRoots = trustRoots?.path
    }

    /// Sends the request; see ``HTTPTransport/send(_:)``.
    package func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      try Self.admit(request)
      return try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
        () async throws(HTTPTransportError) in
        try await Redirect.followed(from: request, head: { ($0.status, $0.header("Location")) }, send: whole)
      }
    }

    /// Opens a stream; see ``HTTPTransport/stream(_:)``.
    package func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
      try Self.admit(request)
      return try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) {
        () async throws(HTTPTransportError) in
        try await Redirect.followed(from: request, head: { ($0.status, $0.header("Location")) }, send: opened)
      }
    }

    private func opened(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
      let (body, continuation) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, bufferingPolicy: .bufferingOldest(HTTPTransportStream.maximumWaitingParts))
      let head: Result<CurlExchange.Head, HTTPTransportError> = await exchange(request) { answer in
        .parts(head: answer, body: continuation)
      } started: { exchange in
        continuation.onTermination = { _ in exchange.cancel() }
      }
      return HTTPTransportStream(status: try head.get().status, headers: try head.get().headers, body: body)
    }

    /// Refuses what libcurl would send as another request.
    private static func admit(_ request: HTTPTransportRequest) throws(HTTPTransportError) {
      guard ["http", "https"].contains(request.url.scheme?.lowercased()) else {
        throw .connectionFailed("the address is neither http nor https")
      }
      let breaks: Set<UInt8> = [0, 10, 13]
      for (name, value) in request.headers
      where !breaks.isDisjoint(with: name.utf8) || !breaks.isDisjoint(with: value.utf8) {
        throw .connectionFailed("a header field has a line break")
      }
    }

    private func whole(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      var request = request
      if !request.headers.keys.contains(where: { $0.lowercased() == "accept-encoding" }) {
        request.headers["Accept-Encoding"] = "gzip, deflate"
      }
      let answer: Result<HTTPTransportResponse, HTTPTransportError> = await exchange(request) { .whole($0) }
      return try answer.get()
    }

    /// Runs the request on a thread, until the answer or until this task is cancelled.
    private func exchange<Answer: Sendable>(
      _ request: HTTPTransportRequest,
      _ receiver: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> CurlExchange.Receiver,
      started: @escaping @Sendable (CurlExchange) -> Void = { _ in }
    ) async -> Answer {
      let running = Locked<CurlExchange?>(nil)
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let once = Locked<CheckedContinuation<Answer, Never>?>(continuation)
          let exchange = CurlExchange(
            request, trustRoots: trustRoots,
            receiver: receiver { answer in
              let waiting = once.withLock { waiting -> CheckedContinuation<Answer, Never>? in
                defer { waiting = nil }
                return waiting
              }
              waiting?.resume(returning: answer)
            })
          running.withLock { $0 = exchange }
          started(exchange)
          if Task.isCancelled { exchange.cancel() } else { CurlThreads.shared.start(exchange) }
        }
      } onCancel: {
        running.current?.cancel()
      }
    }
  }
#endif

// MARK: - System transport

/// The transport for tools, benchmarks and tests.
package enum SystemTransport {
  /// `URLSession` on Apple platforms, libcurl on Linux, where `URLSession` loses requests.
  package static func make() -> any HTTPTransport {
    #if os(Linux)
      CurlTransport()
    #else
      URLSessionTransport()
    #endif
  }
}
