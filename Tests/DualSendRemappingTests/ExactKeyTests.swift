import DualSendCore
import DualSendRemapping
import Testing

/// Rows, names and value tables are about the keys of their own bytes, and no others that Unicode calls equal.
@Suite("A table knows keys by their bytes", .timeLimit(.minutes(5)))
struct ExactKeyTests {
  /// Two spellings of one text, in either order.
  static let spellings: [(String, String)] = [
    ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("\u{C5}", "A\u{30A}"),
  ].flatMap { [($0.0, $0.1), ($0.1, $0.0)] }

  /// The same row on the short way and on the long one.
  static let ways = ["", #","deep.x":"deep.y""#]

  @Test("a row takes only its own key", arguments: spellings, ways)
  func source(_ texts: (String, String), _ more: String) throws {
    let table = try table(forEvent: #"{"parameters":{"\#(texts.0)":"new"\#(more)}}"#)
    #expect(table.apply(to: "e", payload: [texts.0: 1]).payload == ["new": 1])
    expect(table.apply(to: "e", payload: [texts.1: 1]).payload, [texts.1: 1])
  }

  @Test("a row writes its own key, and wins over an equivalent one that nobody names", arguments: spellings, ways)
  func target(_ texts: (String, String), _ more: String) throws {
    let table = try table(forEvent: #"{"parameters":{"old":"\#(texts.0)"\#(more)}}"#)
    for _ in 0..<4 {
      let remapped = table.apply(to: "e", payload: ["old": 1, texts.1: 2, "z": 3])
      expect(remapped.payload, [texts.0: 1, "z": 3])
      #expect(remapped.clashes == 1)
      let (traced, trace) = table.trace("e", payload: ["old": 1, texts.1: 2, "z": 3])
      #expect(traced == remapped)
      #expect(trace.outputs.map(\.path) == [EventPath([.key(texts.0)]), EventPath([.key("z")])].sorted())
      #expect(trace.inputs.contains { $0.path == EventPath([.key(texts.1)]) && $0.destination.isLost })
    }
  }

  @Test("a payload that wins keeps the equivalent key", arguments: spellings)
  func payloadWins(_ texts: (String, String)) throws {
    let table = try table(forEvent: #"{"parameters":{"old":"\#(texts.0)"},"onClash":"payload"}"#)
    expect(table.apply(to: "e", payload: ["old": 1, texts.1: 2]).payload, [texts.1: 2])
  }

  @Test("a default and a constant do as well", arguments: spellings)
  func defaults(_ texts: (String, String)) throws {
    let withDefault = try table(forEvent: #"{"parameters":{"\#(texts.0)":{"to":"new","default":7}}}"#)
    expect(withDefault.apply(to: "e", payload: [texts.1: 1]).payload, [texts.1: 1, "new": 7])
    let withConstant = try table(forEvent: #"{"add":{"\#(texts.0)":7}}"#)
    expect(withConstant.apply(to: "e", payload: [texts.1: 1]).payload, [texts.0: 7])
  }

  @Test("an entry holds only for the event of its name", arguments: spellings)
  func event(_ texts: (String, String)) throws {
    let table = try table(#"{"formatVersion":1,"events":{"\#(texts.0)":{"name":"new"}}}"#)
    #expect(table.apply(to: texts.0, payload: [:]).name == "new")
    #expect(table.apply(to: texts.1, payload: [:]).name.isExactly(texts.1))
    #expect(table.hasEntry(for: texts.0) && !table.hasEntry(for: texts.1))
  }

  @Test("a value table finds only the text it names", arguments: spellings)
  func values(_ texts: (String, String)) throws {
    let table = try table(forEvent: #"{"parameters":{"a":{"to":"b","values":{"\#(texts.0)":1},"default":0}}}"#)
    #expect(table.apply(to: "e", payload: ["a": .string(texts.0)]).payload == ["b": 1])
    #expect(table.apply(to: "e", payload: ["a": .string(texts.1)]).payload == ["b": 0])
  }

  private func expect(
    _ payload: [String: EventValue], _ expected: [String: EventValue], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      EventValue.object(payload).canonicalJSON == EventValue.object(expected).canonicalJSON, sourceLocation: location)
  }
}

extension RemappingTrace.Destination {
  fileprivate var isLost: Bool {
    if case .lost = self { true } else { false }
  }
}
