import DualSendCore
import Testing

@Suite("Compression", .timeLimit(.minutes(5)))
struct ZlibTests {
  private static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: 1)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test(
    "gives back what it was given, in both formats and at every level", arguments: [Zlib.Format.deflate, .gzip],
    [0, 1, 65_535, 65_536, 300_000])
  func roundTrip(_ format: Zlib.Format, _ count: Int) throws {
    for text in [Self.noise(count), [UInt8](repeating: 0, count: count)] {
      for level: Int32 in [1, 6, 9] {
        let packed = try #require(Zlib.compress(text, as: format, level: level))
        let unpacked = try Zlib.decompress(packed, limit: count)
        // Not two arrays compared by `#expect`, which would describe each byte of them.
        let isSame = unpacked == text
        #expect(isSame)
      }
    }
  }

  @Test("marks its formats as RFC 1950 and RFC 1952 say")
  func headers() throws {
    #expect(try #require(Zlib.compress([], as: .gzip)).starts(with: [0x1F, 0x8B, 8]))
    let deflate = try #require(Zlib.compress([], as: .deflate))
    #expect(deflate[0] & 0x0F == 8)
    #expect((Int(deflate[0]) << 8 | Int(deflate[1])).isMultiple(of: 31))
  }

  @Test("makes text that repeats itself much shorter")
  func shorter() throws {
    let text = Array(String(repeating: "{\"name\":\"home.view\"},", count: 1000).utf8)
    #expect(try #require(Zlib.compress(text, as: .deflate)).count < text.count / 20)
  }

  @Test("refuses what unpacks to more than the limit, and takes what is just within it")
  func limit() throws {
    let text = Self.noise(1000)
    let packed = try #require(Zlib.compress(text, as: .gzip))
    #expect(try Zlib.decompress(packed, limit: 1000) == text)
    #expect(throws: Zlib.Failure.tooLarge(limit: 999)) { try Zlib.decompress(packed, limit: 999) }
    #expect(throws: Zlib.Failure.tooLarge(limit: 0)) { try Zlib.decompress(packed, limit: 0) }
  }

  @Test("stops unpacking a bomb at the limit: what comes after it is never looked at")
  func bomb() throws {
    var bomb = try #require(Zlib.compress([UInt8](repeating: 0, count: 64 << 20), as: .gzip))
    #expect(bomb.count < 100_000)
    // Reading on to the end would find this.
    bomb.replaceSubrange((bomb.count / 2)..., with: [UInt8](repeating: 0xFF, count: 100))
    #expect(throws: Zlib.Failure.tooLarge(limit: 1 << 20)) { try Zlib.decompress(bomb, limit: 1 << 20) }
  }

  @Test("refuses bytes that are no compressed text, or only a part of one", arguments: [Zlib.Format.deflate, .gzip])
  func corrupt(_ format: Zlib.Format) throws {
    let packed = try #require(Zlib.compress(Self.noise(1000), as: format))
    var flipped = packed
    flipped[500] ^= 1
    let broken: [[UInt8]] = [
      [], [0], Array("not compressed".utf8), Array(packed.dropLast()), Array(packed.prefix(10)), flipped, packed + [0],
      packed + packed,
    ]
    for bytes in broken {
      #expect(throws: Zlib.Failure.corrupt) { try Zlib.decompress(bytes, limit: 1 << 20) }
    }
  }
}
