import DualSend
import DualSendCollector
import DualSendCore
import FlyingFox
import FlyingSocks
package import Foundation

/// The local server behind `dualsend console`: the page, its API, a collector and a config server, on the loopback
/// interface only.
package actor ConsoleServer {
  /// Why the server does not run.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was started before.
    case alreadyStarted
    /// The port cannot be listened on; the system's own words.
    case cannotListen(String)
    /// The page's files are not there.
    case noPage

    /// One factual line.
    package var description: String {
      switch self {
      case .alreadyStarted: "the console was started before"
      case .cannotListen(let reason): "the console cannot listen: \(reason)"
      case .noPage: "the page's files are not beside the program: install it with its folder of resources"
      }
    }
  }

  private let configuration: ConsoleConfiguration
  private let pairs: LivePairs
  private let workbench: any ConsoleWorkbench
  private let showsValues: Bool
  private let token = AccessToken()
  private var servers: [HTTPServer] = []
  private var tasks: [Task<Void, any Error>] = []
  private var runs: [Task<Void, Never>] = []
  private var port: UInt16?

  /// Creates a server that does not listen yet.
  ///
  /// - Parameter showsValues: whether payloads' values leave it; without that it says of each what kind it is.
  package init(
    _ configuration: ConsoleConfiguration = ConsoleConfiguration(), pairs: LivePairs,
    workbench: any ConsoleWorkbench, showsValues: Bool = false
  ) {
    self.configuration = configuration
    self.pairs = pairs
    self.workbench = workbench
    self.showsValues = showsValues
  }

  deinit {
    for task in tasks { task.cancel() }
    for run in runs { run.cancel() }
  }

  /// The page's address; `nil` while the server does not listen.
  package var address: URL? {
    port.flatMap { URL(string: "http://127.0.0.1:\($0)/\(token.text)/") }
  }

  /// Listens, and returns the page's address once connections are taken.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  package func start() async throws -> URL {
    guard servers.isEmpty else { throw Failure.alreadyStarted }
    guard let page = PageFiles(folder: configuration.pageFolder) else { throw Failure.noPage }
    let handler = ConsoleHandler(
      entry: RequestGuard(token: token, names: configuration.hostNames),
      router: ConsoleRouter(
        configuration: configuration, showsValues: showsValues, pairs: pairs, workbench: workbench, page: page))
    let port = try await listen(at: try .inet(ip4: "127.0.0.1", port: configuration.port), handler)
    self.port = port
    // A machine without IPv6 has the one address.
    _ = try? await listen(at: try .inet6(ip6: "::1", port: port), handler)
    keepTime()
    guard let address else { throw Failure.cannotListen("the socket has no address") }
    return address
  }

  private func listen(at address: some SocketAddress, _ handler: ConsoleHandler) async throws -> UInt16 {
    let server = HTTPServer(
      config: HTTPServer.Configuration(
        address: address, timeout: 86_400, sharedRequestBufferSize: 64 << 10, sharedRequestReplaySize: 0,
        pool: LowLatencySocketPool(base: HTTPServer.defaultPool()), logger: .disabled),
      handler: handler)
    let (outcomes, continuation) = AsyncStream.makeStream(of: Failure?.self)
    let run = Task {
      do { try await server.run() } catch { continuation.yield(.cannotListen(error.localizedDescription)) }
    }
    Task {
      try await server.waitUntilListening()
      continuation.yield(nil)
    }
    for await failure in outcomes {
      if let failure { throw failure }
      break
    }
    servers.append(server)
    runs.append(run)
    switch await server.listeningAddress {
    case .ip4(_, let port)?, .ip6(_, let port)?: return port
    default: throw Failure.cannotListen("the socket has no address")
    }
  }

  private func keepTime() {
    let (pairs, timeSource) = (pairs, configuration.timeSource)
    tasks.append(
      Task {
        while true {
          try await timeSource.sleep(.seconds(1))
          await pairs.turn()
        }
      })
  }

  /// Closes every connection.
  package func stop() async {
    for task in tasks { task.cancel() }
    tasks = []
    // A stream would keep its connection, and so the server, for ever.
    await pairs.endStreams()
    for server in servers { await server.stop() }
    for run in runs { await run.value }
    (servers, runs, port) = ([], [], nil)
  }
}
