import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis

/// What an act changes: how the text to publish follows from the one that is in force.
package struct PublicationEdit: Sendable {
  /// The text, without its revision, and what it is for.
  package struct Edited: Sendable {
    let name: String
    let text: [UInt8]
    /// Whether the text's own revision is published if it is higher than the next one.
    var keepsRevision = false
    package var stops: [EventPattern] = []
    var keepsNamedUnits = false
    var backTo: String?
    var undoes: String?

    /// Who still gets the stopped events: only units that rules name, if these rules stay.
    package func rest(in document: RolloutDocument) throws -> [RolloutLowering.Rest] {
      stops.isEmpty ? [] : try RolloutLowering(stops, to: .none).rest(in: document)
    }

    /// - Throws: ``CommandError`` if units would still get an event that is stopped.
    func check(_ new: RolloutText) throws {
      if let one = try rest(in: new.document).first(where: { !keepsNamedUnits || $0.units.isEmpty }) {
        throw CommandError("\(one.place) would still give `\(one.event)` to \(one.share) of units")
      }
    }
  }

  let by: Publication.Means
  /// - Returns: `nil` if nothing is to be done.
  let apply: @Sendable (RolloutText?, PublicationRecord.Reading?) throws -> Edited?

  private static func inForce(_ text: RolloutText?) throws -> RolloutText {
    guard let text else { throw CommandError("there is no document to change", help: "check the file or the address") }
    return text
  }

  /// Publishes a text that was edited from the one in force.
  ///
  /// - Parameter mayHaveSameRevision: whether the text may have the revision of the one that it was edited from.
  package static func text(
    _ new: RolloutText, by means: Publication.Means, mayHaveSameRevision: Bool = true
  ) -> PublicationEdit {
    PublicationEdit(by: means) { live, _ in
      if let live {
        let (own, known) = (new.document.revision, live.document.revision)
        if new.bytes == live.bytes { return nil }
        guard own > known || own == known && mayHaveSameRevision else {
          throw CommandError(
            "revision \(known) is live, and \(new.name) with revision \(own) was not edited from it",
            help: own == known
              ? "compare both with `dualsend plan`; if it was, count its revision up"
              : "make the change in the document that is live; `dualsend rollback` goes back to an older one")
        }
      }
      return Edited(name: new.name, text: new.bytes, keepsRevision: true)
    }
  }

  /// Moves a share, for a guard.
  static func moved(_ text: [UInt8], name: String) -> PublicationEdit {
    PublicationEdit(by: .guard) { _, _ in Edited(name: name, text: text, keepsRevision: true) }
  }

  /// Stops events in every place of the document; nothing is to be done if no place gives them to the new side.
  ///
  /// - Parameters:
  ///   - events: the patterns of the events; `*` for all.
  ///   - keepsNamedUnits: whether rules that name units stay.
  package static func stopping(_ events: [EventPattern], keepsNamedUnits: Bool = false) -> PublicationEdit {
    PublicationEdit(by: .kill) { live, _ in
      let live = try inForce(live)
      // A rule that an earlier kill has put before another one still leaves that one's share in the text.
      if try RolloutLowering(events, to: .none).rest(in: live.document).isEmpty { return nil }
      let lowering = RolloutLowering(events, to: .none, keepsNamedUnits: keepsNamedUnits)
      guard let text = try lowering.text(of: live.bytes) else { return nil }
      return Edited(name: live.name, text: text, stops: events, keepsNamedUnits: keepsNamedUnits)
    }
  }

  /// Publishes the text of before the last kill again.
  package static var undoingLastKill: PublicationEdit {
    PublicationEdit(by: .rollback) { live, record in
      let live = try inForce(live)
      guard let record, let kill = record.lastKill else {
        throw CommandError(
          "there is nothing to undo: the record has no kill", help: "`dualsend rollback --to` names a text")
      }
      let hash = kill.publication.before?.hash
      let before = record.entries.last { $0.publication.after.hash == hash }
      if let undo = record.undo(of: kill) {
        throw CommandError(
          "there is nothing to undo: revision \(undo.revision ?? 0) took the last kill back, of revision \(kill.revision ?? 0)",
          help: "`dualsend rollback --to-entry` goes back further, over an earlier kill too")
      }
      guard let before else {
        throw CommandError(
          "the record does not have the text of before the last kill",
          help: "name a text with `dualsend rollback --to`, or raise the shares by hand")
      }
      let older = try RolloutText(live: Array(before.publication.text.utf8), name: "entry \(before.id)")
      return Edited(name: live.name, text: older.bytes, backTo: before.id, undoes: kill.id)
    }
  }

  /// Publishes an older text again.
  ///
  /// - Parameters:
  ///   - name: the result's name in findings.
  ///   - entry: the entry that has the text, if it is from the record.
  package static func back(to older: RolloutText, entry: String?, name: String) -> PublicationEdit {
    PublicationEdit(by: .rollback) { live, _ in
      let live = try inForce(live)
      guard older.document.revision < live.document.revision else {
        throw CommandError(
          "\(older.name) has revision \(older.document.revision), which is not older than revision"
            + " \(live.document.revision) of \(live.name)",
          help: "name the document in force first, and the one to go back to with --to")
      }
      return Edited(name: name, text: older.bytes, backTo: entry)
    }
  }
}

