import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The page on which the rollout is edited, proved and published.
actor RolloutPage {
  let document: LiveDocument?
  let key: SigningKeyFile?
  let history: RolloutHistory
  let publisher: RolloutPublisher
  let pairs: LivePairs
  let gate: ParityGate
  let timeSource: TimeSource
  private let hasDatabases: Bool
  /// What was read at the last look, if anything could be.
  private var seen: [UInt8]??
  /// What apps have: the last text that was a document.
  private(set) var inForce: RolloutRollback.Source?
  /// What the history calls it.
  private var inForceID: String?
  /// Why the text that is there now is none; `nil` if it is.
  private var problem: String?
  private var isPublishing = false

  /// - Throws: `DocumentError` if the document is refused, ``CommandError`` if it cannot be read.
  init(
    document: DocumentInput?, options: ConsoleOptions, pairs: LivePairs, console: Console, timeSource: TimeSource
  ) async throws {
    self.document = document.map { LiveDocument($0, on: console) }
    key = options.key.map(SigningKeyFile.init)
    history = try RolloutHistory(folder: options.folder)
    publisher = RolloutPublisher(
      target: options.publish.flatMap { DocumentAddress($0) },
      headers: Dictionary(options.header.map { ($0.name, $0.value) }) { _, last in last }, transport: console.transport)
    gate = options.gate.gate(otherwise: .perMille)
    hasDatabases = !options.database.isEmpty
    (self.pairs, self.timeSource) = (pairs, timeSource)
    guard let live = self.document else { return }
    _ = try RolloutDocument(reading: try await live.bytes(), name: live.name)
    await look()
  }

  /// Reads the live document again, and puts it in force if it has changed and is accepted. Apps go on
  /// with the one that they have where it is not, and so does the console.
  func look() async {
    guard let document else { return }
    let bytes = try? await document.bytes()
    guard seen != .some(bytes) else { return }
    seen = .some(bytes)
    guard let bytes else {
      problem = "\(document.name) cannot be read"
      return await pairs.noteChange(of: .document)
    }
    do {
      let new = try RolloutRollback.Source(bytes, name: document.name)
      let isOther = bytes != inForce?.bytes
      (inForce, problem) = (new, nil)
      guard isOther else { return await pairs.noteChange(of: .document) }
      inForceID = try? await history.keep(new.document.revision, bytes, now: timeSource.wallMilliseconds()).id
      await pairs.setRollout(new.document)
    } catch {
      problem = error.diagnostics.first.map { "\(document.name) is no document: \($0.message)" } ?? "\(error)"
      await pairs.noteChange(of: .document)
    }
  }

  /// Begins to publish unless another request does; if it returns `true`, ``endPublishing()`` must follow.
  func beginPublishing() -> Bool {
    defer { isPublishing = true }
    return !isPublishing
  }

  func endPublishing() { isPublishing = false }

  /// Whether there is a place to publish to.
  func canPublish(_ document: LiveDocument?) -> Bool { document?.path != nil || publisher.hasTarget }

  var state: EventValue {
    get async {
      guard let document else { return .null }
      return [
        "name": .string(document.name), "revision": (inForce?.document.revision).map { .int($0) } ?? .null,
        "problem": problem.map { .string($0) } ?? .null,
      ]
    }
  }

  var abilities: [String: EventValue] {
    [
      "publish": .bool(canPublish(document)), "sign": .bool(key != nil),
      "rollback": .bool(canPublish(document)), "deadletters": .bool(hasDatabases),
    ]
  }

  private var live: (document: [UInt8], signature: [UInt8]?)? {
    get async {
      guard let document, let bytes = try? await document.bytes() else { return nil }
      return (bytes, await document.signature)
    }
  }

  // MARK: What apps fetch

  /// The document as apps fetch it.
  func file(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let live = await live else { throw ConsoleFailure(404, "there is no rollout document") }
    let tag = "\"\(EntityTag.text(of: live.document))\""
    var headers = ["Content-Type": "application/json", "Cache-Control": "no-cache", "ETag": tag]
    if let signature = live.signature {
      headers["X-Rollout-Signature"] = String(decoding: signature, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let isKnown = request.headers.ifNoneMatch.map { $0.contains(tag) || $0 == "*" } ?? false
    return ConsoleAnswer(status: isKnown ? 304 : 200, headers: headers, body: isKnown ? [] : live.document)
  }

  func signatureFile() async throws -> ConsoleAnswer {
    guard let signature = await live?.signature else { throw ConsoleFailure(404, "the rollout document is not signed") }
    return ConsoleAnswer(headers: ["Content-Type": "text/plain"], body: signature)
  }

  nonisolated var schema: ConsoleAnswer {
    ConsoleAnswer(headers: ["Content-Type": "application/json"], body: Array(RolloutDocument.schema.utf8))
  }

  // MARK: Editing

  /// Sets one flag in a text, and leaves all others as they are written.
  func setFlag(_ request: ConsoleRequest) throws -> EventValue {
    var flags = try RolloutFlags(try request.text("text"))
    let text = try flags.set(try request.text("pointer"), to: try .asked(try request.number("percent")))
    return ["text": .string(text)]
  }

  func sign(_ request: ConsoleRequest) throws -> EventValue {
    let text = Array(try request.text("text").utf8)
    _ = try RolloutDocument(reading: text, name: "the text")
    return ["signature": .string(try signingKey().signature(of: text).description)]
  }

  // MARK: Looking

  func liveDocument() throws(ConsoleFailure) -> LiveDocument {
    guard let document else {
      throw ConsoleFailure(404, "no rollout document was named", help: "start the console with one")
    }
    return document
  }

  func signingKey() throws(ConsoleFailure) -> SigningKeyFile {
    guard let key else {
      throw ConsoleFailure(409, "there is no key to sign with", help: "start the console with --key")
    }
    return key
  }

  func overview() async throws -> EventValue {
    let document = try liveDocument()
    if document.path == nil { try await document.refresh() }
    await look()
    let bytes = try? await document.bytes()
    let live = String(decoding: inForce?.bytes ?? [], as: UTF8.self)
    return [
      "text": .string(bytes.map { String(decoding: $0, as: UTF8.self) } ?? live), "tag": EditConflict.tag(of: bytes),
      "name": .string(document.name), "revision": (inForce?.document.revision).map { .int($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
      "inForce": .string(live), "signed": .bool(await document.signature != nil),
      "history": .array(try await history.entries.map { $0.json(isLive: $0.id == inForceID) }),
      "guard": document.path.flatMap { GuardStatus.json(besideDocument: $0) } ?? .null,
    ]
  }

  func check(_ request: ConsoleRequest) async throws -> EventValue {
    let text = try request.text("text")
    let live = inForce.map { RolloutCheck.Live(bytes: $0.bytes, name: $0.name) }
    let report = await pairs.parityReport
    return RolloutCheck(text, against: live, parity: report, gate: gate, now: timeSource.wallMilliseconds()).json
  }

  func explain(_ request: ConsoleRequest) throws -> EventValue {
    let text = Array(try request.text("text").utf8)
    let name = try request.text("name")
    guard !name.hasSuffix("*") else {
      throw ConsoleFailure(400, "`\(name)` is a pattern: name one event, as the app sends it")
    }
    var context = DecisionContext(unitID: try request.optionalText("unit").flatMap { $0.isEmpty ? nil : $0 })
    if let version = try request.optionalText("appVersion"), !version.isEmpty {
      guard let read = DecisionContext.AppVersion(version) else {
        throw ConsoleFailure(400, "`\(version)` is not dotted numbers, such as 25.4.10")
      }
      context.appVersion = read
    }
    context.platform = try request.optionalText("platform").flatMap { $0.isEmpty ? nil : $0 }
    if let attributes = request.members["attributes"], attributes != .null {
      context.attributes = try request.object("attributes").mapValues(\.attributeText)
    }
    let document = try RolloutDocument(reading: text, name: "the text")
    return DecisionReport(of: document, at: timeSource.wallMilliseconds(), event: name, context: context).json
  }

  func historyView(_ id: String) async throws -> EventValue {
    guard let entry = try await history.entries.first(where: { $0.id == id }), let bytes = try await history.bytes(id)
    else { throw ConsoleFailure(404, "revision \(id) is not kept") }
    let text = String(decoding: bytes, as: UTF8.self)
    let live = inForce
    // Under the live revision's number it can be edited and published; a text that is no document is shown as it is.
    let edit = try? live.map { live in
      try RolloutRollback.text(RolloutRollback.Source(bytes, name: ""), withRevision: live.document.revision)
    }
    return [
      "id": .string(id), "revision": .int(entry.revision), "time": .int(entry.time), "text": .string(text),
      "isLive": .bool(id == inForceID), "edit": .string(edit.map { String(decoding: $0, as: UTF8.self) } ?? text),
      "difference": LineDifference(from: String(decoding: live?.bytes ?? [], as: UTF8.self), to: text).json,
    ]
  }
}

extension EventValue {
  fileprivate var attributeText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
