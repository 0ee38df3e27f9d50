/// The rows that the text, Markdown and HTML forms of a report share.
struct ParityTable {
  static let heading = ["event", "pairs", "differ", "rate", "old only", "new only", "worst field"]

  let rows: [[String]]
  let total: [String]

  init(_ report: ParityReport) {
    rows = report.eventsByMismatch.map(Self.row)
    total = Self.row(report.total)
  }

  private static func row(_ event: EventParity) -> [String] {
    let worst = event.worstFields.first.map { "\($0.path): \($0.summary)" }
    return [
      event.title, "\(event.pairs)", "\(event.mismatches)", event.rateText, "\(event.oldOnly)", "\(event.newOnly)",
      worst ?? (event.renamed > 0 ? "another name: \(event.renamed)" : ""),
    ]
  }
}

extension EventParity {
  /// `old → new`, or the one name if both are the same.
  var title: String {
    name == newName ? name : "\(name) → \(newName)"
  }

  /// The share of differing pairs with four digits after the point, cut; `–` if nothing was compared.
  var rateText: String {
    guard pairs > 0 else { return "–" }
    // In integers, so that 1 of 10,000,000 does not print as a clean 0.
    let (quotient, remainder) = pairs.dividingFullWidth(min(mismatches, pairs).multipliedFullWidth(by: 1_000_000))
    if quotient == 0, remainder > 0 { return "<0.0001%" }
    let fraction = String(String(10_000 + quotient % 10_000).dropFirst())
    return "\(quotient / 10_000).\(fraction)%"
  }

  /// What else there is to say, one fact a line.
  var remarks: [String] {
    var remarks: [String] = []
    if renamed > 0 { remarks.append("\(renamed) pairs have another new name than the table says") }
    if noise > 0 { remarks.append("\(noise) differing pairs are noise") }
    if oldDuplicates > 0 { remarks.append("\(oldDuplicates) repeated lines in the old stream") }
    if newDuplicates > 0 { remarks.append("\(newDuplicates) repeated lines in the new stream") }
    return remarks
  }
}

extension FieldParity {
  /// The mismatches by kind, `12 missing, 3 type changed`.
  var summary: String {
    let parts = FieldOutcome.allCases.filter { $0.isMismatch && counts[$0] > 0 }.map { "\(counts[$0]) \($0.words)" }
    return (parts + (noise > 0 ? ["\(noise) of them noise"] : [])).joined(separator: ", ")
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
  /// The facts about the streams that stand under every table.
  var footnotes: [String] {
    var notes = ["joined by \(join)"]
    for (name, stream) in [("old", old), ("new", new)] {
      var note = "\(name): \(stream.lines) lines"
      if stream.malformed > 0 {
        let lines = stream.malformedLines.map(String.init).joined(separator: ", ")
        note +=
          ", \(stream.malformed) malformed (line \(lines)\(stream.malformed > stream.malformedLines.count ? ", …" : ""))"
      }
      notes.append(note)
    }
    let ignored = events.flatMap(\.fields).reduce(0) { $0 + $1.counts[.ignored] }
    if ignored > 0 { notes.append("\(ignored) fields were ignored and are not counted as equal") }
    if isCalibrated { notes.append("noise measured between two old streams is taken off") }
    return notes + total.remarks
  }
}
