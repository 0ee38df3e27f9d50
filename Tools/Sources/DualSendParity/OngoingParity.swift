package import DualSend
package import DualSendCore

/// A comparison that goes on: events are judged as they come, and its report can be asked for at any time.
///
/// Memory is bounded as it is for files: by the number of different events and fields.
package struct OngoingParity {
  private var run: ParityRun

  package init(_ comparer: ParityComparer) {
    run = ParityRun(comparer: comparer, newForm: .wire)
  }

  /// What was counted so far.
  package var report: ParityReport { run.report }

  /// The counts of all events together, without fields: cheap enough to be asked for every second.
  package var total: EventParity { run.total }

  /// Counts a pair.
  ///
  /// - Parameter membership: in which streams the event belongs.
  /// - Returns: whether the new event is what the table makes of the old one.
  package mutating func count(_ pair: ParitySampling.Pair, in membership: EventMembership) -> Bool {
    run.count(pair, in: membership)
  }

  /// Counts a pair of which one payload is no longer there to be compared: it passes as equal.
  package mutating func countUncompared(named oldName: String, id: EventID, in membership: EventMembership) {
    run.countUncompared(named: oldName, id: id, in: membership)
  }

  /// Counts an event that only one stream has.
  package mutating func countAlone(_ side: StreamSide, named name: String, id: EventID, in membership: EventMembership)
  {
    run.countAlone(side, named: name, id: id, in: membership)
  }

  /// Takes back what ``countAlone(_:named:id:in:)`` counted: the other side came late.
  package mutating func takeBackAlone(_ side: StreamSide, named name: String, in membership: EventMembership) {
    run.takeBackAlone(side, named: name, in: membership)
  }

  /// The old names that the table gives this new one; itself where the table has none.
  package func oldNames(of newName: String) -> [String] {
    run.oldNames(of: newName)
  }
}
