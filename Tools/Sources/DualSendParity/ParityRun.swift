import DualSend
import DualSendCore
import DualSendJSONLines
import DualSendRemapping
import Foundation

/// One comparison under way: what was counted so far.
struct ParityRun {
  /// The most events that are told apart; names beyond that are taken for data and share one entry.
  static let maximumEvents = 10_000
  /// What events beyond that are counted under.
  static let otherEvents = "(other events)"
  /// How much text of equal pairs is learned from, over all events: memory stays bounded however many shapes there are.
  private static let maximumLearnedBytes = 4 << 20

  private let comparer: ParityComparer
  private let payloads: PayloadComparer
  private let keys: LineKeys
  /// Whether equal pairs may be known by their text: nothing but the table changes them, and nothing is ignored.
  private let knowsTexts: Bool
  private var learnedBytes = 0
  private var stamps = StampReader()
  /// The old names that the table gives a new name, for lines that only the new stream has.
  private let oldNames: [ExactText: [String]]
  private var tallies: [ExactText: EventTally] = [:]
  /// The same by a hash of the old name's text, which is found sooner than the name itself.
  private var talliesByText: [TextHash: EventTally] = [:]
  private var streams: (old: ParityReport.Stream, new: ParityReport.Stream) = (.init(), .init())
  private var unreported = 0

  init(comparer: ParityComparer, newForm: StreamForm) {
    self.comparer = comparer
    keys = LineKeys(comparer: comparer, newForm: newForm)
    payloads = PayloadComparer(ignoring: comparer.normalisation.ignored)
    knowsTexts =
      newForm == .wire && !comparer.normalisation.changesPayloads && comparer.normalisation.ignored.isEmpty
      && !comparer.join.stampsPayload
    oldNames = Dictionary(grouping: comparer.table.rules.keys.sorted(by: String.byteOrder)) { old in
      ExactText(comparer.table.rule(for: old).name ?? old)
    }
  }

  var report: ParityReport {
    var report = ParityReport(join: comparer.join, membership: comparer.membership.summary)
    report.old = streams.old
    report.new = streams.new
    report.events = tallies.values.map(\.result).filter { !$0.isEmpty }
      .sorted { String.byteOrder($0.name, $1.name) }
    return report
  }

  /// The counts of all events together, without fields.
  var total: EventParity {
    tallies.values.reduce(into: EventParity(name: "total", newName: "total")) { $0.add($1.counts) }
  }

  // MARK: Reading

  mutating func read(
    _ file: URL, as side: StreamSide, into join: any LineJoin, _ meter: ProgressMeter
  ) throws {
    let keys = self.keys
    var lines = try LineReader(file)
    try lines.forEachLine { bytes, number, isCut in
      guard bytes.contains(where: { $0 > 0x20 }) else { return }
      count(side) { $0.lines += 1 }
      unreported += 1
      if unreported == ProgressMeter.step {
        meter.add(read: unreported)
        unreported = 0
      }
      guard !isCut, let line = EventLine(bytes, form: keys.form(of: side)), let key = keys.key(of: line, side) else {
        return countMalformed(side, number)
      }
      let header = LineHeader(key: key, side: side, time: keys.time(of: line), line: number)
      try join.add(LineRecord(line, header))
    }
    if let failure = lines.failure { throw failure }
    meter.add(read: unreported)
    unreported = 0
  }

  // MARK: Comparing

  mutating func count(_ match: LineMatch, _ meter: ProgressMeter) {
    guard isOfPeriod(match) else { return }
    switch match {
    case .pair(let old, let new):
      countPair(old, new)
      unreported += 2
    case .alone(let record):
      if let event = event(record) { countAlone(event) }
      unreported += 1
    case .duplicate(let record):
      if let name = readableName(record) { tally(name).countDuplicate(record.header.side) }
      unreported += 1
    }
    if unreported >= ProgressMeter.step {
      meter.add(compared: unreported)
      unreported = 0
    }
  }

  private func isOfPeriod(_ match: LineMatch) -> Bool {
    guard let period = comparer.period else { return true }
    let line =
      switch match {
      case .pair(let old, _): old.line
      case .alone(let record), .duplicate(let record): record.line
      }
    return line.milliseconds.map(period.contains) ?? false
  }

  /// One line, read in full.
  private struct SideEvent {
    let record: LineRecord
    let id: String
    let name: String
    let newName: String
    /// What the event's app decided; `nil` if the line does not say.
    let stamp: DecisionStamp?
    /// The new payload: as it is, or as the table makes it.
    let payload: [String: EventValue]
  }

