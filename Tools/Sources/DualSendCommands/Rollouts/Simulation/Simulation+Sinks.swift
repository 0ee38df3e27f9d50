import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

extension Simulation {
  /// One row a named sink: what was counted beside what is to be expected; `nil` if the document names none.
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

  /// The same for a program; `expected` counts events too.
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
