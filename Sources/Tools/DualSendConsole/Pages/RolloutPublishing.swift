import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPage {
  /// Publishes a text with the next revision, or its own if that is higher.
  func publish(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try await whilePublishing {
      let live = try await lookAgain()
      let text = try request.text("text")
      let conflict = EditConflict(current: live.live.bytes)
      try conflict.refuse(request, edited: text)
      let edited = try RolloutText(Array(text.utf8), name: "the text")
      let known = live.inForce?.document.revision ?? 0
      let start = request.members["revision"].map { $0 != .null } ?? false ? try request.integer("revision") : known
      for revision in [edited.document.revision, start] where revision < known {
        throw conflict.failure(
          "revision \(known) is live, but the text was edited from revision \(revision)", edited: text)
      }
      let draft = try draft(.text(edited, by: .console), after: live)
      try refuse(try draft.findings(), in: draft.new)
      let allowed = try allowed(request)
      try await refuse(try draft.objections(allowing: allowed), to: draft, allowing: allowed)
      return try await put(draft, request)
    }
  }

  /// Publishes an earlier text with the next revision.
  func rollBack(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try await whilePublishing {
      let live = try await lookAgain()
      let entry = try entry(try request.text("entry"))
      let older = try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)")
      let draft = try draft(.back(to: older, entry: entry.id, name: older.name), after: live)
      try EditConflict(current: live.live.bytes).refuse(
        request, edited: String(decoding: draft.new.bytes, as: UTF8.self))
      try refuse(try draft.new.document.audit(), in: draft.new)
      // `dualsend rollback` allows evictions and raises. Here it is one click, so evictions and raises need a confirmation.
      let allowed = try allowed(request)
      let objections =
        draft.plan.objections(file: older.name, allowing: allowed.union([.neither]))
        + (try draft.objections(allowing: allowed))
      try await refuse(objections, to: draft, allowing: allowed)
      return try await put(draft, request)
    }
  }

  /// Stops the new side for all events, or for `event`; with `undo`, takes the last kill back. Without `publish`, only
  /// shows the plan. In the same way as `dualsend kill`.
  func stop(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try await whilePublishing {
      let live = try await lookAgain()
      let event = try request.optionalText("event")
      let edit =
        try request.flag("undo")
        ? PublicationEdit.undoingLastKill : .stopping(try await patterns(event, record: live.record))
      let draft = try draft(
        edit, after: live, nothing: "nothing gives \(event.map { "`\($0)`" } ?? "any event") to the new side")
      try refuse(try draft.findings(), in: draft.new)
      // What apps would refuse is said before anybody is asked.
      try refuseUnsigned(live)
      guard try request.flag("publish") else {
        let text = String(decoding: live.inForce?.bytes ?? [], as: UTF8.self)
        return .json([
          "plan": RolloutPlanView(draft.plan, draft.steps).json, "revision": .int(draft.new.document.revision),
          "tag": EditConflict.tag(of: live.live.bytes),
          "events": .array(draft.edited.stops.map { .string($0.description) }),
          "difference": LineDifference(from: text, to: String(decoding: draft.new.bytes, as: UTF8.self)).json,
          "objections": .array(await parityObjections(to: draft).map { .string($0.finding.message) }),
          "warnings": .array(live.warnings.map { .string($0.message) }),
        ])
      }
      try EditConflict(current: live.live.bytes).refuse(
        request, edited: String(decoding: draft.new.bytes, as: UTF8.self))
      return try await put(draft, request)
    }
  }

  /// The app's names of an event, as the app logs it or as the collector shows it; all events for `nil`.
  func patterns(_ event: String?, record: PublicationRecord.Reading? = nil) async throws -> [EventPattern] {
    guard let event else { return [.prefix("")] }
    guard let document = inForce?.document else { return [.exact(event)] }
    if event.hasSuffix("*") {
      throw ConsoleFailure(400, "a document takes `\(event)` for all events that begin so", help: "see `dualsend kill`")
    }
    // What the old logger sent is a name of the app.
    let isSeen = await pairs.hasOldEvent(named: event)
    let table = await pairs.table?.table
    do {
      let events = AppEvents(
        document, table: try table ?? AppEvents.table(beside: act?.target.file), record: record)
      return try events.patterns(isSeen ? .exact(event) : try AppEvents.pattern(event), isConfirmed: isSeen)
    } catch let error as CommandError {
      throw ConsoleFailure(409, error.message, help: "start the console with --remap; or see `dualsend kill`")
    }
  }

  // MARK: What is live, and what is to be

  private func lookAgain() async throws -> PublicationAct.Look {
    let document = try liveDocument()
    guard canPublish, let act else {
      throw ConsoleFailure(409, "the console cannot publish", help: "start the console with --publish")
    }
    let look: PublicationAct.Look
    do { look = try await act.look(otherwise: inForce) } catch is DocumentError {
      throw ConsoleFailure(409, "\(document.name) was never a valid document", help: "correct it on disk")
    }
    await update(
      to: look.live.bytes.map { .success($0) } ?? .failure(CommandError("there is no document")), of: document)
    return look
  }

  private func draft(
    _ edit: PublicationEdit, after live: PublicationAct.Look, nothing: String = "the live document has this text"
  ) throws -> PublicationAct.Draft {
    do {
      guard let draft = try act?.draft(edit, after: live, time: timeSource.wallMilliseconds()) else {
        throw ConsoleFailure(409, nothing)
      }
      return draft
    } catch let error as CommandError { throw ConsoleFailure(409, error.message, help: error.help) }
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

  private func refuse(_ findings: [DocumentDiagnostic], in text: RolloutText) throws(ConsoleFailure) {
    guard findings.contains(where: { $0.severity == .error }) else { return }
    let placed = PlacedDiagnostics(in: String(decoding: text.bytes, as: UTF8.self)).json(findings)
    throw ConsoleFailure(422, "the document is refused", members: ["diagnostics": placed])
  }

  /// Refuses a change for the given objections and those of parity.
  private func refuse(
    _ objections: [PlanObjection], to draft: PublicationAct.Draft, allowing allowed: Set<PlanObjection.Kind>
  ) async throws(ConsoleFailure) {
    var objections = objections
    if !allowed.contains(.parity) { objections += await parityObjections(to: draft) }
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

  private func refuseUnsigned(_ live: PublicationAct.Look) throws {
    guard act?.key == nil, live.live.isSigned, let document else { return }
    throw ConsoleFailure(
      409, "\(document.name) is signed, and the console has no key; apps would refuse the new document",
      help: "start the console with --signing-key")
  }

  private func parityObjections(to draft: PublicationAct.Draft) async -> [PlanObjection] {
    guard let report = await comparison, let before = draft.look.inForce?.document else { return [] }
    return AdvanceGate(report: report, gate: gate, from: before, to: draft.new.document)
      .findings(draft.steps, file: draft.new.name, reportFile: ParityPage.name).filter { $0.severity == .error }
      .map { PlanObjection(kind: .parity, finding: $0) }
  }

  // MARK: Writing

  private func numbers(of draft: PublicationAct.Draft) async -> EventValue? {
    guard let before = draft.look.inForce?.document else { return nil }
    let check = RolloutCheck("", against: nil, parity: await comparison, gate: gate, now: draft.time)
    let numbers = check.gate(draft.steps, from: before, to: draft.new.document)
    return numbers == .null ? nil : numbers
  }

  /// The reason of a request, for the record.
  private func message(_ request: ConsoleRequest) throws -> String? {
    guard let text = try request.optionalText("message") else { return nil }
    do { return try Publication.message(text) } catch let error as CommandError {
      throw ConsoleFailure(400, error.message, help: error.help)
    }
  }

  /// Publishes a draft, which the act compares with what is live and records.
  private func put(_ draft: PublicationAct.Draft, _ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let act, let document else { throw ConsoleFailure(409, "the console cannot publish") }
    try refuseUnsigned(draft.look)
    let signs = try request.flag("sign")
    if signs { _ = try signingKey() }
    let (message, gate) = (try message(request), await numbers(of: draft))
    let text = String(decoding: draft.new.bytes, as: UTF8.self)
    var warnings = draft.look.warnings
    do {
      warnings += try await act.publish(
        draft, user: user, message: message, gate: gate, signs: signs)
    } catch {
      let current = try? await act.target.read(on: act.terminal).bytes
      guard let current, current != draft.look.live.bytes, current != draft.new.bytes else { throw error }
      throw EditConflict(current: current).failure("another text was published in between", edited: text)
    }
    // What apps get of the console is what they get of the address.
    var told = warnings.map(\.message)
    do { if document.path == nil { _ = try await document.bytes(again: true) } } catch {
      told.append("apps of this console get the text of before: \(CommandError(reading: document.name, error).message)")
    }
    await update(to: .success(draft.new.bytes), of: document)
    return .json([
      "revision": .int(draft.new.document.revision), "text": .string(text),
      "tag": EditConflict.tag(of: draft.new.bytes), "warnings": .array(told.map { .string($0) }),
    ])
  }
}
