import DualSendCommandLine
import DualSendCore
import Foundation

extension ParityReport {
  /// The table in the text and Markdown formats: an event in each row, the worst first, and the total.
  var table: TextTable {
    let numbers = Self.columns.map { TextTable.Column.numbers($0.title) }
    var table = TextTable([.words("event")] + numbers + [.words("worst field")], isRuled: false)
    for event in eventsByFailures { table.addRow(Self.row(event)) }
    table.addTotal(Self.row(total))
    return table
  }

  private static func row(_ event: EventParity) -> [String] {
    let worst = event.worstFields.first.map { "\($0.path): \($0.summary)" }
    return [event.title] + columns.map { $0.cell(event) }
      + [worst ?? (event.renamed > 0 ? "another name: \(event.renamed)" : "")]
  }

  private static var columns: [(title: String, cell: (EventParity) -> String)] {
    [
      ("pairs", { "\($0.pairs)" }), ("differ", { "\($0.differing)" }), ("rate", \.rateText),
      ("lost", { "\($0.lost)" }), ("unexpected", { "\($0.unexpected)" }), ("old only", { "\($0.oldOnly)" }),
      ("new only", { "\($0.newOnly)" }),
    ] + ParityMeasure.allCases.map { measure in (measure.title, { measure.text(of: $0) }) }
  }
}

extension EventParity {
  /// `old → new`, or the one name if both are the same.
  var title: String {
    name == newName ? name : "\(name) → \(newName)"
  }

  /// The share of differing pairs with four digits after the point; `–` if nothing was compared.
  var rateText: String { ShareText(differing, of: pairs, decimals: 4).description }

  /// The counts of lost, unexpected, undecided and contradicted events, as texts.
  package var placings: [String] {
    [
      (lostFromNew, "lost from the new stream"), (lostFromOld, "lost from the old stream"),
      (lostBesideBroken, "of these whose other line is there, and cannot be read"),
      (unexpectedInOld, "unexpected in the old stream"), (unexpectedInNew, "unexpected in the new stream"),
      (uncompared, "paired and not compared"), (withoutUnit, "of an unknown unit"),
      (undecided, "undecided: the revisions that could have been in force disagree"),
      (contradicting, "with a decision that their app cannot have made"),
      (conflicting, "that repeat an id with another name or payload"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
  }

  /// Example ids of lost, unexpected and contradicted events.
  var placingExamples: [String] {
    [unexpectedExamples, contradictingExamples].reduce(lostExamples) { known, more in
      known + more.filter { !known.contains($0) }
    }
  }

  /// The counts of renamed, noisy and repeated events, as texts.
  var remarks: [String] {
    var remarks: [String] = []
    if renamed > 0 { remarks.append("\(renamed.counted("pair")) whose new name differs from the table") }
    if noise > 0 { remarks.append("\(noise.counted("differing pair")) expected from noise") }
    if oldDuplicates > 0 { remarks.append("\(oldDuplicates.counted("repeated line")) in the old stream") }
    if newDuplicates > 0 { remarks.append("\(newDuplicates.counted("repeated line")) in the new stream") }
    return remarks
  }
}

extension FieldParity {
  /// The differences by kind, `12 missing, 3 type changed`.
  var summary: String {
    let parts = FieldOutcome.allCases.filter { $0.isDifference && counts[$0] > 0 }.map { "\(counts[$0]) \($0.words)" }
    return (parts + (noise > 0 ? ["\(noise) of them expected from noise"] : [])).joined(separator: ", ")
  }
}

extension FieldOutcome {
  fileprivate var words: String {
    switch self {
    case .equal: "equal"
    case .missing: "missing"
    case .extra: "extra"
    case .typeChanged: "type changed"
    case .valueChanged: "value changed"
    case .ignored: "ignored"
    }
  }
}

extension ParityReport {
  /// The number of events by the source of their membership.
  private var placedBy: String {
    let total = total
    return "judged by the decision they carry: \(total[.byDecision].grouped), by a rollout document: "
      + "\(total[.byDocument].grouped), by neither: \(total[.byNothing].grouped)"
  }

  /// The notes below the table.
  func footnotes(_ judgement: ParityJudgement?) -> [String] {
    var notes = ["joined by \(join)", "\(membership)"]
    for (name, stream) in [("old", old), ("new", new)] {
      var note = "\(name): \(stream.lines.counted("line"))"
      if stream.malformed > 0 {
        let lines = stream.malformedLines.map(String.init).joined(separator: ", ")
        note +=
          ", \(stream.malformed) malformed (line \(lines)\(stream.malformed > stream.malformedLines.count ? ", …" : ""))"
      }
      notes.append(note)
    }
    let ignored = events.flatMap(\.fields).reduce(0) { $0 + $1.counts[.ignored] }
    if ignored > 0 { notes.append("ignored \(ignored.counted("field")), not counted as equal") }
    if isCalibrated { notes.append("noise between two recordings of the old stream is subtracted") }
    notes.append(placedBy)
    if revisions.total > 0 { notes.append("revisions that apps had: \(revisions)") }
    notes += total.placings + total.remarks
    notes += inputs.map { "SHA-256 of \($0.path): \($0.sha256)" }
    notes.append("compared by dualsend \(ToolVersion.text)")
    return notes + (judgement?.footnotes ?? [])
  }
}

// MARK: - Share text

/// A share as a percentage, rounded to nearest with integer arithmetic.
///
/// A share above 0 never prints as 0, and a share below 100 % never as 100: with two decimals, these are `<0.01` and
/// `>99.99`.
package struct ShareText: Sendable, CustomStringConvertible {
  /// The digits and the unit: `12.34%`; `–` if the whole is 0.
  package let description: String

  /// - Parameters:
  ///   - part: clamped to `0...whole`.
  ///   - decimals: the number of digits after the point, at least 1.
  ///   - unit: the text after the digits.
  package init(_ part: Int, of whole: Int, decimals: Int, unit: String = "%") {
    guard whole > 0 else {
      description = "–"
      return
    }
    let part = min(max(part, 0), whole)
    let one = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: 100 * one))
    let rounded = quotient + (remainder >= whole - remainder ? 1 : 0)
    func text(_ parts: Int) -> String { "\(parts / one)." + String(one + parts % one).dropFirst() + unit }
    switch rounded {
    case 0 where part > 0: description = "<" + text(1)
    case 100 * one where part < whole: description = ">" + text(100 * one - 1)
    default: description = text(rounded)
    }
  }
}
