import DualSendCore

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
        let name = cursor.number(), name < names.count, let step = cursor.leb128(), let length = cursor.number()
      else { return nil }
      time &+= Int64(bitPattern: step >> 1) ^ -Int64(step & 1)
      // After the comma.
      let start = end + 1
      end = start + length
      entries.append(Entry(id: id, time: time, name: names[name], body: start..<end))
    }
    // Deflate expands a byte to at most 1,032 (zlib's technical details). More would ask for any amount of memory.
    guard end <= 1032 * cursor.rest.count else { return nil }
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
    leb128().flatMap { $0 <= 1 << 31 ? Int($0) : nil }
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
