import DualSend
import DualSendCollector
import DualSendCore
import DualSendHTTPServer
import Foundation

/// The local server behind `dualsend console`: the page, its API, a collector and a config server, on the loopback
/// interface only.
actor ConsoleServer {
  /// Why the server does not run.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was started before.
    case alreadyStarted
    /// The port cannot be listened on; the system's own words.
    case cannotListen(String)
    /// The page's files are not there.
    case noPage

    /// One factual line.
    var description: String {
      switch self {
      case .alreadyStarted: "the console was started before"
      case .cannotListen(let reason): "the console cannot listen: \(reason)"
      case .noPage: "the page's files are not beside the program: install it with its folder of resources"
      }
    }
  }

  private let configuration: ConsoleConfiguration
  private let pairs: LivePairs
  private let pages: ConsolePages
  private let routes: [ConsoleRoute]
  private let token = AccessToken()
  private var server: HTTPServer?
  private var tasks: [Task<Void, any Error>] = []
  private var port: UInt16?

  /// Creates a server that does not listen yet.
  ///
  /// - Parameter routes: what it answers beside the page's files.
  init(
    _ configuration: ConsoleConfiguration = ConsoleConfiguration(), pairs: LivePairs, pages: ConsolePages,
    routes: [ConsoleRoute] = ConsoleRoute.all
  ) {
    (self.configuration, self.pairs, self.pages, self.routes) = (configuration, pairs, pages, routes)
  }

  deinit {
    for task in tasks { task.cancel() }
  }

  /// The page's address; `nil` while the server does not listen.
  var address: URL? {
    port.flatMap { URL(string: "http://127.0.0.1:\($0)/\(token.text)/") }
  }

  /// Listens, and returns the page's address once connections are taken.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  func start() async throws -> URL {
    guard server == nil else { throw Failure.alreadyStarted }
    guard let files = PageFiles(folder: configuration.pageFolder) else { throw Failure.noPage }
    let handler = ConsoleHandler(
      entry: RequestGuard(token: token, names: configuration.hostNames),
      router: ConsoleRouter(pages: pages, files: files, routes: routes), configuration: configuration)
    let server = HTTPServer(bodyLimit: handler.bodyLimit, respond: handler.answer)
    let port: UInt16
    do { port = try await server.listen(on: "127.0.0.1", port: configuration.port) } catch {
      throw Failure.cannotListen(String(describing: error))
    }
    // A machine without IPv6 has the one address.
    _ = try? await server.listen(on: "::1", port: port)
    (self.server, self.port) = (server, port)
    keepTime()
    guard let address else { throw Failure.cannotListen("the socket has no address") }
    return address
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
  func stop() async {
    for task in tasks { task.cancel() }
    tasks = []
    await server?.stop()
    (server, port) = (nil, nil)
  }
}
