public import DualSendCore
import DualSendHTTPServer

public import struct Foundation.URL

/// An event collector and config server on 127.0.0.1 that can be told to misbehave: for tests, demos and benchmarks.
///
/// A `POST` to the path of its format takes batches (`Content-Encoding` `deflate` or `gzip` undone), keeps each event id
/// once and answers as the format's vendor does. `GET` of any other path hands out the document registered there, with a
/// strong entity tag and 304. It is not made for a network: it listens on the loopback interface only.
public actor CollectorServer {
  /// Why the server does not run.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was started before.
    case alreadyStarted
    /// The port cannot be listened on; the system's own words.
    case cannotListen(String)

    /// One factual line.
    public var description: String {
      switch self {
      case .alreadyStarted: "the collector was started before"
      case .cannotListen(let reason): "the collector cannot listen: \(reason)"
      }
    }
  }

  /// Where batches of the tracker's own format go.
  public static let eventsPath = "/events"

  private let configuration: CollectorConfiguration
  private let intake: EventIntake
  private let documents = ConfigDocuments()
  private var server: HTTPServer?
  private var heartbeat: Task<Void, any Error>?
  private var fileWatch: Task<Void, any Error>?

  /// The port it listens on; `nil` while it does not.
  public private(set) var port: UInt16?

  /// Creates a server that does not listen yet.
  public init(_ configuration: CollectorConfiguration = CollectorConfiguration()) {
    self.configuration = configuration
    intake = EventIntake(configuration)
  }

  deinit {
    heartbeat?.cancel()
    fileWatch?.cancel()
  }

  /// Listens, and returns the port once connections are taken.
  ///
  /// - Throws: ``Failure``, or what the file system says about the output file.
  @discardableResult
  public func start() async throws -> UInt16 {
    guard server == nil else { throw Failure.alreadyStarted }
    try await intake.openOutput()
    let handler = RequestHandler(eventsPath: configuration.format.path, intake: intake, documents: documents)
    let limit = configuration.maximumBodyBytes
    let server = HTTPServer(bodyLimit: { _ in limit }, respond: handler.answer)
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

  /// Closes every connection and the output file; what was received can still be asked for.
  public func stop() async {
    heartbeat?.cancel()
    fileWatch?.cancel()
    await documents.cutAllUpdateStreams()
    await server?.stop()
    (server, port) = (nil, nil)
    try? await intake.closeOutput()
  }
}

extension CollectorServer {
  /// The address of a path on this server; `nil` while it does not listen.
  ///
  /// - Parameter path: where events of its format are posted unless another path is named.
  public func url(_ path: String? = nil) -> URL? {
    port.flatMap { URL(string: "http://127.0.0.1:\($0)\(path ?? configuration.format.path)") }
  }

  /// What was seen so far.
  public var totals: CollectorTotals {
    get async { await intake.totals }
  }

  /// The ids of the events received so far.
  public var receivedIDs: Set<EventID> {
    get async { await intake.receivedIDs }
  }

  /// The first events received, up to ``CollectorConfiguration/keptEvents``, in the order they came.
  public var events: [TrackingEvent] {
    get async { await intake.events }
  }

  /// How often an event came, 0 if never.
  public func deliveries(of id: EventID) async -> Int {
    await intake.deliveries(of: id)
  }

  /// Replaces the faults of `/events`; all counts start again.
  public func setFaults(_ faults: [CollectorFault]) async {
    await intake.setFaults(faults)
  }

  /// Registers or replaces the document of a path.
  ///
  /// - Parameter headers: further header fields; an `ETag` among them takes the place of the computed one.
  public func setDocument(_ body: [UInt8], headers: [String: String] = [:], at path: String) async {
    await documents.set(body, headers: headers, at: path)
  }

  /// Hands out a file at a path, as the file is at each request; 404 while there is none, 503 while it cannot be read.
  ///
  /// Whoever follows its changes hears of them within a second.
  ///
  /// - Parameter headers: further header fields; an `ETag` among them takes the place of the computed one.
  public func setDocument(file: URL, headers: [String: String] = [:], at path: String) async {
    await documents.setFile(file, headers: headers, at: path)
  }

  /// Takes the document of a path away; it answers 404 from now on.
  public func removeDocument(at path: String) async {
    await documents.remove(at: path)
  }

  /// Replaces the faults of a document's path; faults that concern events do nothing there.
  public func setDocumentFaults(_ faults: [CollectorFault], at path: String) async {
    await documents.setFaults(faults, seed: configuration.seed, at: path)
  }

  /// Where the changes of a path's document are streamed; `nil` while the server does not listen.
  ///
  /// Each change is an event: its data is the document's `revision`, or `changed` where it has none.
  public func updatesURL(ofDocumentAt path: String) -> URL? {
    url(path + ConfigDocuments.updatesSuffix)
  }

  /// How many clients follow the changes of a path's document.
  public func updateStreams(ofDocumentAt path: String) async -> Int {
    await documents.updateStreams(of: path)
  }

  /// Sends any bytes to the clients that follow a document: a comment, or a lie.
  public func sendToUpdateStreams(_ bytes: [UInt8], ofDocumentAt path: String) async {
    await documents.sendToUpdateStreams(bytes, of: path)
  }

  /// Cuts the connections of the clients that follow a document.
  public func cutUpdateStreams(ofDocumentAt path: String) async {
    await documents.cutUpdateStreams(of: path)
  }

  /// How often the document of a path was asked for.
  public func documentRequests(at path: String) async -> DocumentRequests {
    await documents.requests(at: path)
  }
}
