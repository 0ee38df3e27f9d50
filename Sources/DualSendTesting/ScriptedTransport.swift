public import DualSendCore

/// A transport without a network: a script answers each request, and every request is kept.
public final class ScriptedTransport: HTTPTransport {
  /// What the script answers: a response, or the failure to get one.
  public typealias Answer = Result<HTTPTransportResponse, HTTPTransportError>

  private struct State: Sendable {
    var requests: [HTTPTransportRequest] = []
    var answers: [Answer]
  }

  private let state: Locked<State>
  private let script: @Sendable (HTTPTransportRequest) async -> Answer

  /// Answers with the given list first, then always with the last argument.
  public init(_ answers: [Answer] = [], then fallback: Answer = .success(HTTPTransportResponse(status: 200))) {
    state = Locked(State(answers: answers))
    script = { _ in fallback }
  }

  /// Answers each request as the closure says.
  public init(_ script: @escaping @Sendable (HTTPTransportRequest) async -> Answer) {
    state = Locked(State(answers: []))
    self.script = script
  }

  /// Keeps the request and answers it.
  public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    let listed = state.withLock { state -> Answer? in
      state.requests.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    if let listed { return try listed.get() }
    return try await script(request).get()
  }

  /// Every request so far, in order.
  public var requests: [HTTPTransportRequest] {
    state.current.requests
  }

  /// The events of every request so far, in order; an event sent twice stands here twice.
  public var events: [EventValue] {
    requests.flatMap { $0.trackingEvents }
  }
}

extension HTTPTransportRequest {
  /// The events of a batch, whatever its content coding; empty if the body is no batch.
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
