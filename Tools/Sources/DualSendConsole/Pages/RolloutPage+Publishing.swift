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
    let live = try await liveSource()
    let text = try request.text("text")
    let conflict = EditConflict(current: try? await liveDocument().bytes())
    try conflict.refuse(request, edited: text)
    let edited = try Source(Array(text.utf8), name: "the text")
    func refuseStale(_ revision: Int64) throws(ConsoleFailure) {
      guard revision < live.document.revision else { return }
      throw conflict.failure(
        "revision \(live.document.revision) is live, but the text was edited from revision \(revision)", edited: text)
    }
    try refuseStale(edited.document.revision)
    if request.members["revision"].map({ $0 != .null }) ?? false { try refuseStale(try request.integer("revision")) }
    let next = live.document.revision.addingReportingOverflow(1)
    guard !next.overflow else { throw ConsoleFailure(409, "no revision can follow \(live.document.revision)") }
    let revision = max(next.partialValue, edited.document.revision)
    let new = try Source(try RolloutRollback.text(edited, withRevision: revision), name: edited.name)
    try refuse(try new.document.everyFinding(in: new.bytes, name: new.name), in: new)
    let allowed = try allowed(request)
    let (plan, steps) = try plan(from: live, to: new)
    var objections = plan.objections(file: new.name, allowing: allowed)
    if !allowed.contains(.parity) { objections += await parityObjections(steps, from: live, to: new) }
    try refuse(objections)
    let publication = await publication(
      .console, of: new, after: live, over: conflict, plan, steps, message: try message(request))
    return try await put(publication, as: new, after: live, over: conflict, sign: try request.flag("sign"))
  }

  /// Publishes an earlier text with the revision after the live one.
  func rollBack(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    let live = try await liveSource()
    let conflict = EditConflict(current: try? await liveDocument().bytes())
    let entry = try request.optionalText("entry").map { try self.entry($0) }
    let older: Source
    if let entry {
      older = try Source(Array(entry.publication.text.utf8), name: "entry \(entry.id)")
    } else {
      let id = try request.text("id")
      guard let bytes = try await history.bytes(id) else { throw ConsoleFailure(404, "revision \(id) is not kept") }
      older = try Source(bytes, name: "revision \(id)")
    }
    let rollback: RolloutRollback
    do { rollback = try RolloutRollback(of: live, to: older, name: older.name) } catch let error as CommandError {
      throw ConsoleFailure(409, error.message, help: error.help)
    }
    let (plan, steps) = try plan(from: live, to: rollback.result)
    try refuse(try rollback.result.document.audit(), in: rollback.result)
    // `dualsend rollback` allows evictions and raises. Here it is one click, so evictions and raises need a confirmation.
    let allowed = try allowed(request)
    var objections = plan.objections(file: older.name, allowing: allowed.union([.neither]))
    objections += rollback.objections(plan, allowing: allowed)
    if !allowed.contains(.parity) { objections += await parityObjections(steps, from: live, to: rollback.result) }
    try refuse(objections)
    var publication = await publication(
      .rollback, of: rollback.result, after: live, over: conflict, plan, steps, message: try message(request))
    publication.backTo = entry?.id
    return try await put(publication, as: rollback.result, after: live, over: conflict, sign: try request.flag("sign"))
  }

  private typealias Source = RolloutRollback.Source

  private func liveSource() async throws -> Source {
    let document = try liveDocument()
    guard canPublish(document) else {
      throw ConsoleFailure(409, "the console cannot publish", help: "start the console with --publish")
    }
    if document.path == nil { try await document.refresh() }
    await refresh()
    guard let inForce else {
      throw ConsoleFailure(409, "\(document.name) was never a valid document", help: "correct it on disk")
    }
    return inForce
  }

  private func allowed(_ request: ConsoleRequest) throws -> Set<PlanObjection.Kind> {
    Set(
      try request.texts("allow").map { word throws(ConsoleFailure) in
        guard let kind = PlanObjection.Kind(rawValue: word) else {
          throw ConsoleFailure(400, "`allow` does not support `\(word)`")
        }
        return kind
      })
  }

  private func plan(from live: Source, to new: Source) throws -> (PlanReport, [RolloutPlan]) {
    let isScheduled = !(live.document.changeTimes + new.document.changeTimes).isEmpty
    let now = isScheduled ? timeSource.wallMilliseconds() : nil
    let steps = try RolloutPlan.steps(from: live.document, to: new.document, now: now)
    return (PlanReport(before: live.name, after: new.name, steps: steps), steps)
  }

  private func parityObjections(_ steps: [RolloutPlan], from live: Source, to new: Source) async -> [PlanObjection] {
    guard let report = await pairs.parityReport, report.total.pairs > 0 else { return [] }
    return AdvanceGate(report: report, gate: gate, from: live.document, to: new.document)
      .findings(steps, file: new.name, reportFile: ParityPage.name).filter { $0.severity == .error }
      .map { PlanObjection(kind: .parity, finding: $0) }
  }

  private func publication(
    _ means: Publication.Means, of new: Source, after live: Source, over conflict: EditConflict, _ plan: PlanReport,
    _ steps: [RolloutPlan], message: String?
  ) async -> Publication {
    let now = timeSource.wallMilliseconds()
    let check = RolloutCheck("", against: nil, parity: await pairs.parityReport, gate: gate, now: now)
    let numbers = check.gate(steps, from: live.document, to: new.document)
    return Publication(
      by: means, time: now, user: publications.user, message: message, before: conflict.current ?? live.bytes,
      after: new.bytes, plan: plan.text, gate: numbers == .null ? nil : numbers)
  }

  private func refuse(_ findings: [DocumentDiagnostic], in source: Source) throws(ConsoleFailure) {
    guard findings.contains(where: { $0.severity == .error }) else { return }
    let placed = PlacedDiagnostics(in: String(decoding: source.bytes, as: UTF8.self)).json(findings)
    throw ConsoleFailure(422, "the document is refused", members: ["diagnostics": placed])
  }

  private func refuse(_ objections: [PlanObjection]) throws(ConsoleFailure) {
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

  /// Stores the revision in the history, then publishes it. Removes it again if publishing fails.
  private func put(
    _ publication: Publication, as new: Source, after live: Source, over conflict: EditConflict, sign: Bool
  ) async throws -> ConsoleAnswer {
    guard beginPublishing() else {
      throw ConsoleFailure(409, "another document is being published", members: ["needs": []])
    }
    defer { endPublishing() }
    let text = String(decoding: new.bytes, as: UTF8.self)
    let signature = sign ? try signingKey().signature(of: new.bytes) : nil
    let document = try liveDocument()
    // Another text may have been published while this one was checked.
    if document.path == nil { try await document.refresh() }
    let current = try? await document.bytes()
    guard current == conflict.current else {
      throw EditConflict(current: current).failure("another text was published in between", edited: text)
    }
    let now = timeSource.wallMilliseconds()
    try await history.keep(live.document.revision, live.bytes, now: now)
    let kept = try await history.keep(new.document.revision, new.bytes, now: now)
    let warnings: [DocumentDiagnostic]
    do {
      warnings = try await publisher.publish(
        new.bytes, signature: signature, file: document.path, over: current, recording: publication, in: record)
    } catch {
      if kept.isNew { await history.forget(kept.id) }
      throw error
    }
    if document.path == nil { await document.hold(new.bytes, signature: signature?.fileBytes) }
    await refresh()
    return .json([
      "revision": .int(new.document.revision), "text": .string(text), "tag": EditConflict.tag(of: new.bytes),
      "warnings": .array(warnings.map { .string($0.message) }),
    ])
  }
}
