import DualSend
import DualSendCollector
import DualSendCore
import DualSendHTTPServer
import Foundation

/// The local server behind `dualsend console`: the page, its API, a collector and a config server, on the loopback
/// interface only.
actor ConsoleServer {
  /// The reason why the server does not run.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case alreadyStarted
    /// The server cannot listen on the port; the system's message.
    case cannotListen(String)
    /// The page's files are missing.
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
  private let pairs: LiveComparison
  private let pages: ConsolePages
  private let routes: [ConsoleRoute]
  private let token = AccessToken()
  private var server: HTTPServer?
  private var tasks: [Task<Void, any Error>] = []
  private var port: UInt16?

  /// Creates a server that does not listen yet.
  ///
  /// - Parameter routes: the addresses beside the page's files.
  init(
    _ configuration: ConsoleConfiguration = ConsoleConfiguration(), pairs: LiveComparison, pages: ConsolePages,
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

  /// Starts to listen, and returns the page's address.
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
    // A machine without IPv6 has only the first address.
    _ = try? await server.listen(on: "::1", port: port)
    (self.server, self.port) = (server, port)
    startClock()
    guard let address else { throw Failure.cannotListen("the socket has no address") }
    return address
  }

  private func startClock() {
    let (pairs, timeSource) = (pairs, configuration.timeSource)
    tasks.append(
      Task {
        while true {
          try await timeSource.sleep(.seconds(1))
          await pairs.tick()
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

/// The configuration of a ``ConsoleServer``.
struct ConsoleConfiguration: Sendable {
  /// The port on the loopback interface; 0 chooses a free one.
  var port: UInt16 = 0
  /// Host names of the server beside those of this machine.
  var hostNames: [String] = []
  /// The folder of the page's files; `nil` for the built-in page.
  var pageFolder: URL?
  /// The longest body of a batch of events or of mirrored pairs, in bytes, before and after decompression.
  var maximumBatchBytes = 16 << 20
  /// The longest body of a request of the page, in bytes.
  var maximumRequestBytes = 4 << 20
  var timeSource = TimeSource.system
}
