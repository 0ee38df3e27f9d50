import DualSendCore

/// The files of a ZIP archive in memory, stored or deflated (PKWARE APPNOTE 6.3.4, sections 4.3.7 to 4.3.16). No ZIP64 and no
/// encryption, which spreadsheets do not write.
struct ZipArchive {
  /// The most bytes of a file, unpacked.
  private static let maximumBytes = 64 << 20

  private struct Entry {
    let isDeflated: Bool
    let crc32: ArraySlice<UInt8>
    let size, packedSize, offset: Int
  }

  private let bytes: [UInt8]
  private var entries: [String: Entry] = [:]

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 3, 4]) }

  /// - Returns: `nil` if the archive has no readable directory.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let end = (max(0, bytes.count - 65_557)...max(0, bytes.count - 22)).last { number($0, 4) == 0x0605_4B50 }
    guard let end, let count = number(end + 10, 2), var position = number(end + 16, 4) else { return nil }
    for _ in 0..<count {
      guard number(position, 4) == 0x0201_4B50, let method = number(position + 10, 2), [0, 8].contains(method),
        let packed = number(position + 20, 4), let size = number(position + 24, 4),
        let nameLength = number(position + 28, 2), let extra = number(position + 30, 2),
        let comment = number(position + 32, 2), let offset = number(position + 42, 4),
        position + 46 + nameLength <= bytes.count
      else { return nil }
      let name = String(decoding: bytes[(position + 46)..<(position + 46 + nameLength)], as: UTF8.self)
      entries[name] = Entry(
        isDeflated: method == 8, crc32: bytes[(position + 16)..<(position + 20)], size: size, packedSize: packed,
        offset: offset)
      position += 46 + nameLength + extra + comment
    }
  }

  /// A file's bytes; `nil` if there is none, or if it is damaged or too long.
  func file(_ name: String) -> [UInt8]? {
    guard let entry = entries[name], entry.size <= Self.maximumBytes, number(entry.offset, 4) == 0x0403_4B50,
      let nameLength = number(entry.offset + 26, 2), let extra = number(entry.offset + 28, 2)
    else { return nil }
    let start = entry.offset + 30 + nameLength + extra
    guard start + entry.packedSize <= bytes.count else { return nil }
    let packed = bytes[start..<(start + entry.packedSize)]
    if !entry.isDeflated { return Array(packed) }
    // A gzip stream is the same deflated bytes between a header and the archive's own checksum and length.
    let size = (0..<4).map { UInt8(truncatingIfNeeded: entry.size >> (8 * $0)) }
    let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + packed + entry.crc32 + size
    return try? Zlib.decompress(gzip, limit: Self.maximumBytes)
  }

  /// A little-endian number of some bytes; `nil` beyond the end.
  private func number(_ position: Int, _ count: Int) -> Int? {
    guard position >= 0, position + count <= bytes.count else { return nil }
    return (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }
}
