package import DualSendCore

package import struct Foundation.URL

/// An event collector and config server on 127.0.0.1 with configurable faults, for tests, demos and benchmarks.
///
/// `POST` to the format's path accepts batches, decompresses `deflate` and `gzip`, stores each event id once, and
/// responds like the format's vendor. `GET` of another path returns the document registered there, with a strong entity
/// tag and 304. Listens only on the loopback interface.
package actor CollectorServer {
  /// Why the server did not start.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was already started.
    case alreadyStarted
    /// It cannot listen on the port. Holds the system's message.
    case cannotListen(String)

    /// One factual line.
    package var description: String {
      switch self {
      case .alreadyStarted: "the collector was started before"
      case .cannotListen(let reason): "the collector cannot listen: \(reason)"
      }
    }
  }

  /// The path for batches in the tracker's own format.
  package static let eventsPath = "/events"

  private let configuration: CollectorConfiguration
  private let intake: EventIntake
  private let documents = ConfigDocuments()
  private var server: HTTPServer?
  private var heartbeat: Task<Void, any Error>?
  private var fileWatch: Task<Void, any Error>?

  /// The port; `nil` if the server is not listening.
  package private(set) var port: UInt16?

  /// Creates a server. Call ``start()`` to listen.
  package init(_ configuration: CollectorConfiguration = CollectorConfiguration()) {
    self.configuration = configuration
    intake = EventIntake(configuration)
  }

  deinit {
    heartbeat?.cancel()
    fileWatch?.cancel()
  }

  /// Starts to listen, and returns the port.
  ///
  /// - Throws: ``Failure``, or an error of the output file.
  @discardableResult
  package func start() async throws -> UInt16 {
    guard server == nil else { throw Failure.alreadyStarted }
    try await intake.openOutput()
    let handler = RequestHandler(
      eventsPath: configuration.format.path, names: ServerNames(configuration.hostNames), intake: intake,
      documents: documents)
    let limit = configuration.maximumBodyBytes
    var limits = HTTPServerLimits()
    limits.connections = configuration.maximumConnections
    let server = HTTPServer(limits: limits, bodyLimit: { _ in limit }, respond: handler.answer)
    let port: UInt16
    do { port = try await server.listen(on: "127.0.0.1", port: configuration.port) } catch {
      throw Failure.cannotListen(String(describing: error))
    }
    (self.server, self.port) = (server, port)
    heartbeat = Task { [documents] in
      while true {
        try await Task.sleep(for: .seconds(15))
        await documents.keepUpdateStreamsAlive()
      }
    }
    fileWatch = Task { [documents] in
      while true {
        try await Task.sleep(for: .seconds(1))
        await documents.publishChangedFiles()
      }
    }
    return port
  }

  /// Closes all connections and the output file. The received events stay available.
  ///
  /// - Returns: why the output file can be incomplete; `nil` if it is complete.
  @discardableResult
  package func stop() async -> (any Error)? {
    heartbeat?.cancel()
    fileWatch?.cancel()
    await documents.cutAllUpdateStreams()
    await server?.stop()
    (server, port) = (nil, nil)
    do { try await intake.closeOutput() } catch { return error }
    return nil
  }
}

extension CollectorServer {
  /// The URL of a path on this server; `nil` if it is not listening.
  ///
  /// - Parameter path: by default the path for events.
  package func url(_ path: String? = nil) -> URL? {
    port.flatMap { URL(string: "http://127.0.0.1:\($0)\(path ?? configuration.format.path)") }
  }

  /// The totals so far.
  package var totals: CollectorTotals {
    get async { await intake.totals }
  }

  /// The ids of the events received so far.
  package var receivedIDs: Set<EventID> {
    get async { await intake.receivedIDs }
  }

  /// The first events received, in order, up to ``CollectorConfiguration/keptEvents``.
  package var events: [TrackingEvent] {
    get async { await intake.events }
  }

  /// How often an event was received.
  package func deliveries(of id: EventID) async -> Int {
    await intake.deliveries(of: id)
  }

  /// Replaces the faults for events, and resets their counts.
  package func setFaults(_ faults: [CollectorFault]) async {
    await intake.setFaults(faults)
  }

  /// Registers or replaces the document of a path.
  ///
  /// - Parameter headers: further header fields. An `ETag` replaces the computed one.
  package func setDocument(_ body: [UInt8], headers: [String: String] = [:], at path: String) async {
    await documents.set(body, headers: headers, at: path)
  }

