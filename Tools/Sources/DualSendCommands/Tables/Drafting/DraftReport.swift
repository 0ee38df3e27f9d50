import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendDrafting
import DualSendParity

/// The messages of `dualsend draft` about a draft.
struct DraftReport {
  let draft: TableDraft

  /// The counts of found rows and open questions, in one line.
  var summary: String {
    let names = draft.events.count { $0.newName != nil }
    let rows = draft.events.reduce(0) { $0 + $1.rows.count }
    let constants = draft.events.reduce(0) { $0 + $1.constants.count }
    let open = draft.events.reduce(0) { $0 + $1.open.count }
    return "\(draft.events.count.counted("event")): \(names.counted("new name")), \(rows.counted("row")),"
      + " \(constants.counted("constant")); \(open.counted("question")) left open"
  }

  /// Events for which a table can have no entry.
  var unnamable: [DocumentDiagnostic] {
    draft.unnamable.map { name in
      DocumentDiagnostic(
        .warning, .unnamableEvent, "a table cannot have an entry for the event `\(name)`",
        help: "rename the event in the app: an entry cannot be named like a comment or end in `*`")
    }
  }

  /// Reports how the draft does on held-out pairs.
  ///
  /// - Returns: a finding for each claim that they contradict more often than the confidence allows.
  static func report(_ check: DraftCheck, _ confidence: DraftConfidence, on terminal: Terminal) -> [DocumentDiagnostic]
  {
    let claims = check.claims.filter { $0.pairs > 0 }
    let refuted = check.refuted(confidence)
    terminal.note(
      "held-out pairs: \(check.equalPairs.grouped) of \(check.pairs.grouped) equal"
        + " (\(check.equalPairs.percentage(of: check.pairs))); fields: \(check.fields.equal.grouped) of"
        + " \(check.fields.compared.grouped) equal (\(check.fields.equal.percentage(of: check.fields.compared)));"
        + " \((claims.count - refuted.count).grouped) of \(claims.count.counted("claim")) hold",
      json: [
        "heldOutPairs": .int(Int64(check.pairs)), "equalPairs": .int(Int64(check.equalPairs)),
        "comparedFields": .int(Int64(check.fields.compared)), "equalFields": .int(Int64(check.fields.equal)),
        "claims": .int(Int64(claims.count)), "refutedClaims": .int(Int64(refuted.count)),
      ])
    return refuted.map { claim in
      DocumentDiagnostic(
        .warning, .refutedClaim,
        "`\(claim.event)`, \(claim.text): \(claim.contradicting) of \(claim.pairs) held-out pairs contradict it",
        path: EventPath([.key("events"), .key(claim.event)]),
        help: "review the row before it is used, or learn from more pairs with --pairs")
    }
  }
}

extension DocumentDiagnostic.Code {
  /// Held-out pairs contradict a claim of a drafted table.
  static let refutedClaim = DocumentDiagnostic.Code(rawValue: "DS1102")
  /// A table cannot have an entry for an event's name.
  static let unnamableEvent = DocumentDiagnostic.Code(rawValue: "DS1103")
}

extension DraftReport {
  /// The first malformed lines of each stream.
  static func malformed(_ counts: StreamPairs.Counts, old: String?, new: String?) -> [DocumentDiagnostic] {
    let named =
      counts.old.malformedLines.map { (old, $0, "legacy event") } + counts.new.malformedLines.map { (new, $0, "event") }
    let findings = named.map { file, line, kind in
      DocumentDiagnostic(
        .error, .malformedEvent, "line \(line) is not a \(kind), or has no join key", file: file,
        position: DocumentDiagnostic.Position(line: line, column: 1), help: "the line was skipped")
    }
    let rest = counts.old.malformed + counts.new.malformed - findings.count
    guard rest > 0 else { return findings }
    return findings + [DocumentDiagnostic(.error, .moreFindings, "and \(rest) more lines", file: old)]
  }
}
