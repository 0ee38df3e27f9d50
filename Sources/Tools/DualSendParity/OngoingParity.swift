package import DualSend
package import DualSendCore

/// A comparison of events that an app observes, with a report available at any time.
///
/// Memory is bounded by the number of different events and fields, as for files.
package struct OngoingParity {
  private let comparer: ParityComparer
  private let payloads: PayloadComparer
  private let names: OldNames
  private var counts: ParityCounts

  package init(_ comparer: ParityComparer) {
    self.comparer = comparer
    payloads = PayloadComparer(comparer.normalisation)
    names = OldNames(comparer.table)
    counts = ParityCounts(comparer.table)
  }

  /// The report so far.
  package var report: ParityReport { counts.report(of: comparer) }

  /// The sum of all events, without fields. Fast enough for once per second.
  package var total: EventParity { counts.total }

  /// Compares and counts a pair.
  ///
  /// - Parameter membership: the streams in which the event belongs.
  /// - Returns: what it counts.
  @discardableResult
  package mutating func count(_ pair: ParitySampling.Pair, in membership: EventMembership) -> MatchVerdict {
    let (old, new) = (pair.old, pair.new)
    let remapped = comparer.table.apply(to: old.name, payload: old.payload)
    let tally = tally(ofPair: old.name)
    tally.countDelay(from: old.time, to: new.time)
    return tally.countPair(
      id: new.id.description, hasExpectedName: remapped.name.isExactly(new.name), in: membership
    ) { payloads.compare(expected: remapped.payload, actual: new.payload, visitor: &$0) }
  }

  /// Counts a pair that was not compared, because one payload is no longer available. It is judged only if a side of it is
  /// unexpected, whatever its payloads are.
  package mutating func countUncompared(named oldName: String, id: EventID, in membership: EventMembership) {
    tally(ofPair: oldName).count(MatchVerdict(uncomparedPair: membership), id: id.description)
  }

  /// Counts an event that only one stream has.
  package mutating func countUnpaired(
    _ side: StreamSide, named name: String, id: EventID, in membership: EventMembership
  ) {
    counts.countLines(of: side)
    counts.tally(oldName(of: name, side)).count(MatchVerdict(unpaired: side, membership), id: id.description)
  }

  /// Undoes ``countUnpaired(_:named:id:in:)``, because the event of the other side arrived late.
  package mutating func takeBackUnpaired(_ side: StreamSide, named name: String, in membership: EventMembership) {
    counts.countLines(-1, of: side)
    counts.tally(oldName(of: name, side)).count(MatchVerdict(unpaired: side, membership), by: -1, id: "")
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
