import Testing

@testable import DualSendRollout

@Suite struct Murmur3Tests {
  struct Row: Sendable {
    let seed: UInt32
    let key: String
    let hash: UInt32
  }

  static func rows() throws -> [Row] {
    try Fixture.lines("vectors/murmur3-x86-32.csv").map { line in
      let fields = line.split(separator: ",")
      return Row(
        seed: UInt32(bitPattern: try #require(Int32(fields[0]))), key: String(fields[1]),
        hash: try #require(UInt32(fields[2])))
    }
  }

  @Test("every one of the 500 public vectors is met")
  func vectors() throws {
    let rows = try Self.rows()
    #expect(rows.count == 500)
    for row in rows {
      var hash = Murmur3(seed: row.seed)
      hash.combine(row.key)
      #expect(hash.finish() == row.hash, "\(row.key)")
    }
  }

  @Test("pieces hash as their concatenation, wherever the cut is", arguments: 0...20)
  func pieces(length: Int) throws {
    let text = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
    var whole = Murmur3(seed: 7)
    whole.combine(text)
    for cut in 0...length {
      var pieces = Murmur3(seed: 7)
      pieces.combine(String(text.prefix(cut)))
      pieces.combine(String(text.dropFirst(cut)))
      #expect(pieces.finish() == whole.finish())
    }
  }

  @Test("bytes one by one hash as their buffer")
  func bytes() {
    var single = Murmur3(seed: 0)
    for byte in "grün und ünbedingt".utf8 { single.combine(byte) }
    var buffer = Murmur3(seed: 0)
    buffer.combine("grün und ünbedingt")
    #expect(single.finish() == buffer.finish())
  }
}
