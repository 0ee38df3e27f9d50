package import DualSend
import DualSendCommandLine
package import DualSendCore

/// A comparison of events that an app observes, with a report available at any time.
///
/// Memory is bounded by the number of different events and fields, as for files, and by ``maximumUnits``.
package struct OngoingParity {
  /// The most units, over all events, at about 60 bytes each. Events of further ones count as events without a unit.
  private static let maximumUnits = 500_000

  /// The units of one event, from which an event can be taken back.
  private struct Units {
    var totals = UnitTotals()
    var events: [UInt64: (judged: Int32, failing: Int32)] = [:]
  }

  private let comparer: ParityComparer
  private let payloads: PayloadComparer
  private let names: OldNames
  private var counts: ParityCounts
  private var units: [ExactText: Units] = [:]
  private var unitCount = 0

  package init(_ comparer: ParityComparer) {
    self.comparer = comparer
    payloads = PayloadComparer(comparer.normalisation)
    names = OldNames(comparer.table)
    counts = ParityCounts(comparer.table)
  }

  /// The report so far.
  package var report: ParityReport {
    var report = counts.report(of: comparer)
    for index in report.events.indices {
      report.events[index].savedTotals = units[ExactText(report.events[index].name)]?.totals
    }
    return report
  }

  /// The sum of all events, without fields. Fast enough for once per second.
  package var total: EventParity { counts.total }

  /// Compares and counts a pair.
  ///
  /// - Parameters:
  ///   - unit: `nil` if the event's unit is unknown, or if it has none.
  ///   - membership: the streams in which the event belongs.
  /// - Returns: what it counts.
  @discardableResult
  package mutating func count(
    _ pair: ParitySampling.Pair, of unit: String? = nil, in membership: EventMembership
  ) -> MatchVerdict {
    let (old, new) = (pair.old, pair.new)
    let remapped = comparer.table.apply(to: old.name, payload: old.payload)
    let tally = tally(ofPair: old.name)
    tally.countDelay(from: old.time, to: new.time)
    let verdict = tally.countPair(
      id: new.id.description, hasExpectedName: remapped.name.isExactly(new.name), in: membership
    ) { payloads.compare(expected: remapped.payload, actual: new.payload, visitor: &$0) }
    sample(verdict, of: unit, named: tally.name)
    return verdict
  }

  /// Counts a pair that was not compared, because one payload is no longer available. It is judged only if a side of it is
  /// unexpected, whatever its payloads are.
  package mutating func countUncompared(
    named oldName: String, id: EventID, of unit: String? = nil, in membership: EventMembership
  ) {
    let tally = tally(ofPair: oldName)
    sample(
      tally.count(MatchVerdict(uncomparedPair: membership), id: id.description), of: unit, named: tally.name)
  }

  /// Counts an event that only one stream has.
  package mutating func countUnpaired(
    _ side: StreamSide, named name: String, id: EventID, of unit: String? = nil, in membership: EventMembership
  ) {
    counts.countLines(of: side)
    let tally = counts.tally(oldName(of: name, side))
    sample(
      tally.count(MatchVerdict(unpaired: side, membership), id: id.description), of: unit, named: tally.name)
  }

  /// Undoes ``countUnpaired(_:named:id:of:in:)`` with the same unit, because the event of the other side arrived late.
  package mutating func takeBackUnpaired(
    _ side: StreamSide, named name: String, of unit: String? = nil, in membership: EventMembership
  ) {
    counts.countLines(-1, of: side)
    let tally = counts.tally(oldName(of: name, side))
    sample(
      tally.count(MatchVerdict(unpaired: side, membership), by: -1, id: ""), of: unit, named: tally.name, by: -1)
  }

  /// Adds a judged event to its unit, which fails while one of its events does.
  private mutating func sample(_ verdict: MatchVerdict, of unit: String?, named name: String, by step: Int32 = 1) {
    guard verdict.contains(.judged) else { return }
    let name = ExactText(name)
    let known = unit.map { TextHash($0).low }
    guard let unit = known, units[name]?.events[unit] != nil || step > 0 && unitCount < Self.maximumUnits else {
      units[name, default: Units()].totals.withoutUnit += Int(step)
      return
    }
    var sums = units[name]?.events[unit] ?? (0, 0)
    let before = sums
    sums.judged += step
    if verdict.contains(.failingBeforeNoise) { sums.failing += step }
    func change(_ before: Int32, _ after: Int32) -> Int { (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0) }
    units[name, default: Units()].totals.judged += change(before.judged, sums.judged)
    units[name]?.totals.failing += change(before.failing, sums.failing)
    units[name]?.events[unit] = sums.judged > 0 ? sums : nil
    unitCount += change(before.judged, sums.judged)
  }

  /// The old names of a new name; the name itself if the table has none.
  package func oldNames(of newName: String) -> [String] { names[newName].all }

  private func oldName(of name: String, _ side: StreamSide) -> String {
    side == .old ? name : names[name].single
  }

  private mutating func tally(ofPair oldName: String) -> EventTally {
    counts.countLines(of: .old)
    counts.countLines(of: .new)
    return counts.tally(oldName)
  }
}
