import DualSendCore

/// Events that were committed together, compressed as one row.
///
/// A batch of whole runs is sent as it is stored: delivery joins the compressed bytes. An operation on some of a run's
/// events replaces the run by runs and rows of the others.
final class EventRun: Sendable {
  /// The most events in a run. Part of the file format: a row with more is damage.
  static let maximumEvents = 100
  /// The fewest events for which a run pays. A single event's row is smaller than its run.
  static let leastEvents = 4
  /// The fewest events in a run whose bytes are sent as they are. Shorter ones are compressed again together, because
  /// they would be half as long again on the wire.
  static let leastEventsToJoin = 20
  /// The most bytes of bodies in a run.
  private static let maximumBytes = 64 << 10

  struct Entry {
    let id: EventID
    let time: Int64
    let name: String
    /// The place of its body in the decompressed bytes.
    let body: Range<Int>
  }

  /// Consecutive events.
  struct Part {
    let events: ArraySlice<TrackingData>
    /// The run that holds them; `nil` if each has a row.
    let run: EventRun?
  }

  /// The bodies, with a comma between two.
  let segment: DeflateSegment
  let entries: [Entry]
  /// The decompressed bytes, as soon as one body is needed.
  private let plain = Locked<Result<[UInt8], Zlib.Failure>?>(nil)

  init(_ segment: DeflateSegment, _ entries: [Entry]) {
    self.segment = segment
    self.entries = entries
  }

  var count: Int { entries.count }

  /// In milliseconds since 1970-01-01T00:00:00Z.
  var oldestTime: Int64 { entries.lazy.map(\.time).min() ?? 0 }

  /// The bytes of the bodies, decompressed and without the commas.
  var bodyBytes: Int { segment.length - (count - 1) }

  /// The run's events.
  ///
  /// - Parameter last: the sequence of the last event.
  func events(last: Int64, attempts: Int = 0) -> [TrackingData] {
    entries.indices.map { index in
      TrackingData(
        sequence: last - Int64(entries.count - 1 - index), id: entries[index].id, time: entries[index].time,
        name: entries[index].name, content: .packed(self, index), attempts: attempts)
    }
  }

  /// A body; empty if the bodies cannot be decompressed.
  func body(_ index: Int) -> [UInt8] {
    guard case .success(let plain) = decompressed() else { return [] }
    return Array(plain[entries[index].body])
  }

  func bodyLength(_ index: Int) -> Int { entries[index].body.count }

  /// Throws if the bodies cannot be decompressed: there is no memory for it, or the blob is not the work of a tracker.
  func checkReadable() throws(Zlib.Failure) {
    _ = try decompressed().get()
  }

  private func decompressed() -> Result<[UInt8], Zlib.Failure> {
    plain.withLock { plain in
      if let plain { return plain }
      let result = Result { () throws(Zlib.Failure) in try segment.decompressed() }
      // Later there may be memory.
      if result != .failure(.outOfMemory) { plain = result }
      return result
    }
  }
}

extension EventRun {
  /// Splits events into runs.
  static func packed(_ events: [TrackingData]) -> [Part] {
    let bytes = events.reduce(0) { $0 + $1.bodyCount + 1 }
    guard events.count >= leastEvents,
      let compressor = DeflateSegment.Compressor(longest: min(bytes, maximumBytes + maximumEvents))
    else { return [Part(events: events[...], run: nil)] }
    var parts: [Part] = []
    // Runs of equal length, because a short one compresses worse.
    let runs = (events.count + maximumEvents - 1) / maximumEvents
    var rest = events[...]
    for run in 0..<runs {
      var part = rest.prefix(events.count * (run + 1) / runs - events.count * run / runs)
      rest = rest.dropFirst(part.count)
      while !part.isEmpty {
        var bytes = 0
        let fitting = part.prefix { event in
          bytes += event.bodyCount
          return bytes <= maximumBytes
        }
        let piece = part.prefix(max(1, fitting.count))
        parts.append(Part(events: piece, run: EventRun(piece, by: compressor)))
        part = part.dropFirst(piece.count)
      }
    }
    return parts
  }

  /// The events as a batch should have them: those of long runs as they are joined, all others with bodies of their own.
  ///
  /// - Parameter first: the sequence of the first event; the others follow it.
  static func asDelivered(_ parts: [Part], from first: Int64) -> [TrackingData] {
    var events: [TrackingData] = []
    events.reserveCapacity(parts.reduce(0) { $0 + $1.events.count })
    for part in parts {
      if let run = part.run, run.count >= leastEventsToJoin {
        events += run.events(last: first + Int64(events.count + run.count - 1))
      } else {
        for var event in part.events {
          event.sequence = first + Int64(events.count)
          events.append(event)
        }
      }
    }
    return events
  }

  /// `nil` if the events are too few, do not become shorter, or cannot share a row.
  private convenience init?(_ events: ArraySlice<TrackingData>, by compressor: borrowing DeflateSegment.Compressor) {
    guard events.count >= Self.leastEvents, let attempts = events.first?.attempts,
      events.allSatisfy({ $0.attempts == attempts && !$0.isDamaged })
    else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(events.reduce(0) { $0 + $1.bodyCount + 1 })
    var entries: [Entry] = []
    entries.reserveCapacity(events.count)
    for event in events {
      if !entries.isEmpty { plain.append(UInt8(ascii: ",")) }
      let start = plain.count
      plain += event.body
      guard plain.count > start else { return nil }
      entries.append(Entry(id: event.id, time: event.time, name: event.name, body: start..<plain.count))
    }
    guard let segment = compressor.segment(plain), segment.bytes.count + 32 * events.count < plain.count
    else { return nil }
    self.init(segment, entries)
  }

  /// The events of a run's row, oldest first; `nil` for impossible numbers.
  ///
  /// If the blob is damaged, they are marked so, and their ids, times, names and bodies are lost.
  ///
  /// - Parameters:
  ///   - blob: the row's body.
  ///   - checksum: the row's checksum.
  ///   - last: the row's sequence, which is that of the last event.
  ///   - count: the number of events that the row claims. Used only if the blob is damaged, because the checksum does
  ///     not cover it.
  ///   - attempts: how many requests with these events failed.
  static func events(
    of blob: UnsafeRawBufferPointer, checksum: Int64?, last: Int64, count: Int64?, attempts: Int
  ) -> [TrackingData]? {
    guard last > .min + Int64(maximumEvents) else { return nil }
    if checksum == BodyChecksum.of(blob), let run = EventRun(blob: blob) {
      return run.events(last: last, attempts: attempts)
    }
    guard let count, (1...Int64(maximumEvents)).contains(count) else { return nil }
    return (last - count + 1...last).map { sequence in
      TrackingData(
        sequence: sequence, id: EventID(high: 0, low: UInt64(bitPattern: sequence)), time: 0, name: "", body: [],
        attempts: attempts
      ).lost(bytes: 0)
    }
  }
}
