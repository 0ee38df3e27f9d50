import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

/// A server of one document as a transport: entity tags, and answers of a server in trouble.
final class DocumentServer: HTTPTransport {
  private struct State: Sendable {
    var documents: [String: (bytes: [UInt8], headers: [String: String])] = [:]
    /// The answer instead of the document, and how many requests it answers.
    var trouble: (answer: HTTPTransportResponse, times: Int)?
    var requests: [HTTPTransportRequest] = []
    var notModified = 0
  }

  private let state = Locked(State())

  func publish(_ text: String, headers: [String: String] = [:], at path: String = RemoteBench.path) {
    state.withLock { $0.documents[path] = (Array(text.utf8), headers) }
  }

  func misbehave(_ status: Int, times: Int = .max, headers: [String: String] = [:]) {
    let answer = HTTPTransportResponse(status: status, headers: headers)
    state.withLock { $0.trouble = (answer, times) }
  }

  var requests: [HTTPTransportRequest] { state.current.requests }
  var notModified: Int { state.current.notModified }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    state.withLock { state in
      state.requests.append(request)
      if let trouble = state.trouble, trouble.times > 0 {
        state.trouble?.times -= 1
        return trouble.answer
      }
      guard let (bytes, headers) = state.documents[request.url.path] else { return HTTPTransportResponse(status: 404) }
      let tag = headers["ETag"] ?? "\"\(FNV1a.hexadecimal(bytes))\""
      guard request.headers["If-None-Match"] != tag else {
        state.notModified += 1
        return HTTPTransportResponse(status: 304, headers: headers)
      }
      return HTTPTransportResponse(status: 200, headers: headers.merging(["ETag": tag]) { $1 }, body: bytes)
    }
  }
}

/// A server, and what a fetcher of it needs; time is turned by hand.
struct RemoteBench: Sendable {
  static let path = "/rollout.json"

  let server = DocumentServer()
  let clock = ManualClock()
  let storage = ByteStorage.memory()
  let url: URL

  init() throws {
    url = try #require(URL(string: "https://a.test" + Self.path))
  }

  /// A fetcher; several with one storage are several runs of one app.
  func fetcher(
    inAppDefault: RolloutSnapshot = .oldLoggerOnly, transport: (any HTTPTransport)? = nil,
    _ change: (inout RemoteConfigFetcher.Options) -> Void = { _ in }
  ) -> RemoteConfigFetcher {
    var options = RemoteConfigFetcher.Options(url: url)
    change(&options)
    return RemoteConfigFetcher(
      options, storage: storage, inAppDefault: inAppDefault, transport: transport ?? server, time: clock.timeSource,
      fraction: { 1 })
  }
}

/// A rollout document that gives the new tracker to so many percent.
func rolloutText(revision: Int, new: Int, old: Int = 100, salt: String = "test") -> String {
  """
  {"formatVersion": 1, "revision": \(revision), "salt": "\(salt)", "shouldSendLogToOldLogger": \(old), \
  "shouldSendLogToNewTracker": \(new)}
  """
}

extension RemoteConfigFetcher {
  /// Takes a document for granted that a test starts from.
  func adopt(_ text: String) throws {
    try #require(offer(Array(text.utf8)) == .fresh(isInForce: false))
    activate()
  }
}
