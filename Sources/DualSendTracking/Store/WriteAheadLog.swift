import Foundation

/// Finds damage in a WAL that SQLite passes over in silence: it reads the WAL up to the first frame that is wrong, and ignores
/// every transaction behind it.
///
/// For the format, see the SQLite file format, section 4. A process that is killed leaves at most one incomplete frame, the
/// last one; frames behind it that are older have other salts.
enum WriteAheadLog {
  private static let (headerLength, frameHeaderLength) = (32, 24)

  /// Whether committed transactions may be lost: the header is wrong, or frames of the same use of the WAL follow one that is.
  static func isDamaged(of database: URL) -> Bool {
    let log = URL(fileURLWithPath: database.path + "-wal")
    guard FileSize.of(log) >= Int64(headerLength + frameHeaderLength),
      let bytes = try? Data(contentsOf: log, options: .alwaysMapped)
    else { return false }
    return bytes.withUnsafeBytes(isDamaged)
  }

  static func isDamaged(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= headerLength + frameHeaderLength else { return false }
    let magic = number(bytes, 0)
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(bytes, 0..<24)
    let size = Int(clamping: number(bytes, 8))
    guard magic | 1 == 0x377F_0683, size >= 512, size <= 65_536, size & (size - 1) == 0, sum.matches(bytes, 24) else {
      return true
    }
    var isBroken = false
    for frame in stride(
      from: headerLength, through: bytes.count - frameHeaderLength - size, by: frameHeaderLength + size)
    {
      let hasSalts = number(bytes, frame + 8) == number(bytes, 16) && number(bytes, frame + 12) == number(bytes, 20)
      if isBroken {
        if hasSalts { return true }
        continue
      }
      sum.add(bytes, frame..<frame + 8)
      sum.add(bytes, frame + frameHeaderLength..<frame + frameHeaderLength + size)
      isBroken = !hasSalts || !sum.matches(bytes, frame + 16)
    }
    return false
  }

  /// A big-endian number of four bytes.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The checksum of the file format, section 4.2.
  private struct Checksum {
    let isBigEndian: Bool
    private var sums: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    /// - Parameter range: a multiple of eight bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sums.0 &+= word(bytes, offset) &+ sums.1
        sums.1 &+= word(bytes, offset + 4) &+ sums.0
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    func matches(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
      sums == (number(bytes, offset), number(bytes, offset + 4))
    }
  }
}
