import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis

/// A publication that takes the new side from all units, for all events or some; or that undoes the last publication.
///
/// `dualsend kill` and the console publish it in the same way.
package struct RolloutKill {
  /// How many of the last entries of a record are read.
  private static let entries = 1000

  package let live: RolloutText
  package let new: RolloutText
  package let steps: [RolloutPlan]
  package let plan: PlanReport
  /// Who still gets the new side after it: only units that rules name, if these rules stay.
  package let rest: [RolloutLowering.Rest]
  package let time: Int64
  private let by: Publication.Means
  private let backTo: String?

  private init(
    from live: RolloutText, to new: RolloutText, rest: [RolloutLowering.Rest], time: Int64, by: Publication.Means,
    backTo: String?
  ) throws {
    (self.live, self.new, self.rest, self.time, self.by, self.backTo) = (live, new, rest, time, by, backTo)
    let isScheduled = !(live.document.changeTimes + new.document.changeTimes).isEmpty
    steps = try RolloutPlan.steps(from: live.document, to: new.document, now: isScheduled ? time : nil)
    plan = PlanReport(before: live.name, after: new.name, steps: steps)
  }

  /// Stops events in every place of the document; `nil` if no place gives them to the new side.
  ///
  /// - Parameters:
  ///   - events: the patterns of the events; `*` for all.
  ///   - keepsNamedUnits: whether rules that name units stay.
  ///   - revision: that of the new text.
  /// - Throws: ``CommandError`` if units would still get one of the events.
  package static func stopping(
    _ events: [EventPattern], in live: RolloutText, keepsNamedUnits: Bool = false, revision: Int64, time: Int64
  ) throws -> RolloutKill? {
    // A rule that an earlier kill has put before another one still leaves that one's share in the text.
    if try RolloutLowering(events, to: .none).rest(in: live.document).isEmpty { return nil }
    guard let text = try RolloutLowering(events, to: .none, keepsNamedUnits: keepsNamedUnits).text(of: live.bytes)
    else { return nil }
    let unnumbered = try RolloutText(live: text, name: live.name)
    let new = try RolloutText(try unnumbered.bytes(withRevision: revision), name: live.name)
    let rest = try RolloutLowering(events, to: .none).rest(in: new.document)
    if let one = rest.first(where: { !keepsNamedUnits || $0.units.isEmpty }) {
      throw CommandError("\(one.place) would still give `\(one.event)` to \(one.share) of units")
    }
    return try RolloutKill(from: live, to: new, rest: rest, time: time, by: .kill, backTo: nil)
  }

  /// Publishes the text of before the last publication again, with a new revision.
  ///
  /// - Throws: ``CommandError`` if the record does not have it.
  package static func undoing(
    _ live: RolloutText, record: PublicationRecord?, revision: Int64, time: Int64
  ) throws -> RolloutKill {
    guard let record else {
      throw CommandError("a document at an address has no record of its own", help: "name one with --history")
    }
    let entries = try record.read(lines: entries).entries
    let hash = DocumentHash.text(of: live.bytes)
    guard let last = entries.last(where: { $0.publication.after.hash == hash }), let before = last.publication.before,
      let entry = entries.last(where: { $0.publication.after.hash == before.hash })
    else {
      throw CommandError(
        "the record does not have the text of before the live one",
        help: "name a text with `dualsend rollback --to`, or raise the shares by hand")
    }
    let older = try RolloutText(Array(entry.publication.text.utf8), name: "entry \(entry.id)")
    let new = try RolloutText(try older.bytes(withRevision: revision), name: live.name)
    return try RolloutKill(from: live, to: new, rest: [], time: time, by: .rollback, backTo: entry.id)
  }

  /// Whether the last publication of a text was a kill, so that ``undoing(_:record:revision:time:)`` takes it back.
  package static func published(_ live: [UInt8], record: PublicationRecord?) -> Bool {
    let hash = DocumentHash.text(of: live)
    let last = try? record?.read(lines: entries).entries.last { $0.publication.after.hash == hash }
    return last?.publication.by == .kill
  }

  /// The entry for the record.
  package func publication(user: String?, message: String?) -> Publication {
    Publication(
      by: by, time: time, user: user, message: message, before: live.bytes, after: new.bytes, plan: plan.text,
      backTo: backTo)
  }

  /// Records the live text, unless it is recorded, so that a kill can be undone.
  package func keepLive(in record: PublicationRecord?, user: String?) -> [DocumentDiagnostic] {
    guard by == .kill, let record else { return [] }
    let hash = DocumentHash.text(of: live.bytes)
    let isKept =
      (try? record.read(lines: Self.entries).entries.contains { $0.publication.after.hash == hash }) ?? false
    return isKept
      ? []
      : record.add(
        Publication(by: .added, time: time - 1, user: user, message: nil, before: nil, after: live.bytes))
  }
}
