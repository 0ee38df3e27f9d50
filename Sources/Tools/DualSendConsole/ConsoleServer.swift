import DualSend
import DualSendCollector
import DualSendCore
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
  private let reader = AccessToken()
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
      entry: RequestGuard(token: token, reader: reader, names: configuration.hostNames),
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

// MARK: - Console handler

/// Accepts or refuses a request, and adds the common header fields to every answer.
struct ConsoleHandler: Sendable {
  /// Allows scripts, styles and connections only from the page's own origin.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  let entry: RequestGuard
  let router: ConsoleRouter
  let configuration: ConsoleConfiguration

  /// The size limit of a request's body in bytes; 0 for refused requests.
  func bodyLimit(_ head: HTTPServerRequest.Head) -> Int {
    guard let path = try? path(of: head).parts else { return 0 }
    let isFromApp = router.route(to: path)?.client == .app
    return isFromApp ? configuration.maximumBatchBytes : configuration.maximumRequestBytes
  }

  /// The parts of the path below the token, decoded.
  private func path(of head: HTTPServerRequest.Head) throws(RequestGuard.Refusal) -> (parts: [String], mayAct: Bool) {
    let (path, mayAct) = try entry.pathBelowToken(
      String(head.path), host: head[header: "Host"], origin: head[header: "Origin"])
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return (parts.map { $0.removingPercentEncoding ?? String($0) }, mayAct)
  }

  func answer(_ request: HTTPServerRequest) async -> HTTPServerAnswer {
    let head = request.head
    let (path, mayAct): ([String], Bool)
    do throws(RequestGuard.Refusal) { (path, mayAct) = try self.path(of: head) } catch {
      return answer(error.failure.answer)
    }
    guard let body = request.body else {
      return answer(ConsoleFailure(413, "the body is longer than \(bodyLimit(head)) bytes").answer)
    }
    let headers = ConsoleRequest.Headers(
      contentEncoding: head[header: "Content-Encoding"], contentType: head[header: "Content-Type"],
      ifNoneMatch: head[header: "If-None-Match"], lastEventID: head[header: "Last-Event-ID"],
      hasOrigin: head[header: "Origin"] != nil)
    var request = ConsoleRequest(
      methodText: head.method, path: path, query: head.query, headers: headers, body: body)
    request.readingToken = mayAct ? entry.reader.text : nil
    return answer(await router.answer(request))
  }

  private func answer(_ answer: ConsoleAnswer) -> HTTPServerAnswer {
    let headers = headers(answer.headers)
    guard let stream = answer.stream else {
      return HTTPServerAnswer(status: answer.status, headers: headers, body: .bytes(answer.body))
    }
    return HTTPServerAnswer(
      status: answer.status, headers: headers, body: .parts(length: nil) { try await stream.run($0) })
  }

  private func headers(_ own: [String: String]) -> [String: String] {
    let common = [
      "Content-Security-Policy": Self.policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
    ]
    return common.merging(own) { _, own in own }
  }
}

extension RequestGuard.Refusal {
  fileprivate var failure: ConsoleFailure {
    switch self {
    case .unknownAddress: ConsoleFailure(404, "there is nothing at this address")
    case .foreignHost:
      ConsoleFailure(403, "the request's Host is not a name of this console", help: "see --allow-host")
    case .foreignOrigin: ConsoleFailure(403, "the request comes from a page of another site")
    }
  }
}
