import DualSendCore
import Testing

@testable import DualSendCollector

@Suite("The scan for ids", .timeLimit(.minutes(5)))
struct EventIDScannerTests {
  @Test("finds the ids that a full reading finds, whatever the payloads hold")
  func agrees() throws {
    let nasty: [String: EventValue] = ["\"}]": ["\\", "{", ["[": "]\\\""]], "eventId": "x", "日本": [:], "e": []]
    let body = wireBody(events("a", "b", "c", payload: nasty))
    let batch = try EventBatch(body, limit: 1 << 20)
    #expect(EventIDScanner.ids(in: body) == batch.events.map(\.id))
  }

  @Test("finds none in an empty batch", arguments: ["[]", "[ ]"])
  func empty(_ body: String) {
    #expect(EventIDScanner.ids(in: Array(body.utf8)) == [])
  }

  @Test(
    "leaves to a full reading what is not of the wire form",
    arguments: [
      "", "[", "{}", "[1]", "[,]", #"[{"eventId":"x"}]"#, #"[{"eventName":"a"}]"#,
      #"[{"eventId":"018bcfe5-6800-7000-8000-000000000000"]"#,
      #"[{"eventId":"018bcfe5-6800-7000-8000-000000000000"},]"#,
      #"[{"eventId":"018bcfe5-6800-7000-8000-000000000000"}x]"#,
      #"[{"eventId":"018bcfe5-6800-7000-8000-000000000000\"#,
    ])
  func leaves(_ body: String) {
    #expect(EventIDScanner.ids(in: Array(body.utf8)) == nil)
  }
}