  /// Serves a file at a path, read at each request; 404 if it does not exist, 503 if it cannot be read.
  ///
  /// Update streams report changes within a second.
  ///
  /// - Parameter headers: further header fields. An `ETag` replaces the computed one.
  package func setDocument(file: URL, headers: [String: String] = [:], at path: String) async {
    await documents.setFile(file, headers: headers, at: path)
  }

  /// Removes the document of a path, which then returns 404.
  package func removeDocument(at path: String) async {
    await documents.remove(at: path)
  }

  /// Replaces the faults of a document's path. Faults about events have no effect there.
  package func setDocumentFaults(_ faults: [CollectorFault], at path: String) async {
    await documents.setFaults(faults, seed: configuration.seed, at: path)
  }

  /// The URL of the update stream of a document; `nil` if the server is not listening.
  ///
  /// Each change is an event whose data is the document's `revision`, or `changed` if it has none.
  package func updatesURL(ofDocumentAt path: String) -> URL? {
    url(path + ConfigDocuments.updatesSuffix)
  }

  /// The number of update streams of a document.
  package func updateStreams(ofDocumentAt path: String) async -> Int {
    await documents.updateStreams(of: path)
  }

  /// Sends arbitrary bytes to the update streams of a document, for tests.
  package func sendToUpdateStreams(_ bytes: [UInt8], ofDocumentAt path: String) async {
    await documents.sendToUpdateStreams(bytes, of: path)
  }

  /// Closes the update streams of a document.
  package func cutUpdateStreams(ofDocumentAt path: String) async {
    await documents.cutUpdateStreams(of: path)
  }

  /// The number of requests for a document.
  package func documentRequests(at path: String) async -> DocumentRequests {
    await documents.requests(at: path)
  }
}

// MARK: - Request handler

/// Routes requests to the events or the documents.
struct RequestHandler: Sendable {
  let eventsPath: String
  let names: ServerNames
  let intake: EventIntake
  let documents: ConfigDocuments

  func answer(_ request: HTTPServerRequest) async throws -> HTTPServerAnswer? {
    let head = request.head
    let path = String(head.path)
    let answer: Answer
    switch (head.method, path) {
    case _ where head[header: "Origin"] != nil || head[header: "Host"].map { !names.contains(host: $0) } ?? false:
      // A page could add events to a comparison, or read what was published.
      answer = .json(403, ["error": "the request comes from a web page, or by a name that --allow-host does not have"])
    case ("POST", _) where path.droppingSlash == eventsPath.droppingSlash:
      let head = RequestHead(
        contentType: head[header: "Content-Type"], contentEncoding: head[header: "Content-Encoding"],
        authorization: head[header: "Authorization"])
      answer = await intake.answer(body: request.body, head)
    case (_, _) where path.droppingSlash == eventsPath.droppingSlash:
      answer = .json(405, ["error": "events come by POST"])
    case ("GET", _):
      if let parts = await documents.updates(path: path, lastEventID: head[header: "Last-Event-ID"]) {
        return HTTPServerAnswer(
          status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"],
          body: .parts(length: nil) { write in for await part in parts { try await write(part) } })
      }
      answer = await documents.answer(path: path, ifNoneMatch: head[header: "If-None-Match"])
    default:
      answer = .json(405, ["error": "documents go by GET"])
    }
    return try await answer.onTheWire()
  }
}

extension Answer {
  /// The response to send; `nil` to close the connection.
  fileprivate func onTheWire() async throws -> HTTPServerAnswer? {
    func parts(_ send: @escaping @Sendable (HTTPServerAnswer.Write) async throws -> Void) -> HTTPServerAnswer {
      HTTPServerAnswer(status: status, headers: headers, body: .parts(length: body.count, send))
    }
    switch delivery {
    case .nothing: return nil
    case .half:
      return parts { [body] write in
        try await write(Array(body.prefix(body.count / 2)))
        throw CancellationError()
      }
    case .dripping(let pause):
      return parts { [body] write in
        for byte in body {
          try await Task.sleep(for: pause)
          try await write([byte])
        }
      }
    case .after(let time): try await Task.sleep(for: time)
    case .whole: break
    }
    return HTTPServerAnswer(status: status, headers: headers, body: .bytes(body))
  }
}

extension String {
  /// The path without a trailing slash, which vendors ignore.
  fileprivate var droppingSlash: Substring {
    last == "/" ? dropLast() : self[...]
  }
}
