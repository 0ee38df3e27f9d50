import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPage {
  /// Publishes a text with the revision after the live one, or its own if that is higher.
  func publish(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try beginPublishing()
    defer { endPublishing() }
    let live = try await readLive()
    let new = try edited(request, after: live)
    try refuse(try new.document.everyFinding(in: new.bytes, name: new.name), in: new)
    let allowed = try allowed(request)
    let change = try Change(from: live.inForce, to: new, now: timeSource.wallMilliseconds())
    try await refuse(change.plan.objections(file: new.name, allowing: allowed), to: change, allowing: allowed)
    return try await put(
      change.new, over: live, try await publication(.console, of: change, over: live, request), request)
  }

  /// Publishes an earlier text with the revision after the live one.
  func rollBack(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try beginPublishing()
    defer { endPublishing() }
    let live = try await readLive()
    let entry = try request.optionalText("entry").map { try self.entry($0) }
    let older: RolloutText
    if let entry {
      older = try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)")
    } else {
      let id = try request.text("id")
      guard let bytes = try await history.bytes(id) else { throw ConsoleFailure(404, "revision \(id) is not kept") }
      older = try RolloutText(bytes, name: "revision \(id)")
    }
    let rollback: RolloutRollback
    do { rollback = try RolloutRollback(of: live.inForce, to: older, name: older.name) } catch let error as CommandError
    {
      throw ConsoleFailure(409, error.message, help: error.help)
    }
    try EditConflict(current: live.current).refuse(
      request, edited: String(decoding: rollback.result.bytes, as: UTF8.self))
    try refuse(try rollback.result.document.audit(), in: rollback.result)
    // `dualsend rollback` allows evictions and raises. Here it is one click, so evictions and raises need a confirmation.
    let allowed = try allowed(request)
    let change = try Change(from: live.inForce, to: rollback.result, now: timeSource.wallMilliseconds())
    let objections =
      change.plan.objections(file: older.name, allowing: allowed.union([.neither]))
      + rollback.objections(change.plan, allowing: allowed)
    try await refuse(objections, to: change, allowing: allowed)
    var publication = try await publication(.rollback, of: change, over: live, request)
    publication.backTo = entry?.id
    return try await put(change.new, over: live, publication, request)
  }

  // MARK: What is live, and what is to be

  /// The live document as one request reads it.
  struct Live {
    let document: LiveDocument
    /// The current text; `nil` if the file cannot be read.
    let current: [UInt8]?
    /// The last valid text, which apps have.
    let inForce: RolloutText
  }

  func readLive() async throws -> Live {
    let document = try liveDocument()
    guard canPublish else {
      throw ConsoleFailure(409, "the console cannot publish", help: "start the console with --publish")
    }
    let current = try await readAgain(document)
    guard let inForce else {
      throw ConsoleFailure(409, "\(document.name) was never a valid document", help: "correct it on disk")
    }
    return Live(document: document, current: current, inForce: inForce)
  }

  /// The text of a request with its new revision. Refuses one that was edited from another text than the current one.
  private func edited(_ request: ConsoleRequest, after live: Live) throws -> RolloutText {
    let text = try request.text("text")
    let conflict = EditConflict(current: live.current)
    try conflict.refuse(request, edited: text)
    let edited = try RolloutText(Array(text.utf8), name: "the text")
    let known = live.inForce.document.revision
    func refuseStale(_ revision: Int64) throws(ConsoleFailure) {
      guard revision < known else { return }
      throw conflict.failure(
        "revision \(known) is live, but the text was edited from revision \(revision)", edited: text)
    }
    try refuseStale(edited.document.revision)
    if request.members["revision"].map({ $0 != .null }) ?? false { try refuseStale(try request.integer("revision")) }
    let next = known.addingReportingOverflow(1)
    guard !next.overflow else { throw ConsoleFailure(409, "no revision can follow \(known)") }
    let revision = max(next.partialValue, edited.document.revision)
    return try RolloutText(try edited.bytes(withRevision: revision), name: edited.name)
  }

  /// The step from the text in force to the one that is published.
  struct Change {
    let inForce: RolloutText
    let new: RolloutText
    let steps: [RolloutPlan]
    let plan: PlanReport
    let now: Int64

    init(from inForce: RolloutText, to new: RolloutText, now: Int64) throws {
      (self.inForce, self.new, self.now) = (inForce, new, now)
      let isScheduled = !(inForce.document.changeTimes + new.document.changeTimes).isEmpty
      steps = try RolloutPlan.steps(from: inForce.document, to: new.document, now: isScheduled ? now : nil)
      plan = PlanReport(before: inForce.name, after: new.name, steps: steps)
    }
  }

  // MARK: Refusals

  private func allowed(_ request: ConsoleRequest) throws -> Set<PlanObjection.Kind> {
    Set(
      try request.texts("allow").map { word throws(ConsoleFailure) in
        guard let kind = PlanObjection.Kind(rawValue: word) else {
          throw ConsoleFailure(400, "`allow` does not support `\(word)`")
        }
        return kind
      })
  }

  func refuse(_ findings: [DocumentDiagnostic], in text: RolloutText) throws(ConsoleFailure) {
    guard findings.contains(where: { $0.severity == .error }) else { return }
    let placed = PlacedDiagnostics(in: String(decoding: text.bytes, as: UTF8.self)).json(findings)
    throw ConsoleFailure(422, "the document is refused", members: ["diagnostics": placed])
  }

  /// Refuses a change for the given objections and those of parity.
  private func refuse(
    _ objections: [PlanObjection], to change: Change, allowing allowed: Set<PlanObjection.Kind>
  ) async throws(ConsoleFailure) {
    var objections = objections
    if !allowed.contains(.parity) { objections += await parityObjections(to: change) }
    guard let first = objections.first else { return }
    let message = objections.map(\.finding.message).joined(separator: "; ")
    let needs = Set(objections.map(\.kind.rawValue)).sorted().map { EventValue.string($0) }
    let each = objections.map { objection -> EventValue in
      ["word": .string(objection.kind.rawValue), "message": .string(objection.finding.message)]
    }
    throw ConsoleFailure(
      409, message, help: first.finding.help,
      members: ["needs": .array(needs), "message": .string(message), "objections": .array(each)])
  }

  func parityObjections(to change: Change) async -> [PlanObjection] {
    guard let report = await comparison else { return [] }
    return AdvanceGate(report: report, gate: gate, from: change.inForce.document, to: change.new.document)
      .findings(change.steps, file: change.new.name, reportFile: ParityPage.name).filter { $0.severity == .error }
      .map { PlanObjection(kind: .parity, finding: $0) }
  }

  // MARK: Writing

  private func publication(
    _ means: Publication.Means, of change: Change, over live: Live, _ request: ConsoleRequest
  ) async throws -> Publication {
    let check = RolloutCheck("", against: nil, parity: await comparison, gate: gate, now: change.now)
    let numbers = check.gate(change.steps, from: change.inForce.document, to: change.new.document)
    return Publication(
      by: means, time: change.now, user: publications.user, message: try message(request),
      before: live.current ?? live.inForce.bytes, after: change.new.bytes, plan: change.plan.text,
      gate: numbers == .null ? nil : numbers)
  }

  /// The reason of a request, for the record.
  func message(_ request: ConsoleRequest) throws -> String? {
    guard let text = try request.optionalText("message") else { return nil }
    do { return try Publication.message(text) } catch let error as CommandError {
      throw ConsoleFailure(400, error.message, help: error.help)
    }
  }

  /// The signature of a new text, if it is asked for, or if the live one has one; `nil` for none.
  func signature(
    of new: RolloutText, for document: LiveDocument, _ request: ConsoleRequest
  ) async throws -> RolloutSignature? {
    let isAsked = try request.flag("sign")
    let isSigned = await document.signature != nil
    if isAsked || (isSigned && key != nil) { return try signingKey().signature(of: new.bytes) }
    guard !isSigned else {
      throw ConsoleFailure(
        409, "\(document.name) is signed, and the console has no key; apps would refuse the new document",
        help: "start the console with --signing-key")
    }
    return nil
  }

  /// Stores the revision in the history, then publishes it. Removes it again if publishing fails. A text that cannot be stored is
  /// published all the same.
  ///
  /// The publisher compares the file with the text that was checked, and replaces it only if both are equal.
  func put(
    _ new: RolloutText, over live: Live, _ publication: Publication, _ request: ConsoleRequest,
    warnings: [DocumentDiagnostic] = []
  ) async throws -> ConsoleAnswer {
    let document = live.document
    let text = String(decoding: new.bytes, as: UTF8.self)
    let signature = try await signature(of: new, for: document, request)
    var (warnings, kept) = (warnings, (id: String, isNew: Bool)?.none)
    do {
      try await history.keep(live.inForce.document.revision, live.inForce.bytes, now: publication.time)
      kept = try await history.keep(new.document.revision, new.bytes, now: publication.time)
    } catch {
      let reason = (error as? CommandError)?.message ?? "\(error)"
      warnings.append(DocumentDiagnostic(.warning, .unrecorded, "the text is not kept for History: \(reason)"))
    }
    do {
      warnings += try await publisher.publish(
        new.bytes, signature: signature, over: live.current, recording: publication, in: record)
    } catch {
      if let kept, kept.isNew { await history.forget(kept.id) }
      if document.path != nil, let current = try? await document.bytes(), current != live.current {
        throw EditConflict(current: current).failure("another text was published in between", edited: text)
      }
      throw error
    }
    if document.path == nil { await document.hold(new.bytes, signature: signature?.fileBytes) }
    await update(to: new.bytes, of: document)
    return .json([
      "revision": .int(new.document.revision), "text": .string(text), "tag": EditConflict.tag(of: new.bytes),
      "warnings": .array(warnings.map { .string($0.message) }),
    ])
  }
}
