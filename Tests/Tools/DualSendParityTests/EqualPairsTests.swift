import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendParity

/// Equal pairs are known by their text once one of their shape was compared; a limit that nothing reaches makes every pair
/// be compared in full.
@Suite("Knowing equal pairs by their text", .timeLimit(.minutes(5)))
struct EqualPairsTests {
  /// Renames, swaps, conversions and drops of keys at the top.
  private static let plainTable = #"""
    {"tap": {"name": "tapped", "parameters": {"a": "b", "b": "a", "n": {"to": "m", "type": "int"}, "d": null}}}
    """#
  /// The same, with paths into and out of objects, a default and constants.
  private static let richTable = #"""
    {"*": {"parameters": {"ctx.screen": "screen.name", "ctx.locale": "device.locale"}},
     "tap": {"name": "tapped", "add": {"schema": 2, "app.kind": "demo"},
       "parameters": {"a": "b", "b": "a", "n": {"to": "m", "type": "int"}, "d": null, "box": "case",
         "q": {"to": "quality", "default": "auto"}, "list[].id": "items[].id"}}}
    """#
  /// What the table adds to every payload.
  private static let added = #""schema":2,"app":{"kind":"demo"},"quality":"auto""#

  private func bothWays(
    _ pairs: [(old: String, new: String)], table: String
  ) throws -> (short: ParityReport, long: ParityReport) {
    // Each twice, so that the second meets what the first taught.
    let pairs = pairs + pairs
    let olds = pairs.enumerated().map { old("id\($0.offset)", "tap", $0.element.old) }
    let news = pairs.enumerated().map { new("id\($0.offset)", "tapped", $0.element.new) }
    var noLimit = Normalisation()
    noLimit.maximumParameters = 1_000_000
    return (
      try compare(old: olds, new: news, table: table),
      try compare(old: olds, new: news, table: table, normalisation: noLimit)
    )
  }

  @Test(
    "a comparison that learns finds what one in full finds",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#), (#"{"a":1}"#, #"{"b":1.0}"#), (#"{"a":1}"#, #"{"b":"1"}"#),
      (#"{"n":"12"}"#, #"{"m":12}"#), (#"{"n":"x"}"#, #"{"m":"x"}"#), (#"{"d":1}"#, "{}"), (#"{"d":1}"#, #"{"d":1}"#),
      (#"{"z":{"y":1}}"#, #"{"z":{"y":1}}"#), (#"{"z":[1]}"#, #"{"z":[2]}"#), (#"{"n":"1","m":2}"#, #"{"m":1}"#),
      (#"{"é":1}"#, #"{"é":1}"#), (#"{"\u0061":1}"#, #"{"b":1}"#), (#"{"a":"\u0041"}"#, #"{"b":"A"}"#),
      (#"{"a":"é"}"#, #"{"b":"é"}"#), (#"{"a":-0}"#, #"{"b":0}"#), (#"{"a":true}"#, #"{"b":true}"#), ("{}", "{}"),
      (#"{"a":1.50}"#, #"{"b":1.5}"#), (#"{"a":0.25}"#, #"{"b":0.25}"#), (#"{"a":-0.25}"#, #"{"b":-2.5e-1}"#),
      ("{}", "{\(added)}"), ("{}", #"{"schema":"2","app":{"kind":"demo"},"quality":"auto"}"#),
      (#"{"schema":3}"#, "{\(added)}"), (#"{"app":1}"#, "{\(added)}"), (#"{"app":{"id":1}}"#, "{\(added)}"),
      (#"{"q":"high"}"#, #"{"schema":2,"app":{"kind":"demo"},"quality":"high"}"#), (#"{"q":null}"#, "{\(added)}"),
      (#"{"quality":1}"#, #"{"quality":1,"schema":2,"app":{"kind":"demo"}}"#),
      (#"{"ctx":{"screen":"s","net":"n"}}"#, #"{\#(added),"screen":{"name":"s"},"ctx":{"net":"n"}}"#),
      (#"{"ctx":{"screen":"s"}}"#, #"{\#(added),"screen":{"name":"s"},"ctx":{}}"#), (#"{"ctx":{}}"#, #"{"ctx":{}}"#),
      (#"{"ctx":{"screen":"s"}}"#, #"{\#(added),"screen":"s"}"#), (#"{"ctx":{"screen":"s"}}"#, "{\(added)}"),
      (#"{"ctx":{"screen":"s"},"screen":{"id":1}}"#, #"{\#(added),"screen":{"name":"s","id":1}}"#),
      (#"{"ctx":{"screen":"s"},"screen":1}"#, #"{\#(added),"screen":1}"#),
      (#"{"box":{"x":{"y":1}}}"#, #"{\#(added),"case":{"x":{"y":1}}}"#),
      (#"{"box":{"x":{"y":1}}}"#, #"{\#(added),"case":{"x":{"y":2,"z":3}}}"#), (#"{"n":{"x":1}}"#, #"{"m":{"x":1}}"#),
      (#"{"d":{"x":1}}"#, "{\(added)}"), (#"{"list":[{"id":1}]}"#, #"{\#(added),"items":[{"id":1}]}"#),
    ])
  func agree(old: String, new: String) throws {
    for table in [Self.plainTable, Self.richTable] {
      let reports = try bothWays([(old, new)], table: table)
      #expect(reports.short == reports.long)
    }
  }

  @Test(
    "text that is not JSON is malformed on either way",
    arguments: [
      #"{"a":01}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, #"{"a":1,"a":2}"#, #"{"d":1,"d":2}"#, #"{"a":tru}"#, #"{"a":1.}"#,
      #"{"a":.5}"#, #"{"a":00.5}"#,
      #"{"a":1.5.5}"#, #"{"a" 1}"#,
      "{\"a\":\"\u{1}\"}", #"{"a":"\x"}"#, #"{,"a":1}"#, #"{"d":tru}"#, #"{"d":{"x":tru}}"#, #"{"z":{"y":1,"y":2}}"#,
      #"{"z":{"y":1]}"#, #"{"z":{"y":1}}}"#,
    ])
  func malformed(text: String) throws {
    for table in [Self.plainTable, Self.richTable] {
      let reports = try bothWays([(text, text), ("{}", "{}")], table: table)
      #expect((reports.short.old.malformed, reports.short.new.malformed) == (2, 2))
      #expect(reports.short == reports.long)
    }
  }

  @Test("pairs of few shapes and random scalars are counted as in a comparison in full", arguments: UInt64(0)..<8)
  func random(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let scalars = ["1", "2", "1.0", #""1""#, #""x""#, #""2""#, "null", "true", "12", "-0.5", #""é""#, #""\u0041""#]
    for text in [Self.plainTable, Self.richTable] {
      let table = try RemappingTable(reading: #"{"formatVersion": 1, "events": \#(text)}"#.utf8)
      let shapes = (0..<10).map { _ in randomObject(using: &generator) }
      let pairs = try (0..<1000).map { _ in
        let old = shapes[Int.random(in: shapes.indices, using: &generator)].split(separator: "?")
          .reduce("") { $0 + ($0.isEmpty ? "" : scalars.randomElement(using: &generator) ?? "1") + $1 }
        let remapped = table.apply(to: "tap", payload: try payload(old)).payload
        let new = EventValue.object(remapped).canonicalText
        return (old, Bool.random(using: &generator) ? new : new.replacing("1", with: "2", maxReplacements: 1))
      }
      let reports = try bothWays(pairs, table: text)
      #expect(reports.short == reports.long)
      #expect(reports.short.total.pairs == 2000)
    }
  }

  /// An object with a `?` for each scalar.
  private func randomObject(depth: Int = 0, using generator: inout SplitMix64) -> String {
    let keys =
      depth == 0 ? ["a", "b", "n", "m", "d", "q", "ctx", "screen", "box", "list", "app"] : ["screen", "name", "id"]
    let values = ["?", "?", "?", "[]", "{}", #"[{"id":?}]"#, #"[{"id":?,"x":?},{"x":?},?]"#]
    let members = keys.shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator)).map { key in
      let isObject = depth < 3 && Int.random(in: 0..<3, using: &generator) == 0
      let value =
        isObject
        ? randomObject(depth: depth + 1, using: &generator) : values[Int.random(in: values.indices, using: &generator)]
      return "\"\(key)\":\(value)"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// What is said of a pair after another one was learned from.
  private func knows(
    _ legacy: String, _ wire: String, from taught: (legacy: String, wire: String)
  ) throws -> Bool {
    let table = try RemappingTable(reading: #"{"formatVersion": 1, "events": \#(Self.richTable)}"#.utf8)
    var pairs = EqualPairs()
    var tally = FieldTally()
    func withLines<Result>(
      _ legacy: String, _ wire: String, _ body: (EventLine, EventLine) throws -> Result
    ) throws -> Result {
      let (oldLine, newLine) = (Array(old("id", "tap", legacy).utf8), Array(new("id", "tapped", wire).utf8))
      return try oldLine.withUnsafeBufferPointer { oldLine in
        try newLine.withUnsafeBufferPointer { newLine in
          try body(
            try #require(EventLine(oldLine, form: .legacy)), try #require(EventLine(newLine, form: .wire)))
        }
      }
    }
    _ = try withLines(taught.legacy, taught.wire) { pairs.learn($0, $1, named: "tap", table, &tally) }
    return try withLines(legacy, wire) { pairs.fields(ofEqual: $0, $1) != nil }
  }

  @Test(
    "an equal pair of a known shape is known, whatever the table does with its values",
    arguments: [
      (#"{"a":1,"b":"x","n":"12","d":true}"#, #"{"b":1,"a":"x","m":12,\#(added)}"#),
      (#"{"a":"é","b":null,"n":"x","d":2}"#, #"{"b":"é","a":null,"m":"x",\#(added)}"#),
      (#"{"a":1.50,"b":"\u0041","n":7,"d":""}"#, #"{"b":1.5,"a":"A","m":7,\#(added)}"#),
    ])
  func known(legacy: String, wire: String) throws {
    let taught = (#"{"a":2,"b":3,"n":4,"d":5}"#, #"{"b":2,"a":3,"m":4,\#(Self.added)}"#)
    #expect(try knows(legacy, wire, from: taught))
  }

  @Test("arrays and objects that are moved as a whole are known as well")
  func containers() throws {
    let taught = (
      #"{"ctx":{"screen":"s"},"box":{"x":1},"list":[{"id":1},{"id":2}],"z":[[3],{}]}"#,
      #"{\#(Self.added),"screen":{"name":"s"},"case":{"x":1},"items":[{"id":1},{"id":2}],"z":[[3],{}]}"#
    )
    let (old, new) = (taught.0.replacing("1", with: "9"), taught.1.replacing("1", with: "9"))
    #expect(try knows(old, new, from: taught))
    #expect(try !knows(old, taught.1, from: taught))
  }

  @Test(
    "nothing is said of a pair that differs, has another shape or is no JSON",
    arguments: [
      (#"{"a":1,"d":1}"#, #"{"b":2,\#(added)}"#), (#"{"a":1,"d":1}"#, #"{"b":"1",\#(added)}"#),
      (#"{"d":1,"a":1}"#, #"{"b":1,\#(added)}"#), (#"{"a":[],"d":1}"#, #"{"b":[],\#(added)}"#),
      (#"{"a":tru,"d":1}"#, #"{"b":tru,\#(added)}"#), (#"{"a":1,"d":01}"#, #"{"b":1,\#(added)}"#),
      (#"{"a":1,"d":1}"#, #"{"b":1,"schema":3,"app":{"kind":"demo"},"quality":"auto"}"#),
    ])
  func unknown(legacy: String, wire: String) throws {
    let taught = (#"{"a":7,"d":8}"#, #"{"b":7,\#(Self.added)}"#)
    #expect(try knows(#"{"a":6,"d":"x"}"#, #"{"b":6,\#(Self.added)}"#, from: taught))
    #expect(try !knows(legacy, wire, from: taught))
  }

  @Test("a default that stood in for null says nothing of a value")
  func defaultForNull() throws {
    let taught = (#"{"q":null}"#, #"{"schema":2,"app":{"kind":"demo"},"quality":"auto"}"#)
    #expect(try !knows(#"{"q":"high"}"#, taught.1, from: taught))
  }

  @Test("a pair that differs, or whose values clash, teaches nothing")
  func taughtNothing() throws {
    let different = (#"{"a":1}"#, #"{"b":2,\#(Self.added)}"#)
    #expect(try !knows(different.0, different.1, from: different))
    let clash = (#"{"schema":1}"#, "{\(Self.added)}")
    #expect(try !knows(clash.0, clash.1, from: clash))
  }
}
