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
    if let checksum, BodyChecksum.body(in: checksum) == BodyChecksum.of(blob), let run = EventRun(blob: blob) {
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

// MARK: - Bytes

// The blob of a run, with numbers as LEB128: the number of events; the CRC-32 and the Adler-32 of the decompressed
// bytes, four bytes each; the number of different names, and each with its length; for each event its id of 16 bytes,
// its name's index, its time less the one before (zigzag) and its body's length; then the segment.

extension EventRun {
  /// The blob of the run's row.
  var blob: [UInt8] {
    // By bytes: two spellings of one text are two names.
    var indices: [ExactText: Int] = [:]
    var names: [UInt8] = []
    var rows: [UInt8] = []
    rows.reserveCapacity(entries.count * 22)
    var time: Int64 = 0
    var (lastName, lastIndex) = ("", -1)
    for entry in entries {
      if lastIndex < 0 || !entry.name.isExactly(lastName) {
        let name = ExactText(entry.name)
        if let known = indices[name] {
          lastIndex = known
        } else {
          lastIndex = indices.count
          indices[name] = lastIndex
          names.append(leb128: UInt64(entry.name.utf8.count))
          names += entry.name.utf8
        }
        lastName = entry.name
      }
      entry.id.withBlob { rows += $0 }
      rows.append(leb128: UInt64(lastIndex))
      let step = entry.time &- time
      rows.append(leb128: UInt64(bitPattern: step << 1 ^ step >> 63))
      time = entry.time
      rows.append(leb128: UInt64(entry.body.count))
    }
    var blob: [UInt8] = []
    blob.reserveCapacity(names.count + rows.count + segment.bytes.count + 16)
    blob.append(leb128: UInt64(entries.count))
    for sum in [segment.crc32, segment.adler32] { withUnsafeBytes(of: sum.littleEndian) { blob += $0 } }
    blob.append(leb128: UInt64(indices.count))
    blob += names
    blob += rows
    blob += segment.bytes
    return blob
  }

  /// Reads a row's blob; `nil` if it is not one that ``blob`` wrote.
  convenience init?(blob: UnsafeRawBufferPointer) {
    var cursor = BlobCursor(blob)
    guard let count = cursor.number(), (1...Self.maximumEvents).contains(count), let crc32 = cursor.checksum(),
      let adler32 = cursor.checksum(), let nameCount = cursor.number(), (1...count).contains(nameCount)
    else { return nil }
    var names: [String] = []
    for _ in 0..<nameCount {
      guard let length = cursor.number(), let name = cursor.take(length) else { return nil }
      names.append(String(decoding: name, as: UTF8.self))
    }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    var time: Int64 = 0
    var end = -1
    for _ in 0..<count {
      guard let id = cursor.take(16).flatMap({ EventID(blob: UnsafeRawBufferPointer(rebasing: $0[...])) }),
        let name = cursor.number(), name < names.count, let step = cursor.leb128(), let length = cursor.number(),
        length <= Self.maximumBytes + Self.maximumEvents
      else { return nil }
      time &+= Int64(bitPattern: step >> 1) ^ -Int64(step & 1)
      // After the comma.
      let start = end + 1
      end = start + length
      guard end <= Self.maximumBytes + Self.maximumEvents else { return nil }
      entries.append(Entry(id: id, time: time, name: names[name], body: start..<end))
    }
    // Deflate expands a byte to at most 1,032 (zlib's technical details). More would ask for any amount of memory.
    guard (end + 1031) / 1032 <= cursor.rest.count else { return nil }
    self.init(
      DeflateSegment(bytes: Array(cursor.rest), length: end, crc32: crc32, adler32: adler32), entries)
  }
}

/// Reads a blob from its start; every method returns `nil` at its end.
private struct BlobCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  mutating func leb128() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// A length or an index. Longer ones than SQLite's longest blob are damage.
  mutating func number() -> Int? {
    leb128().flatMap { Int32(exactly: $0).map { Int($0) } }
  }

  mutating func checksum() -> UInt32? {
    take(4).map { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
  }
}

extension [UInt8] {
  /// Little-endian base 128: seven bits a byte, the upper bit set in all but the last.
  fileprivate mutating func append(leb128 number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
