import DualSendTracking
import Foundation

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
  init?(_ file: URL) {
    database = (try? Data(contentsOf: file, options: .alwaysMapped)) ?? Data()
    log = (try? Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"), options: .alwaysMapped)) ?? Data()
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
