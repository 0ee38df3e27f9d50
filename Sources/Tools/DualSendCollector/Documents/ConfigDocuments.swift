import DualSendCore
import Foundation

/// The documents that the server returns, by path, with entity tags.
actor ConfigDocuments {
  /// The source of a document.
  private enum Source {
    case bytes([UInt8])
    /// Read at each request, so that replacing the file publishes it. A half-written file is returned as it is, like by
    /// a plain web server.
    case file(URL)
  }

  private struct Document {
    let source: Source
    let headers: [String: String]
    /// The last published content; `nil` before the first read.
    var published: [UInt8]?
  }

  private var documents: [String: Document] = [:]
  private var scripts: [String: FaultScript] = [:]
  private var requests: [String: DocumentRequests] = [:]
  private var publishers: [String: UpdatePublisher] = [:]

  /// The most paths without a document whose requests are counted: anybody may ask for any path.
  private static let maximumCountedPaths = 1000

  /// The suffix of a document's path for its update stream.
  static let updatesSuffix = "/updates"

  func set(_ body: [UInt8], headers: [String: String], at path: String) {
    documents[path] = Document(source: .bytes(body), headers: headers, published: body)
    publishers[path, default: UpdatePublisher()].publish(revision: Self.revision(body))
  }

  func setFile(_ file: URL, headers: [String: String], at path: String) {
    documents[path] = Document(source: .file(file), headers: headers)
    _ = try? body(at: path)
  }

  /// Publishes the documents whose files have changed.
  func publishChangedFiles() {
    for path in documents.keys where publishers[path].map({ $0.count > 0 }) ?? false { _ = try? body(at: path) }
  }

  /// The current bytes of a document; `nil` if there is none. Publishes a change.
  ///
  /// - Throws: the system's error for an existing file that cannot be read.
  private func body(at path: String) throws -> [UInt8]? {
    guard let document = documents[path] else { return nil }
    let body: [UInt8]
    switch document.source {
    case .bytes(let bytes): return bytes
    case .file(let file):
      do { body = Array(try Data(contentsOf: file)) } catch {
        if FileManager.default.fileExists(atPath: file.path) { throw error }
        return nil
      }
    }
    if document.published != body {
      documents[path]?.published = body
      publishers[path, default: UpdatePublisher()].publish(revision: Self.revision(body))
    }
    return body
  }

  /// Opens an update stream; `nil` if the path is not that of one.
  func updates(path: String, lastEventID: String?) -> AsyncStream<[UInt8]>? {
    guard path.hasSuffix(Self.updatesSuffix) else { return nil }
    let document = String(path.dropLast(Self.updatesSuffix.count))
    guard documents[document] != nil else { return nil }
    return publishers[document, default: UpdatePublisher()].open(after: lastEventID) { number in
      Task { await self.closeUpdates(number, of: document) }
    }
  }

  private func closeUpdates(_ number: Int, of document: String) {
    publishers[document]?.close(number)
  }

  func updateStreams(of path: String) -> Int {
    publishers[path]?.count ?? 0
  }

  func sendToUpdateStreams(_ bytes: [UInt8], of path: String) {
    publishers[path]?.send(bytes)
  }

  /// Sends a comment to every stream, so that both sides detect broken connections.
  func keepUpdateStreamsAlive() {
    for publisher in publishers.values { publisher.send(Array(": alive\n\n".utf8)) }
  }

  func cutUpdateStreams(of path: String) {
    publishers[path]?.cut()
  }

  func cutAllUpdateStreams() {
    for path in publishers.keys { publishers[path]?.cut() }
  }

  private static func revision(_ body: [UInt8]) -> Int64? {
    guard case .object(let members)? = try? JSONReader().value(body), case .int(let revision)? = members["revision"]
    else {
      return nil
    }
    return revision
  }

  func remove(at path: String) {
    documents[path] = nil
  }

  func setFaults(_ faults: [CollectorFault], seed: UInt64, at path: String) {
    scripts[path] = FaultScript(faults, seed: seed)
  }

  func requests(at path: String) -> DocumentRequests {
    requests[path] ?? DocumentRequests()
  }

  /// Responds to a GET.
  func answer(path: String, ifNoneMatch: String?) -> Answer {
    if requests[path] != nil || documents[path] != nil || requests.count < Self.maximumCountedPaths {
      requests[path, default: DocumentRequests()].total += 1
    }
    let fault = scripts[path]?.strike(FaultScript.Request(byteCount: 0, events: []))
    if let fault, case .status(let status) = fault.effect {
      return .refusal(status, by: fault, wallMilliseconds: TimeSource.system.wallMilliseconds())
    }
    let found: [UInt8]?
    do { found = try body(at: path) } catch { return .json(503, ["error": "the document's file cannot be read"]) }
    guard let found, let document = documents[path] else {
      return .json(404, ["error": "there is no such document"])
    }
    let entityTag = document.headers["ETag"] ?? Self.entityTag(found)
    var answer = Answer(status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"])
    answer.headers.merge(document.headers) { _, own in own }
    answer.headers["ETag"] = entityTag
    if let ifNoneMatch, Self.matches(ifNoneMatch, entityTag) {
      requests[path]?.notModified += 1
      answer.status = 304
    } else {
      answer.body = found
    }
    return fault.map { answer.delivered(by: $0.effect) } ?? answer
  }

  /// A strong entity tag: a hash and the length.
  private static func entityTag(_ body: [UInt8]) -> String {
    "\"\(FNV1a.hexadecimal(body))-\(body.count)\""
  }

  /// `If-None-Match` (RFC 9110, section 13.1.2): a list of tags, compared weakly, or `*`.
  private static func matches(_ field: String, _ entityTag: String) -> Bool {
    field.split(separator: ",").contains { part in
      let tag = part.drop { $0 == " " }.prefix { $0 != " " }
      return tag == "*" || tag == entityTag || tag == "W/" + entityTag
    }
  }
}

/// The number of requests for a document.
package struct DocumentRequests: Sendable, Hashable {
  /// All requests, including those with faults.
  package internal(set) var total = 0
  /// Responses with 304.
  package internal(set) var notModified = 0
}

// MARK: - Update publisher

/// Publishes the changes of one document to its streams (`text/event-stream`).
///
/// An event's id counts the changes; its data is the revision, if any. A client that reconnects sends the last id it
/// has seen, and gets an event at once if there is a newer one.
struct UpdatePublisher {
  private var change = 0
  private var data = ""
  private var streams: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextStream = 0

  /// The number of open streams.
  var count: Int { streams.count }

  /// Publishes a change.
  mutating func publish(revision: Int64?) {
    change += 1
    data = revision.map(String.init) ?? "changed"
    for stream in streams.values { stream.yield(event) }
  }

  /// Sends arbitrary bytes, for tests.
  func send(_ bytes: [UInt8]) {
    for stream in streams.values { stream.yield(bytes) }
  }

  /// Ends all streams, like a restart of the server.
  mutating func cut() {
    for stream in streams.values { stream.finish() }
    streams = [:]
  }

  mutating func open(
    after lastEventID: String?, ended: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<[UInt8]> {
    let (parts, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    nextStream += 1
    let number = nextStream
    streams[number] = continuation
    continuation.onTermination = { _ in ended(number) }
    // The first bytes flush the response's head.
    continuation.yield(Array(": open\n\n".utf8))
    if let lastEventID, lastEventID != String(change) { continuation.yield(event) }
    return parts
  }

  mutating func close(_ number: Int) {
    streams[number] = nil
  }

  private var event: [UInt8] {
    Array("id: \(change)\ndata: \(data)\n\n".utf8)
  }
}
