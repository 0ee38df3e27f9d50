import DualSend
import DualSendCommandLine
import DualSendConsole
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
  /// What was live at the last look.
  private var seen: [UInt8]?
  private var isPublishing = false

  /// - Throws: `DocumentError` if the document is refused, ``CommandError`` if it cannot be read.
  init(
    document: DocumentInput?, options: ConsoleOptions, pairs: LivePairs, console: Console, timeSource: TimeSource
  ) async throws {
    self.document = document.map { LiveDocument($0, on: console) }
    key = options.key.map(SigningKeyFile.init)
    history = try RolloutHistory(folder: options.folder)
    publisher = RolloutPublisher(options, on: console)
    gate = options.gate.gate(otherwise: .perMille)
    hasDatabases = !options.database.isEmpty
    (self.pairs, self.timeSource) = (pairs, timeSource)
    guard let live = self.document else { return }
    _ = try RolloutDocument(reading: try await live.bytes(), name: live.name)
    await look()
  }

  /// Looks whether somebody else has replaced the live document, and decides by the new one if it is accepted.
  func look() async {
    guard let document, let bytes = try? await document.bytes(), bytes != seen else { return }
    seen = bytes
    guard let new = try? RolloutDocument(reading: bytes, name: document.name) else { return }
    try? await history.keep(new.revision, bytes, now: timeSource.wallMilliseconds())
    await pairs.setRollout(new)
  }

  /// Whether nobody else is publishing; then ``endPublishing()`` must follow.
  func beginPublishing() -> Bool {
    defer { isPublishing = true }
    return !isPublishing
  }

  func endPublishing() { isPublishing = false }

  var state: EventValue {
    get async {
      guard let document else { return .null }
      let revision = (try? await document.bytes()).flatMap { try? RolloutDocument(reading: $0) }?.revision
      return ["name": .string(document.name), "revision": revision.map { .int($0) } ?? .null]
    }
  }

  var abilities: [String: EventValue] {
    [
      "publish": .bool(publisher.canPublish(document)), "sign": .bool(key != nil),
      "rollback": .bool(publisher.canPublish(document)), "deadletters": .bool(hasDatabases),
    ]
  }

  var live: (document: [UInt8], signature: [UInt8]?)? {
    get async {
      guard let document, let bytes = try? await document.bytes() else { return nil }
      return (bytes, await document.signature)
    }
  }

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer? {
    switch request.route {
    case "GET rollout": return .json(try await overview())
    case "POST rollout/check": return .json(try await check(try request.text("text")))
    case "GET rollout/schema":
      return ConsoleAnswer(headers: ["Content-Type": "application/json"], body: Array(RolloutDocument.schema.utf8))
    case "POST rollout/flag":
      var flags = try RolloutFlags(try request.text("text"))
      let text = try flags.set(try request.text("pointer"), to: try .asked(try request.number("percent")))
      return .json(["text": .string(text)])
    case "POST rollout/explain": return .json(try explain(request))
    case "POST rollout/sign":
      let text = Array(try request.text("text").utf8)
      _ = try RolloutDocument(reading: text, name: "the text")
      return .json(["signature": .string(try signingKey().signature(of: text).description)])
    case "POST rollout/publish": return try await publish(request)
    case "POST rollout/rollback": return try await rollBack(request)
    default:
      guard request.method == .get, request.path.count == 3, request.path.starts(with: ["rollout", "history"]),
        let revision = Int64(request.path[2])
      else { return nil }
      return .json(try await revisionView(revision))
    }
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

  private func overview() async throws -> EventValue {
    let document = try liveDocument()
    if document.path == nil { try await document.refresh() }
    await look()
    let bytes = try await document.bytes()
    let read = try? RolloutDocument(reading: bytes, name: document.name)
    return [
      "text": .string(String(decoding: bytes, as: UTF8.self)), "name": .string(document.name),
      "revision": read.map { .int($0.revision) } ?? .null, "signed": .bool(await document.signature != nil),
      "history": .array(try await history.entries.map(\.json)),
    ]
  }

  private func check(_ text: String) async throws -> EventValue {
    var live: RolloutCheck.Live?
    if let document { live = (try await document.bytes(), document.name) }
    let report = await pairs.parityReport
    return RolloutCheck(text, against: live, parity: report, gate: gate, now: timeSource.wallMilliseconds()).json
  }

  private func explain(_ request: ConsoleRequest) throws -> EventValue {
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

  private func revisionView(_ revision: Int64) async throws -> EventValue {
    guard let bytes = try await history.bytes(revision) else {
      throw ConsoleFailure(404, "revision \(revision) is not kept")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let liveBytes = try await liveDocument().bytes()
    let live = String(decoding: liveBytes, as: UTF8.self)
    // Under the live revision's number it can be edited and published; where either is no document, as it is.
    let edit = try? RolloutRollback.text(
      RolloutRollback.Source(bytes, name: ""),
      withRevision: RolloutDocument(reading: liveBytes).revision)
    let entry = try await history.entries.first { $0.revision == revision }
    return [
      "revision": .int(revision), "time": entry.map { .int($0.time) } ?? .null, "text": .string(text),
      "edit": .string(edit.map { String(decoding: $0, as: UTF8.self) } ?? text),
      "difference": LineDifference(from: live, to: text).json,
    ]
  }
}

extension EventValue {
  fileprivate var attributeText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
