import DualSend
@_spi(Tools) import DualSendCore
import DualSendJSONLines
@_spi(Tools) import DualSendRemapping
import Foundation

/// One comparison under way: what was counted so far.
struct ParityRun {
  /// The most events that are told apart; names beyond that are taken for data and share one entry.
  static let maximumEvents = 10_000
  /// What events beyond that are counted under.
  static let otherEvents = "(other events)"
  private static let linesPerProgress = 16_384
  /// How much text of equal pairs is learned from, over all events: memory stays bounded however many shapes there are.
  private static let maximumLearnedBytes = 4 << 20

  private let comparer: ParityComparer
  private let payloads: PayloadComparer
  private let keys: LineKeys
  /// Whether equal pairs may be known by their text: nothing but the table changes them, and nothing is ignored.
  private let knowsTexts: Bool
  private var learnedBytes = 0
  /// The old names by new name, for lines that only the new stream has; without new names that several events share.
  private let oldNames: [String: String]
  private var tallies: [ExactText: EventTally] = [:]
  /// The same by a hash of the old name's text, which is found sooner than the name itself.
  private var talliesByText: [JoinKey: EventTally] = [:]
  private var streams: (old: ParityReport.Stream, new: ParityReport.Stream) = (.init(), .init())
  private var progress = ParityProgress()

  init(comparer: ParityComparer, newForm: StreamForm) {
    self.comparer = comparer
    keys = LineKeys(comparer: comparer, newForm: newForm)
    payloads = PayloadComparer(ignoring: comparer.normalisation.ignored)
    knowsTexts =
      newForm == .wire && !comparer.normalisation.changesPayloads && comparer.normalisation.ignored.isEmpty
      && !comparer.join.stampsPayload
    let byNewName = Dictionary(grouping: comparer.table.rules.keys) { comparer.table.rule(for: $0).name ?? $0 }
    oldNames = byNewName.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  var report: ParityReport {
    var report = ParityReport(join: comparer.join)
    report.old = streams.old
    report.new = streams.new
    report.events = tallies.values.map(\.result).filter { !$0.isEmpty }
      .sorted { String.byteOrder($0.name, $1.name) }
    return report
  }

  // MARK: Reading

  mutating func read(
    _ file: URL, as side: StreamSide, into spill: PartitionedLines, _ report: (ParityProgress) -> Void
  ) throws {
    let keys = self.keys
    var lines = try LineReader(file)
    try lines.forEachLine { bytes, number, isCut in
      guard bytes.contains(where: { $0 > 0x20 }) else { return }
      count(side) { $0.lines += 1 }
      progress.linesRead += 1
      if progress.linesRead.isMultiple(of: Self.linesPerProgress) { report(progress) }
      guard !isCut, let line = EventLine(bytes, form: keys.form(of: side)), let key = keys.key(of: line, side) else {
        return countMalformed(side, number)
      }
      try spill.append(line, LineHeader(key: key, side: side, time: line.milliseconds ?? 0, line: number))
    }
    if let failure = lines.failure { throw failure }
  }

  // MARK: Comparing

  mutating func compare(_ partition: PartitionedLines.Partition, _ report: (ParityProgress) -> Void) throws {
    partition.bytes.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      LinePairing(partition.lines, rule: comparer.join).forEachMatch { match in
        func line(_ index: Int) -> (EventLine, LineHeader) {
          let (header, start) = partition.lines[index]
          let text = UnsafeBufferPointer(rebasing: bytes[start..<(start + header.length)])
          return (EventLine(text, places: header.places), header)
        }
        switch match {
        case .pair(let old, let new):
          countPair(line(old), line(new))
        case .alone(let one):
          if let event = event(line(one)) { tally(event.oldName).countAlone(event.side, id: event.id) }
        case .duplicate(let one):
          if let event = event(line(one)) { tally(event.oldName).countDuplicate(event.side) }
        }
      }
    }
    progress.linesCompared += partition.lines.count
    report(progress)
  }

  /// One line, read in full.
  private struct SideEvent {
    let side: StreamSide
    let id: String
    /// The name in the old stream, as far as it can be known.
    let oldName: String
    let newName: String
    /// The new payload: as it is, or as the table makes it.
    let payload: [String: EventValue]
  }

