import Foundation

@testable import DualSend
@testable import DualSendCore
@testable import DualSendParity
@testable import DualSendRemapping

extension FuzzTarget {
  /// TrackingEvent streams and what compares them.
  ///
  /// The first part is an old stream, the second a new one, the third a normalisation file, the fourth a report.
  static let streams = FuzzTarget(name: "streams", mutation: .json) { input in
    for line in input.part(0).split(separator: UInt8(ascii: "\n")) {
      guard let event = try? LegacyEvent(reading: line) else { continue }
      _ = event.parameters.mapValues(\.plainValue)
    }
    if let report = try? ParityReport(input.part(3), name: "report") { render(report) }
    let normalisation = (try? Normalisation(input.part(2), name: "normalisation")) ?? .none
    let folder = ScratchFolder.emptied()
    let (old, new) = (folder.appendingPathComponent("old.jsonl"), folder.appendingPathComponent("new.jsonl"))
    guard (try? Data(input.part(0)).write(to: old)) != nil, (try? Data(input.part(1)).write(to: new)) != nil else {
      return
    }
    for join in [JoinRule.eventID(parameter: nil), .order(unit: nil, window: 1000)] {
      let comparer = ParityComparer(table: RemappingTable(), normalisation: normalisation, join: join)
      if let report = try? comparer.compare(old: old, new: new) { render(report) }
      if let report = try? comparer.compare(old: old, new: new, form: .legacy) { render(report) }
    }
  }

  private static func render(_ report: ParityReport) {
    let judgement = ParityGate(limit: .perMille).judgement(on: report)
    let written = report.json(judgement)
    guard let again = try? ParityReport(written.canonicalJSON) else {
      preconditionFailure("a report cannot read what it wrote")
    }
    precondition(again.json(judgement) == written, "a report reads back as another")
    _ = (report.text(judgement), report.markdown(judgement), report.html(judgement))
  }
}
