import EventModel
import KeyRemapping
import Parity
import Platform
import Testing

/// Pairs of plain scalars are compared on their text; a limit that nothing reaches makes every pair go the long way.
@Suite("Comparing on text")
struct FlatComparisonTests {
  private let table = #"{"tap":{"name":"tapped","parameters":{"a":"b","b":"a","n":{"to":"m","type":"int"},"d":null}}}"#

  private func bothWays(_ pairs: [(old: String, new: String)]) throws -> (short: ParityReport, long: ParityReport) {
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
    ])
  func agree(old: String, new: String) throws {
    let reports = try bothWays([(old, new)])
    #expect(reports.short == reports.long)
  }

  @Test(
    "text that is not JSON is malformed on either way",
    arguments: [
      #"{"a":01}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, #"{"a":1,"a":2}"#, #"{"d":1,"d":2}"#, #"{"a":tru}"#, #"{"a" 1}"#,
      "{\"a\":\"\u{1}\"}", #"{"a":"\x"}"#, #"{,"a":1}"#,
    ])
  func malformed(text: String) throws {
    let reports = try bothWays([(text, text), ("{}", "{}")])
    #expect((reports.short.old.malformed, reports.short.new.malformed) == (1, 1))
    #expect(reports.short == reports.long)
  }

  @Test("both ways agree on pairs of random payloads in any order of keys")
  func random() throws {
    var generator = SplitMix64(seed: 4)
    let keys = ["a", "b", "n", "m", "d", "z"]
    let values = ["1", "2", "1.0", #""1""#, #""x""#, "null", "true", #"{"y":1}"#, "[]"]
    func object() -> String {
      let members = keys.shuffled(using: &generator).prefix(Int.random(in: 0...6, using: &generator)).map { key in
        "\"\(key)\":\(values[Int.random(in: values.indices, using: &generator)])"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    let pairs = (0..<2000).map { _ in (object(), object()) }
    let reports = try bothWays(pairs)
    #expect(reports.short == reports.long)
    #expect(reports.short.total.pairs == 2000)
  }
}