  /// Reads a line in full; counts it as malformed if that cannot be done.
  private mutating func event(_ read: (line: EventLine, header: LineHeader)) -> SideEvent? {
    let (line, header) = read
    guard let name = line.eventName, var payload = line.payload else {
      countMalformed(header.side, header.line)
      return nil
    }
    var id = line.eventID
    var newName = name
    if keys.form(of: header.side) == .legacy {
      if case .eventID(let parameter?) = comparer.join { id = payload.removeValue(forKey: parameter)?.text }
      let remapped = comparer.table.apply(to: name, payload: payload)
      (newName, payload) = (remapped.name, remapped.payload)
    }
    return SideEvent(
      side: header.side, id: id ?? (header.side == .old ? "old" : "new") + " line \(header.line)",
      oldName: keys.form(of: header.side) == .legacy ? name : oldNames[name] ?? name, newName: newName,
      payload: comparer.normalisation.apply(to: payload))
  }

  private mutating func countPair(_ old: (EventLine, LineHeader), _ new: (EventLine, LineHeader)) {
    if knowsTexts, let tally = tally(named: old.0), tally.countEqualPair(old: old.0, new: new.0) { return }
    let events = (event(old), event(new))
    guard let oldEvent = events.0, let newEvent = events.1 else {
      if let one = events.0 ?? events.1 { tally(one.oldName).countAlone(one.side, id: one.id) }
      return
    }
    let tally = tally(oldEvent.oldName)
    let isEqual = tally.countPair(id: oldEvent.id, hasExpectedName: oldEvent.newName.isExactly(newEvent.newName)) {
      fields in
      payloads.compare(expected: oldEvent.payload, actual: newEvent.payload, visitor: &fields)
    }
    if isEqual, knowsTexts, learnedBytes < Self.maximumLearnedBytes {
      learnedBytes += tally.learn(old: old.0, new: new.0, named: oldEvent.oldName, comparer.table)
    }
  }

  /// Counts a pair that was observed in an app.
  mutating func count(_ observation: ParitySampling.Pair) {
    count(.old) { $0.lines += 1 }
    count(.new) { $0.lines += 1 }
    let (old, new) = (observation.old, observation.new)
    let remapped = comparer.table.apply(to: old.name, payload: old.payload)
    tally(old.name).countPair(id: new.id.description, hasExpectedName: remapped.name.isExactly(new.name)) { fields in
      payloads.compare(
        expected: comparer.normalisation.apply(to: remapped.payload),
        actual: comparer.normalisation.apply(to: new.payload), visitor: &fields)
    }
  }

  /// The tally of a line's event; `nil` if its name cannot be read.
  private mutating func tally(named line: EventLine) -> EventTally? {
    guard let text = line.plainName else { return line.eventName.map { tally($0) } }
    var key = JoinKey()
    key.add(text)
    if let known = talliesByText[key] { return known }
    return line.eventName.map { name in
      let tally = tally(name)
      if talliesByText.count < Self.maximumEvents { talliesByText[key] = tally }
      return tally
    }
  }

  private mutating func tally(_ oldName: String) -> EventTally {
    if let known = tallies[ExactText(oldName)] { return known }
    let tally: EventTally
    if tallies.count < Self.maximumEvents {
      let rule = comparer.table.rule(for: oldName)
      tally = EventTally(name: oldName, newName: rule.name ?? oldName)
      tallies[ExactText(oldName)] = tally
    } else {
      let others = ExactText(Self.otherEvents)
      tally = tallies[others] ?? EventTally(name: Self.otherEvents, newName: Self.otherEvents)
      tallies[others] = tally
    }
    return tally
  }

  // MARK: Counting

  private mutating func count(_ side: StreamSide, _ change: (inout ParityReport.Stream) -> Void) {
    if side == .old { change(&streams.old) } else { change(&streams.new) }
  }

  private mutating func countMalformed(_ side: StreamSide, _ line: Int) {
    count(side) { stream in
      stream.malformed += 1
      let position = stream.malformedLines.firstIndex { $0 > line } ?? stream.malformedLines.count
      stream.malformedLines.insert(line, at: position)
      if stream.malformedLines.count > ParityReport.maximumExamples { stream.malformedLines.removeLast() }
    }
  }
}
