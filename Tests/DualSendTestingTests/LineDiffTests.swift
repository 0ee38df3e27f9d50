import Testing

@testable import DualSendTesting

@Suite("The difference of two texts", .timeLimit(.minutes(5)))
struct LineDiffTests {
  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  @Test("is nothing for equal texts")
  func equal() {
    #expect(LineDiff(from: "a\nb", to: "a\nb").description == "")
  }

  @Test("shows what is gone and what is new between the lines that stay")
  func changes() {
    #expect(LineDiff(from: "a\nb\nc", to: "a\nx\nc\nd").description == "  a\n- b\n+ x\n  c\n+ d")
    #expect(LineDiff(from: "", to: "a").description == "- \n+ a")
  }

  @Test("leaves out what is far from every change")
  func context() {
    let old = (1...20).map(String.init)
    var new = old
    new[9] = "ten"
    new[19] = "twenty"
    #expect(
      LineDiff(from: text(old), to: text(new)).description
        == text([
          "…", "  7", "  8", "  9", "- 10", "+ ten", "  11", "  12", "  13", "…", "  17", "  18", "  19", "- 20",
          "+ twenty",
        ]))
  }
}
