public import DualSendCore

/// A transport without a network. Responds to each request from a script, and records all requests.
public final class ScriptedTransport: HTTPTransport {
  /// A scripted response or error.
  public typealias Answer = Result<HTTPTransportResponse, HTTPTransportError>

  private struct State: Sendable {
    var requests: [HTTPTransportRequest] = []
    var answers: [Answer]
  }

  private let state: Locked<State>
  private let script: @Sendable (HTTPTransportRequest) async -> Answer

  /// Responds with the given list first, then always with `fallback`.
  public init(_ answers: [Answer] = [], then fallback: Answer = .success(HTTPTransportResponse(status: 200))) {
    state = Locked(State(answers: answers))
    script = { _ in fallback }
  }

  /// Responds to each request with the closure.
  public init(_ script: @escaping @Sendable (HTTPTransportRequest) async -> Answer) {
    state = Locked(State(answers: []))
    self.script = script
  }

  /// Records the request and responds to it.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    let listed = state.withLock { state -> Answer? in
      state.requests.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    if let listed { return try listed.get() }
    return try await script(request).get()
  }

  /// The recorded requests, in order.
  public var requests: [HTTPTransportRequest] {
    state.current.requests
  }

  /// The events of all recorded requests, in order, including repeated ones.
  public var events: [EventValue] {
    requests.flatMap { $0.trackingEvents }
  }
}

extension HTTPTransportRequest {
  /// The events of a batch, decoded; empty if the body is not a batch.
  public var trackingEvents: [EventValue] {
    guard let body else { return [] }
    let isCoded = headers["Content-Encoding"] != nil
    guard let bytes = isCoded ? try? Zlib.decompress(body, limit: 64 << 20) : body,
      case .array(let events)? = try? JSONReader(maximumBytes: 64 << 20).value(bytes)
    else { return [] }
    return events
  }
}

extension EventValue {
  /// A member of an object; `nil` for other values.
  public subscript(key: String) -> EventValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}
