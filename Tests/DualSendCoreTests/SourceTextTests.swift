import DualSendCore
import Testing

@Suite("A place in a text", .timeLimit(.minutes(5)))
struct SourceTextTests {
  @Test(
    "is its line and its column in Unicode scalars, both from 1",
    arguments: [
      ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("abc", 3, 1, 4), ("a\nbc", 1, 1, 2), ("a\nbc", 2, 2, 1), ("a\nbc", 3, 2, 2),
      ("é😀x", 2, 1, 2), ("é😀x", 6, 1, 3), ("a\r\nb", 3, 2, 1), ("\n\n", 2, 3, 1), ("", 0, 1, 1), ("ab", 99, 1, 3),
    ])
  func positions(_ text: String, _ offset: Int, _ line: Int, _ column: Int) {
    #expect(
      SourceText(text.utf8, name: nil).position(at: offset) == DocumentDiagnostic.Position(line: line, column: column))
  }

  @Test("does not count a byte order mark", arguments: [(3, 1), (4, 2), (0, 1)])
  func byteOrderMark(_ offset: Int, _ column: Int) {
    let place = SourceText("\u{FEFF}abc".utf8, name: nil).position(at: offset)
    #expect(place == DocumentDiagnostic.Position(line: 1, column: column))
  }

  @Test("is the same when many are asked for at once")
  func many() {
    let source = SourceText("{\n  \"é\": [1,\n\n2]}".utf8, name: nil)
    let offsets = Set(0...source.bytes.count)
    #expect(
      source.positions(at: offsets) == Dictionary(uniqueKeysWithValues: offsets.map { ($0, source.position(at: $0)) }))
  }
}
