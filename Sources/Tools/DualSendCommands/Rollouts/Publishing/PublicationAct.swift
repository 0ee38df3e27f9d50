import DualSend
package import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis
import Foundation

/// Every publication of a rollout document: reads what is live, applies an edit to that text, proves the result, records the
/// intent, replaces the text if it is still the one that was read, reads it back, and records the outcome.
///
/// `publish`, `kill`, `rollback`, `guard` and the console differ in their ``PublicationEdit``. Nothing else writes a live
/// document.
package struct PublicationAct: Sendable {
  /// What an act begins with.
  package struct Look: Sendable {
    package let live: PublicationTarget.Live
    /// The document that apps have: the live text or, if that is not valid, the one recorded last. `nil` if there is none.
    package let inForce: RolloutText?
    package let record: PublicationRecord.Reading?
    /// What the record says, and attempts whose outcome is not known.
    package let warnings: [DocumentDiagnostic]

    fileprivate init(
      live: PublicationTarget.Live, inForce: RolloutText?, record: PublicationRecord.Reading?,
      warnings: [DocumentDiagnostic]
    ) {
      (self.live, self.inForce, self.record, self.warnings) = (live, inForce, record, warnings)
    }

    /// A document that is not live anywhere.
    init(inForce: RolloutText, record: PublicationRecord.Reading? = nil) {
      let live = PublicationTarget.Live(
        bytes: inForce.bytes, fileBytes: nil, entityTag: nil, isReadable: true, deviceTag: nil, signature: .none,
        appsBytes: nil)
      self.init(live: live, inForce: inForce, record: record, warnings: [])
    }
  }

  /// A text that can be published.
  package struct Draft: Sendable {
    package let look: Look
    package let new: RolloutText
    package let edited: PublicationEdit.Edited
    /// Empty for the first document.
    package let steps: [RolloutPlan]
    package let plan: PlanReport
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package let time: Int64
    let by: Publication.Means
  }

  package let target: PublicationTarget
  package let record: PublicationRecord?
  package let key: SigningKeyFile?
  /// A revision that apps may have, though nothing that is read has it.
  let known: Int64?
  /// Whether a document without a signature may replace one with it.
  let isUnsigned: Bool
  package let terminal: Terminal
  let sleep: @Sendable (Duration) async throws -> Void

  package init(
    _ target: PublicationTarget, record: PublicationRecord?, key: SigningKeyFile? = nil, known: Int64? = nil,
    isUnsigned: Bool = false, on terminal: Terminal,
    sleep: @escaping @Sendable (Duration) async throws -> Void = TimeSource.system.sleep
  ) {
    (self.target, self.record, self.key, self.known) = (target, record, key, known)
    (self.isUnsigned, self.terminal, self.sleep) = (isUnsigned, terminal, sleep)
  }

  // MARK: 1. What is live

  /// Reads the target and the record. Records the outcome of an earlier attempt if it is known now.
  ///
  /// - Parameter otherwise: the last valid text that was seen, if it is not known from the record what apps have.
  /// - Throws: ``CommandError`` if the target cannot be read; `DocumentError` if what apps have is not known.
  package func look(otherwise: RolloutText? = nil) async throws -> Look {
    let live = try await target.read(on: terminal, isUnsigned: isUnsigned)
    var (warnings, reading) = ([DocumentDiagnostic](), PublicationRecord.Reading?.none)
    if let record {
      warnings += [record.obstacle()].compactMap(\.self)
      do { reading = try record.read(last: PublicationRecord.depth) } catch {
        // What cannot be read must not keep a rollout from being stopped.
        if warnings.isEmpty { warnings.append(record.unrecorded(error)) }
      }
    } else {
      warnings.append(
        DocumentDiagnostic(
          .warning, .unrecorded, "there is no place for the record of \(target.name)", help: "name one with --history"))
    }
    if let attempt = reading?.openAttempt { warnings += settle(attempt, by: live) }
    return Look(live: live, inForce: try inForce(live, reading, otherwise), record: reading, warnings: warnings)
  }

  private func inForce(
    _ live: PublicationTarget.Live, _ reading: PublicationRecord.Reading?, _ otherwise: RolloutText?
  ) throws -> RolloutText? {
    guard let bytes = live.bytes else { return otherwise }
    do { return try RolloutText(live: bytes, name: target.name) } catch {
      if let otherwise { return otherwise }
      guard let last = reading?.lastPublished,
        let text = try? RolloutText(live: Array(last.publication.text.utf8), name: "entry \(last.id)")
      else { throw error }
      terminal.note(
        "\(target.name) is not a valid document, so apps keep the one that they have; this starts from the one recorded last, "
          + "revision \(text.document.revision). If apps may have a higher one, pass it with --revision")
      return text
    }
  }

  // MARK: 2. The next revision

  /// Above the live one, all recorded ones with those of attempts, and one that is known otherwise.
  private func nextRevision(_ look: Look) throws -> Int64 {
    let places = [look.live.bytes, look.live.fileBytes, look.live.appsBytes].compactMap(\.self)
      .compactMap { Publication.Version($0).revision }
    let known =
      places + [look.inForce?.document.revision, self.known].compactMap(\.self)
      + (look.record?.entries.compactMap(\.revision) ?? [])
    let next = (known.max() ?? 0).addingReportingOverflow(1)
    guard !next.overflow else { throw CommandError("no revision can follow \(Int64.max), the highest there is") }
    return next.partialValue
  }

  // MARK: 3. The edit and its proof

  /// Applies an edit to what is in force; `nil` if it changes nothing.
  ///
  /// - Throws: ``CommandError`` if the edit does not fit what is live; `DocumentError` if apps would refuse the result.
  package func draft(_ edit: PublicationEdit, after look: Look, time: Int64? = nil) throws -> Draft? {
    if let bytes = look.live.bytes, let file = look.live.fileBytes, bytes != file, edit.by != .kill {
      throw differingPlaces(file, bytes)
    }
    let time = time ?? TimeSource.system.wallMilliseconds()
    guard let edited = try edit.apply(look.inForce, look.record) else { return nil }
    let unnumbered = try RolloutText(live: edited.text, name: edited.name)
    let revision = max(try nextRevision(look), edited.keepsRevision ? unnumbered.document.revision : 0)
    guard revision < Int64.max else {
      throw CommandError(
        "revision \(revision) leaves no room for a next one", help: "take one that is lower than \(Int64.max)")
    }
    let new = try RolloutText(try unnumbered.bytes(withRevision: revision), name: edited.name)
    try edited.check(new)
    if let audience = look.inForce?.document.audience, new.document.audience?.isExactly(audience) != true {
      throw CommandError(
        "\(target.name) has documents for \(audience.printable()), and this one is for "
          + (new.document.audience?.printable() ?? "no named `audience`"),
        help: "apps that expect it would refuse this one: publish it where it belongs, or correct its `audience`")
    }
    let steps = try look.inForce.map { try RolloutPlan.steps(from: $0.document, to: new.document, now: time) } ?? []
    let plan = PlanReport(before: look.inForce?.name ?? "", after: new.name, steps: steps)
    return Draft(look: look, new: new, edited: edited, steps: steps, plan: plan, time: time, by: edit.by)
  }

  private func differingPlaces(_ file: [UInt8], _ bytes: [UInt8]) -> CommandError {
    let (text, name) = (String(decoding: file, as: UTF8.self), target.file ?? "")
    terminal.aside(UnifiedDiff(name, from: text, to: String(decoding: bytes, as: UTF8.self)).text, json: .null)
    return CommandError(
      "\(name) is not the document that \(target.address?.name ?? target.name) has; lines with + are what apps fetch",
      help: "copy what apps fetch to the file and edit that")
  }

  /// Refuses to publish without a signature in place of a document with one: apps that require it would refuse it.
  ///
  /// - Parameter signs: whether a document is signed that has no signature now.
  package func signature(of draft: Draft, signs: Bool = true) throws -> RolloutSignature? {
    if let key, !isUnsigned, signs || draft.look.live.isSigned { return try key.signature(of: draft.new.bytes) }
    try refuseUnsigned(draft.look)
    return nil
  }

  /// Refuses what is signed, if there is no key.
  func refuseUnsigned(_ look: Look) throws {
    guard key == nil, look.live.isSigned, !isUnsigned else { return }
    throw CommandError(
      "\(target.name) is signed, and there is no key for the new document; apps would refuse it",
      help: "give the secret key with --signing-key; or pass --unsigned, if apps require no signature any more")
  }

  // MARK: 4. The intent, and what follows it

  /// Publishes a draft, and records it before and after.
  ///
  /// - Returns: warnings of the record, and of what devices still get.
  /// - Throws: ``CommandError`` if the target is unchanged, or if that is not known; the message says which.
  package func publish(
    _ draft: Draft, user: String?, message: String?, gate: EventValue? = nil, signs: Bool = true
  ) async throws -> [DocumentDiagnostic] {
    let signature = try signature(of: draft, signs: signs)
    let (hold, lock) = (try hold(), try lockFile())
    defer { withExtendedLifetime((hold, lock)) {} }
    let live = draft.look.live
    let now = try await target.read(on: terminal, isUnsigned: isUnsigned)
    guard now.bytes == live.bytes, now.fileBytes == live.fileBytes else { throw changed(now) }
    var warnings: [DocumentDiagnostic] = []
    if let record {
      var attempted: Int64?
      // What cannot be read must not keep a rollout from being stopped.
      do { attempted = try record.highestRevision() } catch { warnings.append(record.unrecorded(error)) }
      if let attempted, attempted >= draft.new.document.revision {
        throw CommandError(
          "revision \(attempted) was published or tried meanwhile",
          help: "run the command again, with the next revision")
      }
    }
    var publication = Publication(
      by: draft.by, time: draft.time, user: user, message: message, before: live.bytes, after: draft.new.bytes,
      plan: draft.plan.text, gate: gate, backTo: draft.edited.backTo)
    (publication.stops, publication.undoes) = (draft.edited.stops.map(\.description), draft.edited.undoes)
    (publication.signature, publication.isAttempt) = (signature?.description, true)
    var attempt: String?
    if let record, let hold {
      do {
        try keepLive(draft, to: hold, user: user)
        attempt = try hold.append(publication)
      } catch { warnings.append(record.unrecorded(error)) }
    }
    func conclude(_ outcome: Publication.Outcome) {
      guard let attempt, let hold, let record else { return }
      let line = Publication.line(outcome, of: attempt, time: TimeSource.system.wallMilliseconds())
      do { _ = try hold.append(line) } catch { warnings.append(record.unrecorded(error)) }
    }
    let delivery = PublicationDelivery(
      target, draft.new, signature, over: now, stops: draft.edited.stops, on: terminal, sleep: sleep)
    do {
      warnings += try await delivery.send()
    } catch let refusal as PublicationDelivery.Refusal {
      conclude(.refused(refusal.reason.message))
      throw refusal.reason
    } catch {
      let reason = (error as? CommandError)?.message ?? "\(error)"
      conclude(.unknown(reason))
      terminal.report(warnings)
      throw CommandError(reason, help: "look again with `\(resumption)`; the next publication takes a higher revision")
    }
    conclude(.published)
    guard target.address != nil else { return warnings }
    do { try delivery.replaceFile() } catch {
      throw CommandError(
        "\(target.address?.name ?? "") has the new document, but \(target.file ?? "") could not be replaced: "
          + ((error as? CommandError)?.message ?? "\(error)"), help: "copy the document that apps fetch to the file")
    }
    return warnings
  }

  private func hold() throws -> PublicationRecord.Hold? {
    do { return try record?.hold(waits: false) } catch  where PublicationRecord.isBusy(error) {
      throw CommandError("another process is publishing this document", help: "try again when it has ended")
    } catch {
      // Said before the question; the publication counts.
      return nil
    }
  }

  /// Another process can have another record of the same file.
  private func lockFile() throws -> FileHandle? {
    guard let file = target.file, InputFile.isRegularFile(file) else { return nil }
    do { return try LockedFile.lock(file, waits: false) } catch is LockedFile.Busy {
      throw CommandError("another process is publishing \(file)", help: "try again when it has ended")
    }
  }

  private func changed(_ now: PublicationTarget.Live) -> CommandError {
    let revision = now.bytes.flatMap { Publication.Version($0).revision }.map { ": revision \($0) is live" } ?? ""
    return CommandError(
      "\(target.name) was changed in between\(revision); nothing is published",
      help: "check the new document, and try again")
  }

  /// Records the live text, unless it is recorded, so that the publication can be undone.
  private func keepLive(_ draft: Draft, to hold: PublicationRecord.Hold, user: String?) throws {
    guard let inForce = draft.look.inForce else { return }
    let hash = DocumentHash.text(of: inForce.bytes)
    guard draft.look.record?.entries.contains(where: { $0.publication.after.hash == hash }) != true else { return }
    try hold.append(
      Publication(by: .added, time: draft.time - 1, user: user, message: nil, before: nil, after: inForce.bytes))
  }

  // MARK: An earlier attempt

  /// The command that looks at an attempt again.
  private var resumption: String {
    let places = [target.file, target.address?.name].compactMap(\.self)
    return "dualsend publish --resume" + places.map { " --to \($0)" }.joined()
  }

  /// Records the outcome of an attempt if what is live tells it; else returns a warning.
  private func settle(
    _ attempt: PublicationRecord.Entry, by live: PublicationTarget.Live
  ) -> [DocumentDiagnostic] {
    guard let record, let revision = attempt.revision else { return [] }
    let when = Timestamp.text(milliseconds: attempt.publication.time)
    do {
      // A process that has it is publishing.
      let hold = try record.hold(waits: false)
      guard let outcome = outcome(of: attempt, by: live) else {
        return [
          DocumentDiagnostic(
            .warning, .unknownOutcome, "revision \(revision) was sent at \(when), its outcome is not known",
            file: target.name, help: "look again with `\(resumption)`")
        ]
      }
      _ = try hold.append(Publication.line(outcome, of: attempt.id, time: TimeSource.system.wallMilliseconds()))
      terminal.note(
        outcome == .published
          ? "revision \(revision) was sent at \(when), and is live"
          : "revision \(revision) of \(when) was not published")
      return []
    } catch  where PublicationRecord.isBusy(error) { return [] } catch { return [record.unrecorded(error)] }
  }

  /// `nil` if it is not known.
  private func outcome(
    of attempt: PublicationRecord.Entry, by live: PublicationTarget.Live
  ) -> Publication.Outcome? {
    guard let bytes = live.bytes else { return target.address == nil ? .refused("there is no document") : nil }
    let publication = attempt.publication
    if Publication.Version(bytes).hash == publication.after.hash {
      let signature = publication.signature.flatMap { RolloutSignature(base64: $0) }
      return signature == nil || live.signature.value == signature ? .published : nil
    }
    // A file is replaced by the process itself. A server can still take what was sent.
    if target.address == nil { return .refused("interrupted") }
    guard let revision = Publication.Version(bytes).revision, let own = attempt.revision, revision > own else {
      return nil
    }
    return .refused("revision \(revision) is live")
  }

  /// Looks at an attempt of unknown outcome again, and completes what belongs to a text that is live: its signature and the
  /// file. Never sends the text again.
  ///
  /// - Returns: whether there is no unknown outcome any more; `false` if the attempt is known not to be live.
  /// - Throws: ``CommandError`` if it is still not known.
  package func resume() async throws -> Bool {
    guard let record else {
      throw CommandError("there is no record of \(target.name)", help: "name one with --history")
    }
    guard let attempt = try record.read(last: PublicationRecord.depth).openAttempt, let revision = attempt.revision
    else {
      terminal.note("the outcome of every publication of \(target.name) is known")
      return true
    }
    let text = try RolloutText(live: Array(attempt.publication.text.utf8), name: target.name)
    let signature = attempt.publication.signature.flatMap { RolloutSignature(base64: $0) }
    for round in 1...PublicationDelivery.reads {
      let live = try await target.read(on: terminal, isUnsigned: isUnsigned)
      if live.bytes == text.bytes {
        let delivery = PublicationDelivery(target, text, signature, over: live, stops: [], on: terminal, sleep: sleep)
        if live.signature.value != signature { try await delivery.sign() }
        if target.address != nil { try delivery.replaceFile() }
      }
      let after = try await target.read(on: terminal, isUnsigned: isUnsigned)
      if let outcome = outcome(of: attempt, by: after) {
        terminal.report(settle(attempt, by: after))
        return outcome == .published
      }
      if round < PublicationDelivery.reads { try await sleep(PublicationDelivery.pause) }
    }
    throw CommandError(
      "it is still not known whether revision \(revision) is published: another text is live",
      help: "look again later; or publish again, which takes a higher revision")
  }
}

extension DocumentDiagnostic.Code {
  /// An attempt to publish was interrupted, or not answered.
  static let unknownOutcome = DocumentDiagnostic.Code(rawValue: "DS0421")
}
