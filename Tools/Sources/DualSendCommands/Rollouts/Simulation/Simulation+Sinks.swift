import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

extension Simulation {
  /// One row per named sink, with the counted and the expected events; `nil` if the document names none.
  var sinkTable: TextTable? {
    if sinks.isEmpty { return nil }
    let seen = total.seen
    var table = TextTable([
      .words("sink"), .words("side"), .numbers("events"), .numbers("counted"), .numbers("expected"),
    ])
    for (sink, tally) in sinks {
      table.addRow([
        sink.id, sink.side.rawValue, tally.received.grouped, tally.received.percentage(of: seen),
        tally.expectedParts.percentage(of: seen * RolloutBucket.count),
      ])
    }
    return table
  }

  /// The same as JSON.
  var sinkJSON: EventValue? {
    if sinks.isEmpty { return nil }
    return .array(
      sinks.map { sink, tally in
        [
          "sink": .string(sink.id), "side": .string(sink.side.rawValue), "counted": .int(Int64(tally.received)),
          "expected": .double(Double(tally.expectedParts) / Double(RolloutBucket.count)),
        ]
      })
  }
}

/// The counted and the expected events of one named sink.
struct SinkTally {
  /// The number of events that the sink would have received.
  private(set) var received = 0
  /// The expected number of events, in parts of ``RolloutBucket/count``. Does not depend on the units.
  private(set) var expectedParts = 0

  mutating func add(_ isReceived: Bool, expecting parts: Int) {
    if isReceived { received += 1 }
    expectedParts += parts
  }
}
