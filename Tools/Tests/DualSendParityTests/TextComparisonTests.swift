@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping
import Testing

@testable import DualSendParity

/// Pairs of scalars in objects are compared on their text; a limit that nothing reaches makes every pair go the long way.
@Suite("Comparing on text")
struct TextComparisonTests {
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
    "the short way finds what the long way finds",
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
      #expect((reports.short.old.malformed, reports.short.new.malformed) == (1, 1))
      #expect(reports.short == reports.long)
    }
  }

  @Test("both ways agree on pairs of random payloads in any order of keys")
  func random() throws {
    var generator = SplitMix64(seed: 4)
    let pairs = (0..<3000).map { _ in (randomObject(using: &generator), randomObject(using: &generator)) }
    for table in [Self.plainTable, Self.richTable] {
      let reports = try bothWays(pairs, table: table)
      #expect(reports.short == reports.long)
      #expect(reports.short.total.pairs == 3000)
    }
  }

  private func randomObject(depth: Int = 0, using generator: inout SplitMix64) -> String {
    let keys =
      depth == 0 ? ["a", "b", "n", "m", "d", "q", "ctx", "screen", "box", "case", "app"] : ["screen", "name", "x"]
    let values = ["1", "2", "1.0", #""1""#, #""x""#, "null", "true", "[]", #"[{"id":1}]"#]
    let members = keys.shuffled(using: &generator).prefix(Int.random(in: 0...5, using: &generator)).map { key in
      let isObject = depth < 3 && Int.random(in: 0..<3, using: &generator) == 0
      let value =
        isObject
        ? randomObject(depth: depth + 1, using: &generator) : values[Int.random(in: values.indices, using: &generator)]
      return "\"\(key)\":\(value)"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test(
    "the short way is taken for scalars in objects, whatever the table does with them",
    arguments: [
      (#"{"a":1,"b":"x","n":"12","d":true}"#, #"{"b":1,"a":"x","m":12,\#(added)}"#),
      (
        #"{"ctx":{"screen":"s","net":"n"},"box":{"x":1},"d":{"x":1}}"#,
        #"{\#(added),"screen":{"name":"s"},"ctx":{"net":"n"},"case":{"x":2}}"#
      ),
    ])
  func short(legacy: String, wire: String) throws {
    #expect(try takesShortWay(legacy, wire))
  }

  @Test(
    "the long way is left for what the short one does not know", arguments: [("[]", "[]"), ("1", "{}"), ("{}", "1")])
  func long(legacy: String, wire: String) throws {
    #expect(try !takesShortWay(#"{"z":\#(legacy)}"#, #"{"z":\#(wire),\#(Self.added)}"#))
  }

  private func takesShortWay(_ legacy: String, _ wire: String) throws -> Bool {
    let table = try RemappingTable(#"{"formatVersion": 1, "events": \#(Self.richTable)}"#.utf8)
    let comparer = try #require(TextComparer(table.rule(for: "tap")))
    var tally = FieldTally()
    let (oldLine, newLine) = (Array(old("id", "tap", legacy).utf8), Array(new("id", "tapped", wire).utf8))
    return try oldLine.withUnsafeBufferPointer { oldLine in
      try newLine.withUnsafeBufferPointer { newLine in
        comparer.compare(
          old: try #require(EventLine(oldLine, form: .legacy)), new: try #require(EventLine(newLine, form: .wire)),
          into: &tally, id: { "id" })
      }
    }
  }
}
