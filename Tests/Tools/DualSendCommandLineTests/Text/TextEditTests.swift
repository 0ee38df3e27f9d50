import DualSendCommandLine
import Testing

@Suite("Edits of a text", .timeLimit(.minutes(5)))
struct TextEditTests {
  private static let text = Array("0123456789".utf8)

  private func edited(_ edits: [TextEdit], in slice: Range<Int>? = nil) -> String {
    String(decoding: TextEdit.apply(edits, to: Self.text, in: slice), as: UTF8.self)
  }

  @Test("give the same text in any order")
  func order() {
    let edits = [
      TextEdit(8..<9, "h"), TextEdit(at: 2, "b"), TextEdit(2..<4, "c"), TextEdit(at: 2, "a"), TextEdit(0..<1, ""),
    ]
    #expect(edited(edits) == "1abc4567h9")
    #expect(edited(edits.reversed()) == "1abc4567h9")
  }

  @Test("of a part give only that part")
  func slice() {
    #expect(edited([TextEdit(4..<5, "four")], in: 3..<6) == "3four5")
  }

  @Test("that overlap are made once")
  func overlap() {
    #expect(edited([TextEdit(3..<6, "b"), TextEdit(2..<5, "a")]) == "01a56789")
  }
}
