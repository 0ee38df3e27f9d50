@_spi(Tools) import DualSendCore

/// The documents that the server hands out, by path, with entity tags.
actor ConfigDocuments {
  private struct Document {
    let body: [UInt8]
    let headers: [String: String]
    let entityTag: String
  }

  private var documents: [String: Document] = [:]
  private var scripts: [String: FaultScript] = [:]
  private var requests: [String: DocumentRequests] = [:]
  private var publishers: [String: UpdatePublisher] = [:]

  /// Where the changes of a document are streamed: its own path and this.
  static let updatesSuffix = "/updates"

  func set(_ body: [UInt8], headers: [String: String], at path: String) {
    documents[path] = Document(body: body, headers: headers, entityTag: headers["ETag"] ?? Self.entityTag(body))
    publishers[path, default: UpdatePublisher()].publish(revision: Self.revision(body))
  }

  /// Opens a stream of a document's changes; `nil` if the path does not ask for one.
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

  /// Sends a comment to every stream: clients see that it lives, and this server sees which clients are gone.
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

  /// Answers one GET.
  func answer(path: String, ifNoneMatch: String?) -> Answer {
    requests[path, default: DocumentRequests()].total += 1
    let fault = scripts[path]?.strike(FaultScript.Request(byteCount: 0, events: []))
    if let fault, case .status(let status) = fault.effect {
      return .refusal(status, by: fault, wallMilliseconds: TimeSource.system.wallMilliseconds())
    }
    guard let document = documents[path] else { return .json(404, ["error": "there is no such document"]) }
    var answer = Answer(status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"])
    answer.headers.merge(document.headers) { _, own in own }
    answer.headers["ETag"] = document.entityTag
    if let ifNoneMatch, Self.matches(ifNoneMatch, document.entityTag) {
      requests[path, default: DocumentRequests()].notModified += 1
      answer.status = 304
    } else {
      answer.body = document.body
    }
    return fault.map { answer.delivered(by: $0.effect) } ?? answer
  }

  /// A strong tag: FNV-1a (RFC 9923), 64 bits, and the length. Equal bytes have equal tags.
  private static func entityTag(_ body: [UInt8]) -> String {
    let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))-\(body.count)\""
  }

  /// RFC 9110, section 13.1.2: a list of tags, compared weakly, or `*`.
  private static func matches(_ field: String, _ entityTag: String) -> Bool {
    field.split(separator: ",").contains { part in
      let tag = part.drop { $0 == " " }.prefix { $0 != " " }
      return tag == "*" || tag == entityTag || tag == "W/" + entityTag
    }
  }
}

/// How often a document was asked for.
public struct DocumentRequests: Sendable, Hashable {
  /// All requests, answered rightly or not.
  public internal(set) var total = 0
  /// Those answered with 304.
  public internal(set) var notModified = 0
}
