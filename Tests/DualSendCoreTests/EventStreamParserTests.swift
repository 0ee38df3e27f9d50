import Testing

@testable import DualSendCore

@Suite("A stream of server-sent events", .timeLimit(.minutes(5)))
struct EventStreamParserTests {
  private func messages(_ text: String) throws -> [EventStreamParser.Message] {
    var parser = EventStreamParser()
    return try parser.read(text.utf8)
  }

  @Test("ends an event with an empty line, whatever ends its lines", arguments: ["\n", "\r", "\r\n"])
  func lineEnds(end: String) throws {
    let text = ["id: 7", "event: rollout", "data: 12", "data:13", "", "data", ""].joined(separator: end) + end
    #expect(
      try messages(text) == [
        EventStreamParser.Message(id: "7", event: "rollout", data: "12\n13"),
        EventStreamParser.Message(id: "7", event: "message", data: ""),
      ])
  }

  @Test("is read the same wherever it is split")
  func splits() throws {
    let bytes = Array("\u{FEFF}: hello\r\nid: 1\r\ndata: é\r\n\r\ndata: b\n\nretry: 1500\n".utf8)
    var whole = EventStreamParser()
    let expected = try whole.read(bytes)
    #expect(expected.map(\.data) == ["é", "b"])
    for split in bytes.indices {
      var parser = EventStreamParser()
      #expect(try parser.read(bytes[..<split]) + parser.read(bytes[split...]) == expected)
      #expect(parser.retry == .milliseconds(1500))
      #expect(parser.lastEventID == "1")
    }
  }

  @Test("passes over what it does not know: comments, other fields, an id with a null, a retry that is no number")
  func ignored() throws {
    var parser = EventStreamParser(lastEventID: "before")
    let text = ": comment\nfield: x\nid: a\u{0}b\nretry: soon\nretry: 99999999999\nevent: only a type\n\ndata: x\n\n"
    let message = EventStreamParser.Message(id: "before", event: "message", data: "x")
    #expect(try parser.read(text.utf8) == [message])
    #expect(parser.retry == nil)
  }

  @Test(
    "passes over an id that no header field can hold",
    arguments: ["a\u{1}b", "a\tb", "\u{7F}", String(repeating: "x", count: 2000)])
  func unsendableID(id: String) throws {
    var parser = EventStreamParser(lastEventID: "before")
    #expect(try parser.read("id: \(id)\ndata: x\n\n".utf8).map(\.id) == ["before"])
    #expect(parser.lastEventID == "before")
  }

  @Test("gives nothing for an event that its end cut off")
  func cutOff() throws {
    #expect(try messages("data: 1\n\ndata: 2\n").map(\.data) == ["1"])
  }

  @Test("is refused where a line, or an event's data, has no end")
  func endless() {
    let limit = EventStreamParser.limit
    #expect(throws: EventStreamParser.TooLong.self) { try messages(String(repeating: "x", count: limit + 1)) }
    let line = "data: " + String(repeating: "x", count: 1000) + "\n"
    #expect(throws: EventStreamParser.TooLong.self) { try messages(String(repeating: line, count: limit / 1000 + 1)) }
  }
}
