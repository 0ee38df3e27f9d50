import DualSendCommandLine
import DualSendCore
import DualSendParity

/// Why two streams do not pass the gate, one finding for each reason.
struct ParityFindings {
  private let report: ParityReport
  private let judgement: ParityJudgement
  private let namedEvents: Int

  /// - Parameter namedEvents: the most events that are named one by one.
  init(_ report: ParityReport, _ judgement: ParityJudgement, namedEvents: Int) {
    (self.report, self.judgement, self.namedEvents) = (report, judgement, namedEvents)
  }

  /// How many events fail that ``diagnostics(old:new:)`` does not name.
  var unnamedEvents: Int { max(0, judgement.failures.count - namedEvents) }

  /// - Parameters:
  ///   - old: what people call the file of the old stream.
  ///   - new: what they call that of the new one.
  func diagnostics(old: String, new: String) -> [DocumentDiagnostic] {
    var findings = brokenLines(in: report.old, of: old, .legacy) + brokenLines(in: report.new, of: new, .wire)
    if judgement.items.isEmpty {
      findings.append(
        DocumentDiagnostic(
          .error, .nothingCompared, "the streams have no event that could be compared", file: new,
          help: report.membership.isRollout
            ? "check that the recordings are of units that the rollout sends to both sinks"
            : "check that both files are of the same time and that their lines carry the same ids"))
    }
    findings += contradictions(in: new)
    return findings + judgement.failures.prefix(namedEvents).map { finding($0, file: new) }
  }

  /// One finding for the first events that contradict, so that it stays apart from what is lost.
  private func contradictions(in file: String) -> [DocumentDiagnostic] {
    report.events.filter { $0.contradicting > 0 }.prefix(namedEvents).map { event in
      DocumentDiagnostic(
        .error, .contradictsRollout,
        "`\(event.name)`: \(event.contradicting.counted("event")) with a decision that their app cannot have made",
        file: file, notes: ["for example " + event.contradictingExamples.joined(separator: ", ")],
        help: "check that the documents are those that were published, and that the unit, app version, platform and "
          + "attributes are where the options say")
    }
  }

  private func finding(_ item: ParityJudgement.Item, file: String) -> DocumentDiagnostic {
    let isEvidence = item.verdict != .tooManyFailures
    return DocumentDiagnostic(
      .error, isEvidence ? .tooLittleEvidence : .failsParity, "`\(item.event.name)`: \(item.summary)", file: file,
      notes: item.event.placings + [capitals(in: item.event)].compactMap { $0 }
        + (isEvidence ? [] : ["an event passes if \(judgement.gate)"]), help: help(for: item))
  }

  /// Ids are joined byte by byte, and Apple's `UUID` writes capitals where most others do not.
  private func capitals(in event: EventParity) -> String? {
    guard event.pairs == 0, case .eventID = report.join else { return nil }
    return event.lostExamples.first(where: \.isUUIDWithCapitals).map {
      "ids are joined byte by byte, and `\($0.printable())` has capitals: does the other stream write it in lower case?"
    }
  }

  private func help(for item: ParityJudgement.Item) -> String {
    if item.verdict != .tooManyFailures { return "record longer; 0% asks only that no failure is seen" }
    if item.event.withoutUnit > 0 { return "name where new payloads carry the unit: --unit-key" }
    if item.event.differing > 0 { return "correct its rows in the remapping table, and compare again" }
    return report.membership.isRollout
      ? "check that both recordings are whole, and that every revision of their time is named with --rollout"
      : "if it belongs in one stream only, let the adapter stamp its decision, or give the rollout document: --rollout"
  }

  private func brokenLines(
    in stream: ParityReport.Stream, of file: String, _ form: StreamForm
  ) -> [DocumentDiagnostic] {
    guard judgement.hasTooManyMalformed, stream.malformed > 0 else { return [] }
    let lines = BrokenLines(file: file, form: form, join: "\(report.join)")
    return [
      DocumentDiagnostic(
        .error, .brokenLines,
        "\(stream.malformed.grouped) of \(stream.lines.counted("line")) cannot be read as events", file: file,
        position: stream.malformedLines.first.map { DocumentDiagnostic.Position(line: $0, column: 1) },
        notes: lines.reasons(stream.malformedLines) + [
          "an event has a name, an object of values, and what lines are joined by: \(report.join)",
          "what these lines say was not compared; \(judgement.gate.maximumMalformed) may be broken",
        ],
        help: "find out what cut them, or allow as many as there are: --max-malformed")
    ]
  }
}

extension String {
  /// Whether it is a UUID in the usual form, with at least one of `A` to `F`.
  fileprivate var isUUIDWithCapitals: Bool {
    wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil && contains { ("A"..."F").contains($0) }
  }
}

extension StreamMembership.Summary {
  fileprivate var isRollout: Bool {
    if case .rollout = self { return true }
    return false
  }
}