// MARK: - Objections

extension PublicationAct.Draft {
  /// Everything that is to be said of the new text; one error refuses it.
  package func findings() throws -> [DocumentDiagnostic] {
    try new.document.everyFinding(in: new.bytes, name: new.name)
  }

  /// The reasons to refuse the publication, except those that are allowed. Losing the new side is the purpose of a rollback and
  /// of a kill.
  package func objections(file: String? = nil, allowing allowed: Set<PlanObjection.Kind>) throws -> [PlanObjection] {
    let file = file ?? new.name
    if by == .kill || edited.undoes != nil { return [] }
    var objections: [PlanObjection] = []
    if by == .rollback, plan.isReshuffle, !allowed.contains(.reshuffle) {
      let finding = DocumentDiagnostic(
        .error, .reshuffle, "the salt is not the one in force, so every unit would get another bucket",
        file: new.name, path: EventPath([.key("salt")]),
        help: "keep the salt in force and go back by hand, or pass --allow-reshuffle")
      objections.append(PlanObjection(kind: .reshuffle, finding: finding))
    }
    objections += plan.objections(file: file, allowing: by == .rollback ? allowed.union([.evictions]) : allowed)
    if !allowed.contains(.kill) { objections += try undoneKills().map { undone($0, file: file) } }
    return objections
  }

  /// The kills of the record that are in force, and would not be with the new text.
  private func undoneKills() throws -> [PublicationRecord.Entry] {
    guard let record = look.record, let before = look.inForce?.document else { return [] }
    return try record.kills(keptBy: before).filter { kill in
      let lowering = RolloutLowering(kill.publication.patterns, to: .none)
      let units = Set(try lowering.rest(in: before).flatMap(\.units))
      return try lowering.rest(in: new.document).contains { $0.units.isEmpty || !units.isSuperset(of: $0.units) }
    }
  }

  private func undone(_ kill: PublicationRecord.Entry, file: String) -> PlanObjection {
    let events = kill.publication.stops.map { "`\($0)`" }.joined(separator: ", ")
    return PlanObjection(
      kind: .kill,
      finding: DocumentDiagnostic(
        .error, .undoesKill,
        "this takes back the kill of \(events) by \(kill.publication.user), revision \(kill.revision ?? 0)", file: file,
        help: "make the change in the document that is live, or pass --allow-undo"))
  }
}

extension DocumentDiagnostic.Code {
  /// A publication would give stopped events to the new side again.
  static let undoesKill = DocumentDiagnostic.Code(rawValue: "DS0422")
}
