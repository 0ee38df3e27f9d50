import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The page to edit, check and publish the rollout.
actor RolloutPage {
  let document: LiveDocument?
  /// What publishes the document; `nil` without one.
  let act: PublicationAct?
  /// The name to record as the publisher.
  let user: String?
  private let mayPublish: Bool
  let pairs: LiveComparison
  let gate: ParityGate
  let timeSource: TimeSource
  /// The text at the last refresh, or why it could not be read.
  private var seen: Result<[UInt8], CommandError>?
  /// The last valid document, which apps have.
  private(set) var inForce: RolloutText?
  /// The reason why the current text is not valid; `nil` if it is.
  private var problem: String?
  private var isPublishing = false
  /// Whether the last kill is in force, so that it can be undone.
  private var isStopped = false
  /// The record's mark when it was read; `nil` if it is to be read again.
  private var recordMark: [Int64]?

  /// - Throws: `DocumentError` if the document is refused, ``CommandError`` if it cannot be read.
  init(
    document: DocumentInput?, options: ConsoleOptions, pairs: LiveComparison, terminal: Terminal, timeSource: TimeSource
  ) async throws {
    let act = try document.map { try options.publishing.act(on: $0, terminal) }
    self.act = act
    self.document = document.flatMap { document in act.map { LiveDocument(document, $0.target, on: terminal) } }
    user = options.publishing.record.user
    // An address takes no PUT before somebody said so.
    mayPublish = document?.path != nil || options.publishing.publish != nil
    gate = options.gate.gate(otherwise: .perMille)
    (self.pairs, self.timeSource) = (pairs, timeSource)
    guard let live = self.document else { return }
    _ = try RolloutDocument(reading: try await live.bytes(), name: live.name)
    await refresh()
  }

  /// Reads the live document again, and puts it in force if it has changed and is valid. If not, the console keeps the
  /// last valid one, as apps do.
  func refresh() async {
    guard let document else { return }
    _ = await text(of: document)
    await readRecord()
  }

  /// Puts the kills of the record in force, if it or the document has changed.
  private func readRecord() async {
    guard let record, let document = inForce?.document else { return }
    do {
      let mark = try record.mark()
      guard mark != recordMark else { return }
      let reading = try record.read(last: PublicationRecord.depth)
      await pairs.setStops(try reading.kills(keptBy: document))
      (recordMark, isStopped) = (mark, reading.killInForce != nil)
    } catch {
      // `recordJSON` says why. Until it can be read, the stops that are known are in force.
    }
  }

  /// The current text, put in force as by ``refresh()``; `nil` if it cannot be read.
  private func text(of document: LiveDocument) async -> [UInt8]? {
    let text: Result<[UInt8], CommandError>
    do { text = .success(try await document.bytes()) } catch {
      text = .failure(CommandError(reading: document.name, error))
    }
    await update(to: text, of: document)
    return try? text.get()
  }

  /// Puts a text in force if it is another one and valid.
  func update(to text: Result<[UInt8], CommandError>, of document: LiveDocument) async {
    guard seen != text else { return }
    seen = text
    do {
      let bytes = try text.get()
      let new = try RolloutText(live: bytes, name: document.name)
      let isOther = bytes != inForce?.bytes
      (inForce, problem, recordMark) = (new, nil, nil)
      guard isOther else { return await pairs.noteChange(of: .document) }
      await pairs.setRollout(new.document)
    } catch {
      let finding = (error as? DocumentError)?.diagnostics.first
      problem =
        finding.map { "\(document.name) is not a valid document: \($0.message)" }
        ?? CommandError(reading: document.name, error).message
      await pairs.noteChange(of: .document)
    }
  }

  /// Runs `body`, unless it runs already.
  func whilePublishing(_ body: () async throws -> ConsoleAnswer) async throws -> ConsoleAnswer {
    if isPublishing { throw ConsoleFailure(409, "another document is being published", members: ["needs": []]) }
    isPublishing = true
    defer { isPublishing = false }
    return try await body()
  }

  /// Whether the document can be published.
  var canPublish: Bool { act != nil && mayPublish }

  /// The record of what was published, if there is one.
  nonisolated var record: PublicationRecord? { act?.record }

  var state: EventValue {
    get async {
      guard let document else { return .null }
      return [
        "name": .string(document.name), "revision": (inForce?.document.revision).map { .int($0) } ?? .null,
        "problem": problem.map { .string($0) } ?? .null, "stopped": .bool(isStopped),
      ]
    }
  }

  var abilities: [String: EventValue] {
    ["publish": .bool(canPublish), "sign": .bool(act?.key != nil), "rollback": .bool(canPublish)]
  }

  private var live: (document: [UInt8], signature: [UInt8]?)? {
    get async throws {
      guard let document else { return nil }
      return (try await document.bytes(), try await document.signature)
    }
  }

  // MARK: What apps fetch

  /// Serves the document to apps.
  func file(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let live = try await live else { throw ConsoleFailure(404, "there is no rollout document") }
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
    guard let signature = try await live?.signature else {
      throw ConsoleFailure(404, "the rollout document is not signed")
    }
    return ConsoleAnswer(headers: ["Content-Type": "text/plain"], body: signature)
  }

  // MARK: Editing

  /// Sets one flag in a text, and leaves the rest unchanged.
  func setFlag(_ request: ConsoleRequest) throws -> EventValue {
    var flags = try RolloutFlags(try request.text("text"))
    let text = try flags.set(try request.text("pointer"), to: try .requested(try request.number("percent")))
    return ["text": .string(text)]
  }

  func sign(_ request: ConsoleRequest) throws -> EventValue {
    let text = Array(try request.text("text").utf8)
    _ = try RolloutDocument(proving: text, name: "the text")
    return ["signature": .string(try signingKey().signature(of: text).description)]
  }

  // MARK: Looking

  func liveDocument() throws(ConsoleFailure) -> LiveDocument {
    guard let document else {
      throw ConsoleFailure(404, "the console has no rollout document", help: "start the console with one")
    }
    return document
  }

  func signingKey() throws(ConsoleFailure) -> SigningKeyFile {
    guard let key = act?.key else {
      throw ConsoleFailure(409, "the console has no key", help: "start the console with --signing-key")
    }
    return key
  }

  func overview() async throws -> EventValue {
    let document = try liveDocument()
    if document.path == nil { _ = try await document.bytes(again: true) }
    let bytes = await text(of: document)
    let live = String(decoding: inForce?.bytes ?? [], as: UTF8.self)
    var (isSigned, guardian, problem) = (true, EventValue.null, problem)
    do {
      isSigned = try await document.signature != nil
      if let path = document.path { guardian = try GuardStatus.json(besideDocument: path) ?? .null }
    } catch { problem = CommandError(reading: document.name, error).message }
    return [
      "text": .string(bytes.map { String(decoding: $0, as: UTF8.self) } ?? live), "tag": EditConflict.tag(of: bytes),
      "name": .string(document.name), "revision": (inForce?.document.revision).map { .int($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
      "inForce": .string(live), "signed": .bool(isSigned),
      "record": recordJSON(bytes),
      "guard": guardian,
    ]
  }

  func check(_ request: ConsoleRequest) async throws -> EventValue {
    let text = try request.text("text")
    let live = inForce.map { RolloutCheck.Live(bytes: $0.bytes, name: $0.name) }
    let report = await comparison
    return RolloutCheck(text, against: live, parity: report, gate: gate, now: timeSource.wallMilliseconds()).json
  }

  /// What the parity gate judges; `nil` if no event has arrived, because such a console is only an editor. A console that
  /// compared nothing allows nothing.
  var comparison: ParityReport? {
    get async {
      guard await pairs.hasEvents else { return nil }
      return await pairs.parityReport ?? ParityReport(join: .eventID(parameter: nil))
    }
  }

  func explain(_ request: ConsoleRequest) throws -> EventValue {
    let text = Array(try request.text("text").utf8)
    let name = try request.text("name")
    guard !name.hasSuffix("*") else {
      throw ConsoleFailure(400, "`\(name)` is a pattern: name one event, as the app sends it")
    }
    var context = DecisionContext(unitID: try request.optionalText("unit").flatMap { $0.isEmpty ? nil : $0 })
    for property in ContextProperty.ofApp {
      guard let text = try request.optionalText(property.rawValue), !text.isEmpty else { continue }
      context[property] = text
      guard context[property] != nil else {
        throw ConsoleFailure(400, "`\(text)` is not dotted numbers, such as 25.4.10")
      }
    }
    if let attributes = request.members["attributes"], attributes != .null {
      context.attributes = try request.object("attributes").mapValues(\.attributeText)
    }
    let document = try RolloutDocument(proving: text, name: "the text")
    return DecisionReport(of: document, at: timeSource.wallMilliseconds(), event: name, context: context).json
  }

  /// An earlier text with the live revision, for editing. A text that is not a document stays unchanged.
  private func edit(of text: String) -> String {
    guard let inForce, let earlier = try? RolloutText(Array(text.utf8), name: ""),
      let edit = try? earlier.bytes(withRevision: inForce.document.revision)
    else { return text }
    return String(decoding: edit, as: UTF8.self)
  }

  /// The difference from the text in force to an earlier one.
  private func difference(to text: String) -> EventValue {
    LineDifference(from: String(decoding: inForce?.bytes ?? [], as: UTF8.self), to: text).json
  }

  // MARK: The record of publications

  /// The most entries on the page.
  private static let shownEntries = 200

  /// The record for the page: the last entries, newest first, without texts.
  private func recordJSON(_ live: [UInt8]?) -> EventValue {
    guard let record else { return .null }
    do {
      let reading = try record.read(last: Self.shownEntries)
      let findings = reading.findings(live: reading.entries.isEmpty ? nil : live, file: record.path)
      return [
        "entries": .array(reading.entries.reversed().map(listed)),
        "earlierLines": .int(Int64(reading.unread)), "problems": .array(findings.map { .string($0.message) }),
      ]
    } catch {
      let problem = (error as? CommandError)?.message ?? "\(error)"
      return ["entries": [], "earlierLines": 0, "problems": [.string(problem)]]
    }
  }

  private func listed(_ entry: PublicationRecord.Entry) -> EventValue {
    guard case .object(var members) = entry.json(isWhole: false) else { return .null }
    members["isLive"] = .bool(Array(entry.publication.text.utf8) == inForce?.bytes)
    return .object(members)
  }

  /// One entry, with its plan, and its difference from the text in force.
  func recordEntry(_ id: String) throws -> EventValue {
    let entry = try entry(id)
    guard case .object(var members) = entry.json(isWhole: true) else { return .null }
    let text = entry.publication.text
    members["edit"] = .string(edit(of: text))
    members["isLive"] = .bool(Array(text.utf8) == inForce?.bytes)
    members["difference"] = difference(to: text)
    return .object(members)
  }

  func entry(_ id: String) throws -> PublicationRecord.Entry {
    guard let record else { throw ConsoleFailure(404, "the console keeps no record", help: "name one with --history") }
    do { return try record.entry(id) } catch let error as CommandError {
      throw ConsoleFailure(404, error.message, help: error.help)
    }
  }
}

extension EventValue {
  fileprivate var attributeText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
