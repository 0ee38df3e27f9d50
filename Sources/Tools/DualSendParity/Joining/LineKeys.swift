import DualSendCommandLine
package import DualSendCore
import DualSendRemapping
import Foundation

/// Reads lines, and computes the keys by which they are joined.
struct LineKeys {
  let join: JoinRule
  /// Maps old names to new ones in a join by order; `nil` for a join by id.
  let table: RemappingTable?
  var newForm = StreamForm.wire
  /// How the lines of each side become lines of its form; a side without an entry has it already.
  var formats: [StreamSide: LineFormat] = [:]
  /// Ignores a last line without a line feed that is not an event: it is still being written.
  var ignoresUnfinishedLine = false

  /// Whether the lines of an id are sorted by their rank, as ``IDJoin`` chooses them.
  var sortsRepeats = false

  func form(of side: StreamSide) -> StreamForm {
    side == .old ? .legacy : newForm
  }

  /// Collects the lines of a stream's files.
  ///
  /// - Returns: the number of lines, and those that are malformed or have no key.
  func read(
    _ files: [URL], as side: StreamSide, into lines: inout some LineCollector, _ meter: ProgressMeter? = nil
  ) throws -> ParityReport.Stream {
    var stream = ParityReport.Stream()
    for file in files { stream.merge(try read(file, as: side, into: &lines, meter)) }
    return stream
  }

  /// Collects the lines of a file.
  ///
  /// - Returns: the number of lines, and those that are malformed or have no key.
  func read(
    _ file: URL, as side: StreamSide, into lines: inout some LineCollector, _ meter: ProgressMeter? = nil
  ) throws -> ParityReport.Stream {
    var reader = try RecordingReader(file, formats[side])
    return try read(&reader, as: side, into: &lines, after: 0, meter).stream
  }

  /// Collects the lines of an open file.
  ///
  /// - Parameter before: the number of lines to pass over.
  /// - Returns: the stream, and the bytes of a last line that was ignored.
  func read(
    _ reader: inout RecordingReader, as side: StreamSide, into lines: inout some LineCollector,
    after before: Int = 0, _ meter: ProgressMeter? = nil
  ) throws -> (stream: ParityReport.Stream, ignoredBytes: Int) {
    var stream = ParityReport.Stream()
    // The newest malformed line is counted last: it may be the unfinished one.
    var malformed: Int?
    var (last, knowsUnit) = (0, false)
    var decisions = DecisionReader()
    try reader.forEach { event in
      guard event.number > before else { return }
      last = event.number
      let bytes = try? event.line.get()
      if let bytes, !bytes.contains(where: { $0 > 0x20 }) { return }
      stream.lines += 1
      if stream.lines.isMultiple(of: ProgressMeter.step) { meter?.add(read: ProgressMeter.step) }
      guard let record = bytes.flatMap({ record($0, as: side, number: event.ordinal) }) else {
        malformed.map { stream.countMalformed($0) }
        malformed = event.number
        return
      }
      if !knowsUnit, let time = record.line.milliseconds {
        (knowsUnit, stream.otherUnit) = (true, ParityReport.TimeUnit(of: time))
      }
      if decisions.isUnreadable(in: record.line) { stream.countUnreadableDecision(event.number) }
      try lines.append(record)
    }
    if let failure = reader.failure { throw failure }
    meter?.add(read: stream.lines % ProgressMeter.step)
    guard let malformed else { return (stream, 0) }
    if ignoresUnfinishedLine, reader.isUnfinished, malformed == last {
      stream.lines -= 1
      return (stream, reader.unfinishedBytes)
    }
    stream.countMalformed(malformed)
    return (stream, 0)
  }

  /// The record of a line; `nil` if the line has no key. A malformed line may have one.
  func record(_ bytes: UnsafeBufferPointer<UInt8>, as side: StreamSide, number: Int) -> LineRecord? {
    let whole = EventLine(bytes, form: form(of: side))
    guard let line = whole ?? (ignoresUnfinishedLine ? nil : EventLine(brokenIn: bytes)), let key = key(of: line, side)
    else { return nil }
    let record = LineRecord(line, LineHeader(key: key, side: side, time: time(of: line), line: number))
    guard sortsRepeats, case .eventID = join else { return record }
    return LineRecord(line, LineHeader(key: key, side: side, time: record.rank, line: number))
  }

  /// In milliseconds since 1970; 0 if it is unknown, or the join does not use it.
  private func time(of line: EventLine) -> Int64 {
    if case .order = join { return line.milliseconds ?? 0 }
    return 0
  }

  /// The key of a line; `nil` if it lacks what the key consists of.
  private func key(of line: EventLine, _ side: StreamSide) -> TextHash? {
    let isLegacy = form(of: side) == .legacy
    var key = TextHash()
    switch join {
    case .eventID(let parameter?) where isLegacy:
      guard case .string(let id)? = line.payload?.value(exactly: parameter) else { return nil }
      key.add(id)
    case .eventID:
      guard let id = line.rawEventID else { return nil }
      key.add(id)
    case .order(let unit, _):
      guard let name = line.eventName else { return nil }
      key.add(isLegacy ? table?.rule(for: name).name ?? name : name)
      // Events without a unit are joined with each other.
      guard let unit else { break }
      if let id = isLegacy ? line.unitID : line.payload.flatMap({ unit.value(in: $0)?.unitID }) { key.add(id) }
    }
    return key
  }
}

extension EventValue {
  /// The value as a unit's id; `nil` if it is `null` or empty.
  var unitID: String? {
    if case .null = self { return nil }
    return text.isEmpty ? nil : text
  }

  /// The text of a string; canonical JSON for other values.
  package var text: String {
    if case .string(let text) = self { return text }
    return canonicalText
  }
}
