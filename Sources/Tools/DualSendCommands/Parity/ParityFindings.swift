import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import Foundation

/// The reasons why two streams do not pass the gate, one finding each.
struct ParityFindings {
  private let report: ParityReport
  private let judgement: ParityJudgement
  private let namedEvents: Int
  private let formats: [StreamSide: LineFormat]

  /// - Parameters:
  ///   - namedEvents: the largest number of events that are named one by one.
  ///   - formats: how the lines of each side were read.
  init(
    _ report: ParityReport, _ judgement: ParityJudgement, namedEvents: Int, formats: [StreamSide: LineFormat] = [:]
  ) {
    (self.report, self.judgement, self.namedEvents, self.formats) = (report, judgement, namedEvents, formats)
  }

  /// The count of failing events that ``diagnostics(old:new:)`` does not name.
  var unnamedEvents: Int { max(0, judgement.failures.count - namedEvents) }

  /// - Parameters:
  ///   - old: the old stream's file in messages.
  ///   - new: the new stream's file in messages.
  func diagnostics(old: String, new: String) -> [DocumentDiagnostic] {
    var findings =
      brokenLines(in: report.old, of: old, .legacy) + brokenLines(in: report.new, of: new, .wire)
    if judgement.items.isEmpty {
      findings.append(
        DocumentDiagnostic(
          .error, .nothingCompared, "the streams have no event that could be compared", file: new,
          help: report.membership.isRollout
            ? "check that the recordings contain units that the rollout sends to both sinks"
            : "check that both files cover the same time and that their lines carry the same ids"))
    }
    findings += contradictions(in: new) + conflicts(in: new)
    findings += units(in: report.old, of: old, "time") + units(in: report.new, of: new, "eventTime")
    findings += unreadableDecisions(in: report.old, of: old) + unreadableDecisions(in: report.new, of: new)
    return findings + judgement.failures.prefix(namedEvents).map { finding($0, file: new) }
  }

  /// One finding for each of the first events with contradictions, separate from lost events.
  private func contradictions(in file: String) -> [DocumentDiagnostic] {
    report.events.filter { $0.contradicting > 0 }.prefix(namedEvents).map { event in
      DocumentDiagnostic(
        .error, .contradictsRollout,
        "`\(event.name)`: \(event.contradicting.counted("event")) with a decision that their app cannot have made",
        file: file, notes: ["for example " + event.contradictingExamples.joined(separator: ", ")],
        help:
          "check that the documents are those that were published, and that the options name the right paths for the "
          + "unit, app version, platform and attributes")
    }
  }

  private func units(in stream: ParityReport.Stream, of file: String, _ member: String) -> [DocumentDiagnostic] {
    guard let unit = stream.otherUnit else { return [] }
    return [
      DocumentDiagnostic(
        .warning, .otherTimeUnit, "the times look like \(unit.rawValue); they are read as milliseconds", file: file,
        help: "`jq -c '.\(member) |= (. \(unit.correction))'` makes milliseconds of them")
    ]
  }

  private func unreadableDecisions(in stream: ParityReport.Stream, of file: String) -> [DocumentDiagnostic] {
    guard let line = stream.firstUnreadableDecision else { return [] }
    return [
      DocumentDiagnostic(
        .warning, .unreadableDecision,
        "\(stream.unreadableDecisions.counted("line")) with a decision that is none; judged as if without",
        file: file,
        position: DocumentDiagnostic.Position(line: line, column: 1),
        help: "a decision is such as `12:both`; the article \u{201C}The wire format\u{201D} lists all forms")
    ]
  }

  private func conflicts(in file: String) -> [DocumentDiagnostic] {
    report.events.filter { $0.conflicting > 0 }.prefix(namedEvents).map { event in
      DocumentDiagnostic(
        .error, .conflictingRepeats,
        "`\(event.name)`: \(event.conflicting.counted("repeated line")) with another name or payload", file: file,
        notes: ["for example " + event.conflictingExamples.joined(separator: ", ")],
        help: "find what gives one id to two events; such pairs are not compared")
    }
  }

  private func finding(_ item: ParityJudgement.Item, file: String) -> DocumentDiagnostic {
    let isEvidence = item.verdict != .tooManyFailures
    return DocumentDiagnostic(
      .error, isEvidence ? .tooLittleEvidence : .failsParity, "`\(item.event.name)`: \(item.summary)", file: file,
      notes: item.event.placings + [capitals(in: item.event)].compactMap { $0 }
        + (isEvidence ? [] : ["an event name passes if \(judgement.gate)"]), help: help(for: item))
  }

  /// Ids are compared byte by byte. Apple's `UUID` writes upper case, most other libraries lower case.
  private func capitals(in event: EventParity) -> String? {
    guard event.pairs == 0, case .eventID = report.join else { return nil }
    return event.lostExamples.first(where: \.isUUIDWithCapitals).map {
      "ids are compared byte by byte, and `\($0.printable())` has upper-case letters: does the other stream use lower case?"
    }
  }

