import DualSendCommandLine

/// The properties of a line that a join needs.
struct LineHeader: BitwiseCopyable {
  let key: TextHash
  /// Milliseconds since 1970.
  let time: Int64
  /// From 1.
  let line: Int
  var places = EventLine.Places()
  private(set) var length: UInt32 = 0
  let side: StreamSide

  init(key: TextHash, side: StreamSide, time: Int64, line: Int) {
    (self.key, self.side, self.time, self.line) = (key, side, time, line)
  }

  /// What examples name in place of an id.
  var place: String { "\(side.word) line \(line)" }

  fileprivate mutating func take(_ line: EventLine) {
    places = line.places
    length = UInt32(truncatingIfNeeded: line.bytes.count)
  }
}

/// A line and its header, serialised as the header's bytes followed by the text.
struct LineRecord {
  private static let headerBytes = MemoryLayout<LineHeader>.size

  let header: LineHeader
  let line: EventLine

  /// - Parameter header: its places and length are set from the line.
  init(_ line: EventLine, _ header: LineHeader) {
    var header = header
    header.take(line)
    (self.header, self.line) = (header, line)
  }

  /// The record at an offset, without copying; `nil` if it is incomplete.
  init?(in bytes: UnsafeRawBufferPointer, at start: Int) {
    let textStart = start + Self.headerBytes
    guard textStart <= bytes.count else { return nil }
    header = bytes.loadUnaligned(fromByteOffset: start, as: LineHeader.self)
    let textEnd = textStart + Int(header.length)
    guard textEnd <= bytes.count else { return nil }
    let text = UnsafeRawBufferPointer(rebasing: bytes[textStart..<textEnd]).bindMemory(to: UInt8.self)
    line = EventLine(text, places: header.places)
  }

  /// Identifies the texts of the name and the payload, by which a repeated line is told from another event of the same id.
  var content: UInt64 {
    var hash = TextHash()
    for place in [line.places.name, line.places.values] {
      hash.add(UnsafeBufferPointer(rebasing: line.bytes[place.range ?? 0..<0]))
    }
    return hash.low
  }

  /// Orders the lines of a side with one id, whatever their order in the file. A line that is broken comes last.
  var rank: Int64 {
    var hash = TextHash()
    hash.add(line.bytes)
    return Int64(hash.low >> 2) | (isBroken ? 1 << 62 : 0)
  }

  /// Whether nothing but the id can be read.
  var isBroken: Bool { line.places.name.range == nil }

  var byteCount: Int { Self.headerBytes + line.bytes.count }

  /// - Parameter target: has room for ``byteCount`` bytes.
  func write(to target: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes(of: header) { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<Self.headerBytes])) }
    UnsafeMutableRawBufferPointer(rebasing: target[Self.headerBytes...]).copyMemory(
      from: UnsafeRawBufferPointer(line.bytes))
  }

  func write(to arena: ByteArena) {
    arena.append(byteCount) { write(to: $0) }
  }

  func write(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: header) { bytes.append(contentsOf: $0[..<Self.headerBytes]) }
    bytes.append(contentsOf: line.bytes)
  }

  /// Calls `body` with each record.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (LineRecord) throws -> Void) rethrows {
    var position = 0
    while let record = LineRecord(in: bytes, at: position) {
      try body(record)
      position += record.byteCount
    }
  }
}

// MARK: - Byte arena

/// A reusable, growing byte buffer.
final class ByteArena {
  private var storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    storage.deallocate()
  }

  /// The bytes written. Valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

  /// Appends bytes that `fill` writes.
  func append(_ byteCount: Int, by fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    reserve(byteCount)
    try fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + byteCount)]))
    count += byteCount
  }

  func removeAll() {
    count = 0
  }

  /// Removes the first bytes and moves the rest to the front.
  func removeFirst(_ byteCount: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: storage[byteCount..<count])
    storage.copyMemory(from: rest)
    count = rest.count
  }

  private func reserve(_ byteCount: Int) {
    guard count + byteCount > storage.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(2 * storage.count, count + byteCount), alignment: 16)
    larger.copyMemory(from: bytes)
    storage.deallocate()
    storage = larger
  }
}
