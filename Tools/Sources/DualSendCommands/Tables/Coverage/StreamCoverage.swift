import DualSend
import DualSendCommandLine
import DualSendParity
import DualSendRemapping

/// The coverage of a table by a stream of events.
enum StreamCoverage {
  /// The coverage, and the malformed lines. Does not depend on the number of threads.
  static func of(
    _ path: String, table: RemappingTable, places: TablePlaces, threads: Int, on terminal: Terminal
  ) throws -> (TableCoverage, MalformedLines) {
    let parts = try onThreads(threads) { share in
      try part(share, of: path, table: table, places: places, on: terminal)
    }
    return parts.dropFirst().reduce(into: parts[0]) { whole, part in
      whole.0 = whole.0.merged(with: part.0)
      whole.1.merge(part.1)
    }
  }

  private static func part(
    _ share: WorkShare, of path: String, table: RemappingTable, places: TablePlaces, on terminal: Terminal
  ) throws -> (TableCoverage, MalformedLines) {
    var count = CoverageCount(of: table)
    var shapes = KnownShapes()
    var lines = try LegacyLines(path, share: share)
    try lines.forEach(
      share.number == 0 ? "coverage" : nil, on: terminal, unless: { shapes.counts($0) }
    ) { line in
      if count.add(line.event.name, payload: line.event.parameters, line: line.number) { shapes.learn(line.event) }
    }
    for known in shapes.known.values where known.repeats > 0 {
      count.add(known.event.name, payload: known.event.parameters, times: known.repeats)
    }
    return (count.coverage(places), lines.malformed)
  }
}