  /// Whether both streams have events, and no two of them have one id.
  private var joinsNothing: Bool {
    guard case .eventID = report.join else { return false }
    return report.old.lines > 0 && report.new.lines > 0 && report.total.pairs == 0
  }

  private func help(for item: ParityJudgement.Item) -> String {
    if item.verdict == .eventsCounted { return GateOptions.eventsHelp }
    if item.verdict != .tooManyFailures { return "record longer; 0% requires only that no failure is seen" }
    if item.event.withoutUnit > 0 { return "name the path of the unit in new payloads: --unit-key" }
    if let field = item.event.worstFields.first(where: { $0.counts[.typeChanged] > 0 }) {
      return
        "`\(field.path)` has another type in the new stream: give its row the `type` of the new one, such as `date` for a "
        + "time as text, and compare again"
    }
    if item.event.differing > 0 { return "correct its rows in the remapping table, and compare again" }
    if joinsNothing {
      return "no id of one stream is in the other: --id-key names the old event's parameter that has the new one's id "
        + "(`oldLoggerEventIDKey` of the adapter); without ids, --by-order joins by name, unit and time"
    }
    return report.membership.isRollout
      ? "check that both recordings are complete, and that --rollout names every revision of their time"
      : "if it belongs in one stream only, let the adapter carry its decision, or give the rollout document: --rollout"
  }

  private func brokenLines(
    in stream: ParityReport.Stream, of file: String, _ form: StreamForm
  ) -> [DocumentDiagnostic] {
    guard judgement.hasTooManyMalformed, stream.malformed > 0 else { return [] }
    var notes = ["an event has a name, an object of values, and a join key: \(report.join)"]
    if form == .legacy, case .eventID(nil) = report.join {
      notes.append(
        "an id in a parameter is named with --id-key (the adapter writes it with `oldLoggerEventIDKey`); without ids, "
          + "--by-order joins by name, unit and time")
    }
    notes.append("these lines were not compared; \(judgement.gate.allowance)")
    let lines = BrokenLines(
      file: file, form: form, join: "\(report.join)", format: formats[form == .legacy ? .old : .new])
    return [
      DocumentDiagnostic(
        .error, .brokenLines,
        "\(stream.malformed.grouped) of \(stream.lines.counted("line")) cannot be read as events", file: file,
        position: stream.malformedLines.first.map { DocumentDiagnostic.Position(line: $0, column: 1) },
        notes: lines.reasons(stream.malformedLines) + notes,
        help: "find out what broke them, or allow that many: --max-malformed")
    ]
  }
}

extension String {
  /// Whether this is a UUID with at least one of `A` to `F`.
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

// MARK: - Broken lines

/// Explains why lines of a stream are not events. Reads these lines again, so that a comparison need not store reasons.
struct BrokenLines {
  let file: String
  let form: StreamForm
  /// The join key, in words.
  let join: String
  /// How the lines were read; `nil` for our own form.
  var format: LineFormat?

  /// The reason for each line, in the order of the file.
  ///
  /// - Parameter numbers: lines counted from 1.
  func reasons(_ numbers: [Int]) -> [String] {
    let numbers = Set(numbers)
    guard let last = numbers.max() else { return [] }
    if file == "-" || FileManager.default.fileExists(atPath: file), !InputFile.isRegularFile(file) {
      return ["why is not known: \(file) can be read only once"]
    }
    var (reader, reasons): (RecordingReader, [String])
    do { (reader, reasons) = (try RecordingReader(URL(fileURLWithPath: file), format), []) } catch {
      return ["why is not known: \(file) cannot be read again: \(error.localizedDescription)"]
    }
    var number = 0
    let isDecoded = reader.decoder != nil
    while number < last,
      reader.withNextLine({ event in
        number = event.number
        guard numbers.contains(number), let reason = reason(event.line, isDecoded: isDecoded) else { return }
        reasons.append("line \(number): " + reason)
      })
    {}
    return reasons
  }

  /// Why a line is no event that can be compared; `nil` if it is one, as may be an event of a request.
  private func reason(_ line: Result<UnsafeBufferPointer<UInt8>, RecordedFault>, isDecoded: Bool) -> String? {
    let bytes: UnsafeBufferPointer<UInt8>
    switch line {
    case .success(let read): bytes = read
    case .failure(let fault): return fault.description
    }
    let value: EventValue
    do { value = try JSONReader().value(bytes) } catch {
      let column = SourceText(Array(bytes), name: nil).position(at: error.offset).column
      return "\(error.description), in column \(column)"
    }
    guard case .object(let members) = value else { return "expected an object, found \(value.typeName)" }
    let (name, values) = form == .legacy ? ("name", "parameters") : ("eventName", "payload")
    guard case .string(let text)? = members[name], !text.isEmpty else {
      return "`\(name)` is missing, empty or not a string"
    }
    if case .object = members[values] ?? [:] {} else { return "`\(values)` is not an object" }
    if isDecoded, members["eventId"] != nil { return nil }
    return "it has no join key: \(join)"
  }
}
