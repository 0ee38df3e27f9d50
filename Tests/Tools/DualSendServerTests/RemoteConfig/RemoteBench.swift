import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import DualSendRollout
import DualSendRolloutAnalysis
import DualSendTesting
import Foundation
import Testing

/// A real server on loopback that hands out a rollout, and what a fetcher of it needs; time is turned by hand.
struct RemoteBench: Sendable {
  static let path = "/rollout.json"
  static let timeout = Duration.seconds(300)

  let server = CollectorServer()
  let clock = ManualClock()
  let storage = ByteStorage.memory()
  let problems = Locked<[RemoteConfigFetcher.Problem]>([])
  let url: URL

  /// Runs `body` against a started server, and stops the server afterwards.
  static func with(_ body: (RemoteBench) async throws -> Void) async throws {
    let bench = try await RemoteBench()
    do { try await body(bench) } catch {
      await bench.server.stop()
      throw error
    }
    await bench.server.stop()
  }

  private init() async throws {
    try await server.start()
    url = try #require(await server.url(Self.path))
  }

  /// A fetcher; several with one storage are several runs of one app.
  func fetcher(
    storage: ByteStorage? = nil, inAppDefault: RolloutSnapshot = .oldLoggerOnly,
    transport: any HTTPTransport = SystemTransport.make(),
    _ change: (inout RemoteConfigFetcher.Options) -> Void = { _ in }
  ) -> RemoteConfigFetcher {
    // The transport's own time-out is real: it must not end a request on a machine that is busy with other tests.
    var options = RemoteConfigFetcher.Options(url: url, timeout: Self.timeout, verifier: .ofTools)
    change(&options)
    return RemoteConfigFetcher(
      options, storage: storage ?? self.storage, inAppDefault: inAppDefault, transport: transport,
      time: clock.timeSource, fraction: { 1 },
      report: { [problems] problem in problems.withLock { $0.append(problem) } })
  }

  func publish(_ text: String, headers: [String: String] = [:]) async {
    await server.setDocument(Array(text.utf8), headers: headers, at: Self.path)
  }

  func misbehave(_ faults: CollectorFault...) async {
    await server.setDocumentFaults(faults, at: Self.path)
  }

  var requests: DocumentRequests {
    get async { await server.documentRequests(at: Self.path) }
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
