import DualSendCore
import Testing

@Suite("Unpacking gzip piece by piece", .timeLimit(.minutes(5)))
struct GzipStreamTests {
  private func packed(_ text: String) throws -> [UInt8] {
    try #require(Zlib.compress(Array(text.utf8), as: .gzip))
  }

  /// Feeds pieces of one length, and takes pieces of another.
  private func unpacked(_ bytes: [UInt8], fed: Int, taken: Int) throws -> (text: String, isComplete: Bool) {
    let stream = try GzipStream()
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: fed) {
      stream.feed(Array(bytes[start..<min(start + fed, bytes.count)]))
      while case let piece = try stream.next(taken), !piece.isEmpty {
        #expect(piece.count <= taken)
        text += piece
      }
    }
    return (String(decoding: text, as: UTF8.self), stream.isComplete)
  }

  @Test("gives the text back, however it is cut", arguments: [1, 7, 1 << 20], [1, 13, 1 << 16])
  func pieces(_ fed: Int, _ taken: Int) throws {
    let text = String(repeating: "one line and another\n", count: 500)
    let found = try unpacked(packed(text), fed: fed, taken: taken)
    #expect(found.text == text)
    #expect(found.isComplete)
  }

  @Test("goes on with the next member, an empty one too, and passes over zeros at the end", arguments: [1, 1 << 20])
  func members(_ fed: Int) throws {
    let bytes = try packed("a") + packed("") + packed("b") + [0, 0, 0]
    #expect(try unpacked(bytes, fed: fed, taken: 100).text == "ab")
  }

  @Test("knows that a file is cut off, be it in its last byte")
  func cutOff() throws {
    let found = try unpacked(packed("text").dropLast(), fed: 100, taken: 100)
    #expect(found.text == "text")
    #expect(!found.isComplete)
  }

  @Test("refuses what is damaged, and what follows and is no gzip")
  func corrupt() throws {
    var bytes = try packed("some text that is long enough")
    bytes[14] ^= 0xFF
    #expect(throws: Zlib.Failure.corrupt) { try unpacked(bytes, fed: 100, taken: 100) }
    #expect(throws: Zlib.Failure.corrupt) { try unpacked(packed("a") + [0x41, 0x42], fed: 100, taken: 100) }
  }
}
