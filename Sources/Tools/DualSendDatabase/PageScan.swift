import DualSendCore
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

  init?(_ file: URL) throws {
    guard let images = try PageImages(file) else { return nil }
    self.images = images
  }

  /// Calls `body` once for each event, in page order. Returns how often it answered `true`.
  func events(_ body: (TrackingData) throws -> Bool) throws -> Int {
    // By id: a damaged row may have another one's sequence.
    var seen: Set<EventID> = []
    var taken = 0
    for number in images.numbers {
      guard let page = images[number] else { continue }
      for event in events(of: page, isFirst: number == 1) where seen.insert(event.id).inserted {
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

// MARK: - Event record

/// Reads a row of the event table in SQLite's record format (file format, section 2.1).
enum EventRecord {
  private typealias Value = StoreFormat.Value

  /// The undamaged events of the row; empty if the bytes are not such a row or it is damaged.
  static func events(_ record: Data, sequence: Int64) -> [TrackingData] {
    guard let values = values(of: record), values.count == EventColumn.allCases.count,
      case .null = values[EventColumn.sequence.index], case .number = values[EventColumn.storedAt.index],
      case .number(let size) = values[EventColumn.bytes.index],
      let row = StoreFormat.EventRow({ $0 == .sequence ? .number(sequence) : values[$0.index] })
    else { return [] }
    if !row.id.isEmpty, Int64(row.body.count) != size { return [] }
    return row.events?.filter { !$0.isDamaged } ?? []
  }

  private static func values(of record: Data) -> [Value]? {
    var types = RecordCursor(record, at: 0)
    guard let headerLength = types.varint(), headerLength > 0, headerLength <= 64 else { return nil }
    var content = RecordCursor(record, at: Int(headerLength))
    var values: [Value] = []
    while types.offset < headerLength {
      guard let type = types.varint(), let value = value(type, &content) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value(_ type: Int64, _ content: inout RecordCursor) -> Value? {
    switch type {
    case 0: return .null
    case 1...6:
      guard let bytes = content.take([1, 2, 3, 4, 6, 8][Int(type) - 1]), let first = bytes.first else { return nil }
      return .number(bytes.reduce(first < 0x80 ? 0 : -1) { $0 << 8 | Int64($1) })
    case 8, 9: return .number(type - 8)
    case 12... where type <= 1 << 31:
      return content.take(Int(type - 12) / 2).map {
        type.isMultiple(of: 2) ? .bytes(Data($0)) : .text(String(decoding: $0, as: UTF8.self))
      }
    default: return nil
    }
  }
}

// MARK: - Page images

/// The pages of a database and its WAL, read without SQLite.
///
/// For offsets, see the SQLite file format, sections 1.3 and 4.1.
struct PageImages {
  private static let (logHeader, frameHeader) = (32, 24)

  let pageSize: Int
  private let database: Data
  private let log: Data
  /// The offset of the newest image of each page in the WAL.
  private var logged: [Int: Int] = [:]

  /// `nil` if there is neither a database nor a WAL.
  ///
  /// - Throws: the system's error if one of them cannot be read.
  init?(_ file: URL) throws {
    func mapped(_ path: String) throws -> Data {
      do { return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch CocoaError
        .fileReadNoSuchFile
      { return Data() }
    }
    (database, log) = (try mapped(file.path), try mapped(file.path + "-wal"))
    let size = Self.size(BigEndian.number(log, 8, bytes: 4)) ?? Self.size(BigEndian.number(database, 16, bytes: 2))
    pageSize = size ?? Self.likelySize(database)
    if database.isEmpty, log.count < Self.logHeader { return nil }
    readLog()
  }

  /// The page numbers, in order.
  var numbers: [Int] {
    let stored = database.count / pageSize
    return Array(0..<stored).map { $0 + 1 } + logged.keys.filter { $0 > stored }.sorted()
  }

  /// The bytes of a page; `nil` if it does not exist.
  subscript(number: Int) -> Data? {
    if let start = logged[number] { return log[start..<start + pageSize] }
    guard number > 0, number <= database.count / pageSize else { return nil }
    return database[(number - 1) * pageSize..<number * pageSize]
  }

  private static func size(_ number: Int) -> Int? {
    let size = number == 1 ? 65_536 : number
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  /// The page size of a tracker's database without a readable header. In one with the larger pages, a tree's page never
  /// starts in the middle of a page.
  private static func likelySize(_ database: Data) -> Int {
    let (size, larger) = (StoreFormat.pageSize, StoreFormat.sampleTrackerPageSize)
    let hasSmallPages = stride(from: size, to: database.count, by: larger).contains { start in
      let header = [0x02, 0x05].contains(BigEndian.number(database, start, bytes: 1)) ? 12 : 8
      let cells = BigEndian.number(database, start + 3, bytes: 2)
      let content = BigEndian.number(database, start + 5, bytes: 2)
      return [0x02, 0x05, 0x0A, 0x0D].contains(BigEndian.number(database, start, bytes: 1))
        && content >= header + 2 * cells && content <= size
    }
    return hasSmallPages ? size : larger
  }

  /// Reads the frames of complete transactions. Frames of an earlier use of the WAL have other salts.
  private mutating func readLog() {
    guard log.count >= Self.logHeader else { return }
    let salts = log[16..<24]
    var open: [Int: Int] = [:]
    var frame = Self.logHeader
    while frame + Self.frameHeader + pageSize <= log.count, log[frame + 8..<frame + 16].elementsEqual(salts) {
      open[BigEndian.number(log, frame, bytes: 4)] = frame + Self.frameHeader
      if BigEndian.number(log, frame + 4, bytes: 4) > 0 {
        logged.merge(open) { _, newer in newer }
        open = [:]
      }
      frame += Self.frameHeader + pageSize
    }
  }
}

enum BigEndian {
  /// The unsigned number at an offset; 0 beyond the end.
  static func number(_ bytes: Data, _ offset: Int, bytes count: Int) -> Int {
    let start = bytes.startIndex + offset
    guard offset >= 0, start + count <= bytes.endIndex else { return 0 }
    return bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