  /// Reads a line in full; counts it as malformed if that cannot be done.
  private mutating func event(_ record: LineRecord) -> SideEvent? {
    let (line, header) = (record.line, record.header)
    guard let name = line.eventName, var payload = line.payload else {
      countMalformed(header.side, header.line)
      return nil
    }
    var id = line.eventID
    var newName = name
    var stamp = stamps.stamp(of: line)
    if keys.form(of: header.side) == .legacy {
      if case .eventID(let parameter?) = comparer.join {
        id = payload.removeValue(forKey: parameter)?.text
        let inPayload = StampReader.take(from: &payload)
        stamp = stamp ?? inPayload
      }
      let remapped = comparer.table.apply(to: name, payload: payload)
      (newName, payload) = (remapped.name, remapped.payload)
    }
    return SideEvent(
      record: record, id: id ?? "\(header.side.word) line \(header.line)", name: name, newName: newName, stamp: stamp,
      payload: payload)
  }

  /// The name in the old stream of an event that need not be read further; a line that is no event counts as malformed.
  private mutating func readableName(_ record: LineRecord) -> String? {
    guard let name = record.line.eventName, record.line.payload != nil else {
      countMalformed(record.header.side, record.header.line)
      return nil
    }
    return oldName(of: name, record.header.side)
  }

  /// The name in the old stream, as far as it can be known.
  private func oldName(of name: String, _ side: StreamSide) -> String {
    guard keys.form(of: side) == .wire, let names = oldNames[ExactText(name)], names.count == 1 else { return name }
    return names[0]
  }

  private mutating func countAlone(_ event: SideEvent) {
    let side = event.record.header.side
    let names = keys.form(of: side) == .wire ? oldNames[ExactText(event.name)] ?? [event.name] : [event.name]
    tally(oldName(of: event.name, side)).countAlone(
      side, id: event.id,
      in: comparer.membership.ofLone(
        side, event.record, stamp: event.stamp, names: names, payload: event.payload))
  }

  private mutating func countPair(_ old: LineRecord, _ new: LineRecord) {
    if knowsTexts, let tally = tally(named: old.line), tally.countEqualPair(old: old.line, new: new.line) {
      let stamps = (stamps.stamp(of: old.line), stamps.stamp(of: new.line))
      tally.place(
        pairIn: comparer.membership.ofPair(named: tally.name, old, new, stamps: stamps),
        id: { old.line.eventID ?? "" })
      return
    }
    let events = (event(old), event(new))
    guard let oldEvent = events.0, let newEvent = events.1 else {
      if let one = events.0 ?? events.1 { countAlone(one) }
      return
    }
    let tally = tally(oldEvent.name)
    let normalisation = comparer.normalisation
    let isEqual = tally.countPair(
      id: oldEvent.id, hasExpectedName: oldEvent.newName.isExactly(newEvent.newName),
      in: comparer.membership.ofPair(named: oldEvent.name, old, new, stamps: (oldEvent.stamp, newEvent.stamp))
    ) { fields in
      payloads.compare(
        expected: normalisation.apply(to: oldEvent.payload), actual: normalisation.apply(to: newEvent.payload),
        visitor: &fields)
    }
    if isEqual, knowsTexts, learnedBytes < Self.maximumLearnedBytes {
      learnedBytes += tally.learn(old: old.line, new: new.line, named: oldEvent.name, comparer.table)
    }
  }

  /// Counts a pair that was observed in an app; `true` if it is equal.
  @discardableResult
  mutating func count(_ observation: ParitySampling.Pair, in membership: EventMembership = .both) -> Bool {
    count(.old) { $0.lines += 1 }
    count(.new) { $0.lines += 1 }
    let (old, new) = (observation.old, observation.new)
    let remapped = comparer.table.apply(to: old.name, payload: old.payload)
    return tally(old.name).countPair(
      id: new.id.description, hasExpectedName: remapped.name.isExactly(new.name), in: membership
    ) { fields in
      payloads.compare(
        expected: comparer.normalisation.apply(to: remapped.payload),
        actual: comparer.normalisation.apply(to: new.payload), visitor: &fields)
    }
  }

  /// Counts a pair of which one payload is no longer there to be compared.
  mutating func countUncompared(named oldName: String, id: EventID, in membership: EventMembership) {
    count(.old) { $0.lines += 1 }
    count(.new) { $0.lines += 1 }
    tally(oldName).countPair(id: id.description, hasExpectedName: true, in: membership) { _ in }
  }

  /// Counts an event that came by itself and of which only one stream has anything.
  mutating func countAlone(_ side: StreamSide, named name: String, id: EventID, in membership: EventMembership) {
    count(side) { $0.lines += 1 }
    tally(oldName(of: name, side)).countAlone(side, id: id.description, in: membership)
  }

  /// Takes back what was counted of an event whose other side came late.
  mutating func takeBackAlone(_ side: StreamSide, named name: String, in membership: EventMembership) {
    count(side) { $0.lines -= 1 }
    tally(oldName(of: name, side)).takeBackAlone(side, in: membership)
  }

  /// The old names that the table gives this new one; itself where the table has none.
  func oldNames(of newName: String) -> [String] {
    oldNames[ExactText(newName)] ?? [newName]
  }

  /// The tally of a line's event; `nil` if its name cannot be read.
  private mutating func tally(named line: EventLine) -> EventTally? {
    guard let text = line.plainName else { return line.eventName.map { tally($0) } }
    var key = TextHash()
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
