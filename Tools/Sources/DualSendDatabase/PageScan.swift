import DualSendTracking
import Foundation

/// Finds events by scanning all pages, for a database whose structure SQLite cannot read.
///
/// Accepts everything that looks like an event row with an undamaged body. This may include events that were already
/// delivered, because SQLite does not overwrite freed pages.
struct PageScan {
  /// The largest row in bytes; a larger one is damaged.
  private static let longestRow: Int64 = 32 << 20

  private let images: PageImages

  init?(_ file: URL) {
    guard let images = PageImages(file) else { return nil }
    self.images = images
  }

  /// Calls `body` once for each event, in page order. Returns how often it answered `true`.
  func events(_ body: (TrackingData) throws -> Bool) throws -> Int {
    var seen: Set<Int64> = []
    var taken = 0
    for number in images.numbers {
      guard let page = images[number] else { continue }
      for event in events(of: page, isFirst: number == 1) where seen.insert(event.sequence).inserted {
        if try body(event) { taken += 1 }
      }
    }
    return taken
  }

  /// The rows of a table's leaf page (SQLite file format, section 1.6).
  private func events(of page: Data, isFirst: Bool) -> [TrackingData] {
    let header = isFirst ? 100 : 0
    guard BigEndian.number(page, header, bytes: 1) == 0x0D else { return [] }
    return (0..<min(BigEndian.number(page, header + 3, bytes: 2), page.count / 2)).flatMap { index in
      row(at: BigEndian.number(page, header + 8 + 2 * index, bytes: 2), of: page)
    }
  }

  private func row(at start: Int, of page: Data) -> [TrackingData] {
    var cursor = RecordCursor(page, at: start)
    guard let length = cursor.varint(), let sequence = cursor.varint(), (0...Self.longestRow).contains(length),
      let payload = payload(Int(length), at: cursor.offset, of: page)
    else { return [] }
    return EventRecord.events(payload, sequence: sequence)
  }

  /// A row's bytes, including its overflow pages.
  private func payload(_ length: Int, at start: Int, of page: Data) -> Data? {
    let size = images.pageSize
    let most = size - 35
    let least = (size - 12) * 32 / 255 - 23
    let share = least + (length - least) % (size - 4)
    let local = length <= most ? length : share <= most ? share : least
    guard start >= 0, start + local <= page.count else { return nil }
    var bytes = page[page.startIndex + start..<page.startIndex + start + local]
    var next = local < length ? BigEndian.number(page, start + local, bytes: 4) : 0
    while bytes.count < length {
      guard next > 0, let overflow = images[next] else { return nil }
      next = BigEndian.number(overflow, 0, bytes: 4)
      bytes += overflow.dropFirst(4).prefix(length - bytes.count)
    }
    return Data(bytes)
  }
}

/// Reads the parts of a record.
struct RecordCursor {
  private let bytes: Data
  private(set) var offset: Int

  init(_ bytes: Data, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// An integer of one to nine bytes in SQLite's varint format; `nil` at the end.
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      let position = bytes.startIndex + offset
      guard offset >= 0, position < bytes.endIndex else { return nil }
      let byte = UInt64(bytes[position])
      offset += 1
      if index == 8 { return Int64(bitPattern: value << 8 | byte) }
      value = value << 7 | byte & 0x7F
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// The next bytes; `nil` if there are too few.
  mutating func take(_ count: Int) -> Data? {
    guard count >= 0, offset + count <= bytes.count else { return nil }
    defer { offset += count }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }
}
