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
  /// The text at the last refresh; the inner `nil` if it could not be read.
  private var seen: [UInt8]??
  /// The last valid document, which apps have.
  private(set) var inForce: RolloutText?
  /// The reason why the current text is not valid; `nil` if it is.
  private var problem: String?
  private var isPublishing = false

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
    await update(to: try? await document.bytes(), of: document)
  }

  /// The current text, read once, and put in force as by ``refresh()``; `nil` if the file cannot be read.
  ///
  /// - Throws: ``CommandError`` if the document is at an address and cannot be fetched.
  func readAgain(_ document: LiveDocument) async throws -> [UInt8]? {
    let bytes = document.path == nil ? try await document.bytes(again: true) : try? await document.bytes()
    await update(to: bytes, of: document)
    return bytes
  }

  /// Puts a text in force if it is another one and valid.
  func update(to bytes: [UInt8]?, of document: LiveDocument) async {
    guard seen != .some(bytes) else { return }
    seen = .some(bytes)
    guard let bytes else {
      problem = "\(document.name) cannot be read"
      return await pairs.noteChange(of: .document)
    }
    do {
      let new = try RolloutText(live: bytes, name: document.name)
      let isOther = bytes != inForce?.bytes
      (inForce, problem) = (new, nil)
      guard isOther else { return await pairs.noteChange(of: .document) }
      await pairs.setRollout(new.document)
    } catch {
      problem = error.diagnostics.first.map { "\(document.name) is not a valid document: \($0.message)" } ?? "\(error)"
      await pairs.noteChange(of: .document)
    }
  }

  /// Begins to publish. Call ``endPublishing()`` afterwards.
  func beginPublishing() throws(ConsoleFailure) {
    if isPublishing { throw ConsoleFailure(409, "another document is being published", members: ["needs": []]) }
    isPublishing = true
  }

  func endPublishing() { isPublishing = false }

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
      guard let document, let bytes = try? await document.bytes() else { return nil }
      return (bytes, try await document.signature)
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
    let bytes = try await readAgain(document)
    let live = String(decoding: inForce?.bytes ?? [], as: UTF8.self)
    var (isSigned, problem) = (true, problem)
    do { isSigned = try await document.signature != nil } catch {
      problem = (error as? CommandError)?.message ?? "\(error)"
    }
    return [
      "text": .string(bytes.map { String(decoding: $0, as: UTF8.self) } ?? live), "tag": EditConflict.tag(of: bytes),
      "name": .string(document.name), "revision": (inForce?.document.revision).map { .int($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
      "inForce": .string(live), "signed": .bool(isSigned),
      "record": recordJSON(bytes),
      "guard": document.path.flatMap { GuardStatus.json(besideDocument: $0) } ?? .null,
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
