import DualSendCore

/// A compressed body that is joined from the bytes of runs as they are stored.
enum JoinedRuns {
  /// The JSON array of the events, compressed; `nil` if too few of them are in whole runs for it to pay.
  ///
  /// - Parameter minimumLength: the fewest bytes that are compressed at all.
  static func body(
    of events: [TrackingData], as format: Zlib.Format, longerThan minimumLength: Int
  ) -> [UInt8]? {
    guard events.reduce(1, { $0 + $1.bodyCount + 1 }) > minimumLength else { return nil }
    var segments = [DeflateSegment(storing: [UInt8(ascii: "[")])]
    let comma = DeflateSegment(storing: [UInt8(ascii: ",")])
    var (joined, loose) = (0, [UInt8]())
    func flush() -> Bool {
      guard !loose.isEmpty else { return true }
      guard let segment = DeflateSegment(compressing: loose) else { return false }
      if segments.count > 1 { segments.append(comma) }
      segments.append(segment)
      loose = []
      return true
    }
    var index = 0
    while index < events.count {
      if let run = wholeRun(at: index, in: events) {
        guard flush() else { return nil }
        if segments.count > 1 { segments.append(comma) }
        segments.append(run.segment)
        joined += run.count
        index += run.count
      } else {
        if !loose.isEmpty { loose.append(UInt8(ascii: ",")) }
        loose += events[index].body
        index += 1
      }
    }
    guard joined * 2 >= events.count, flush() else { return nil }
    segments.append(DeflateSegment(storing: [UInt8(ascii: "]")]))
    return DeflateSegment.joined(segments, as: format)
  }

  /// The run that begins at this index, if all of its events follow and it is long enough.
  private static func wholeRun(at index: Int, in events: [TrackingData]) -> EventRun? {
    guard let (run, first) = events[index].place, first == 0, run.count >= EventRun.leastEventsToJoin,
      index + run.count <= events.count, let end = events[index + run.count - 1].place, end.run === run,
      end.index == run.count - 1
    else { return nil }
    return run
  }
}

extension [TrackingData] {
  /// Without the first events of a run at the end, so that a batch has whole runs, if any events are left then.
  func withoutCutRun() -> [TrackingData] {
    guard let (run, index) = last?.place, index < run.count - 1, index + 1 < count else { return self }
    return Array(dropLast(index + 1))
  }
}
