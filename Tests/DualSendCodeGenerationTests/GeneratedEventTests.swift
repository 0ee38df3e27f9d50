import DualSend
import DualSendCodeGeneration
import DualSendCore
import Foundation
import Testing

/// Events that were generated and compiled, against the specification that they were generated from.
@Suite("Generated events", .timeLimit(.minutes(5)))
struct GeneratedEventTests {
  private static func check(_ event: some TypedEvent, by file: String, without absent: [String] = []) throws {
    let specification = try EventSpecification(reading: Fixture.bytes(file))
    let expected = try #require(specification.events.first { $0.name.isExactly(event.name) })
    let keys = expected.parameters.map { ExactText($0.key) }.filter { !absent.contains($0.text) }
    #expect(Set(event.parameters.keys.map(ExactText.init)) == Set(keys))
  }

  @Test("have the names and keys of the specification, whatever these are")
  func hostile() throws {
    let event = ProtocolEvent(
      default: 1, selfParameter: "s", nameParameter: "true", parametersParameter: true, initParameter: 2, aB: "c",
      _22_5c_a_0: "q", new: 3, in: .noneValue, e: "é", _123: 4, 日本: nil, count: .minus1, type: .type)
    try Self.check(event, by: "hostile.json", without: ["日本"])
    try Self.check(StringEvent(string: .x), by: "hostile.json")
    try Self.check(XError(), by: "hostile.json")
    try Self.check(EVénement(date: Date(timeIntervalSince1970: 1)), by: "hostile.json")
  }

  @Test("give their values to the payload, and leave out those that are nil")
  func values() {
    var converter = EventValueConverter()
    let tap = HomeLikeButtonTap(itemID: 42, liked: ._1, uid: "u")
    #expect(converter.convert(tap.parameters) == ["item_id": 42, "liked": "1", "uid": "u"])
    let view = CartScreenView(lines: [["sku": "a"]], ctx: nil, total: 1.5, shade: .light)
    let payload = converter.convert(view.parameters)
    #expect(payload["lines"] == [["sku": "a"]])
    #expect(payload["ctx"] == nil)
    #expect(converter.issues.isEmpty)
  }
}
