import DualSendCore
import DualSendParity
import DualSendRemapping
import Foundation
import Testing

@Suite("Comparing two payloads", .timeLimit(.minutes(5)))
struct PayloadComparisonTests {
  @Test(
    "a field has one outcome",
    arguments: [
      (#"{"a":1}"#, #"{"a":1}"#, .equal),
      (#"{"a":1}"#, #"{"a":1.0}"#, .equal),
      (#"{"a":1}"#, #"{"a":2}"#, .valueChanged),
      (#"{"a":1}"#, #"{"a":1.5}"#, .valueChanged),
      (#"{"a":9007199254740993}"#, #"{"a":9007199254740992.0}"#, .valueChanged),
      (#"{"a":1}"#, #"{"a":"1"}"#, .typeChanged),
      (#"{"a":1}"#, #"{"a":true}"#, .typeChanged),
      (#"{"a":null}"#, #"{"a":0}"#, .typeChanged),
      (#"{"a":{"b":1}}"#, #"{"a":[1]}"#, .typeChanged),
      (#"{"a":{}}"#, #"{"a":{}}"#, .equal),
      (#"{"a":null}"#, "{}", .missing),
      (#"{"a":{"b":1,"c":2}}"#, "{}", .missing),
      ("{}", #"{"a":1}"#, .extra),
    ] as [(String, String, FieldOutcome)])
  func outcome(expected: String, actual: String, outcome: FieldOutcome) throws {
    let comparison = PayloadComparison(expected: try payload(expected), actual: try payload(actual))
    #expect(comparison.fields.map(\.path.description) == ["a"])
    #expect(comparison.fields.map(\.outcome) == [outcome])
    #expect(comparison.isMatch == (outcome == .equal))
  }

  @Test("a date equals its text on the wire")
  func date() {
    let date = EventValue.date(Date(timeIntervalSince1970: 1.5))
    #expect(PayloadComparison(expected: ["t": date], actual: ["t": "1970-01-01T00:00:01.500Z"]).isMatch)
  }

  @Test("containers are compared inside, and differences named by path")
  func nested() throws {
    let comparison = PayloadComparison(
      expected: try payload(#"{"a":{"b":[1,{"c":2}],"d":3}}"#),
      actual: try payload(#"{"a":{"b":[1,{"c":4},5],"d":3}}"#))
    #expect(
      comparison.differences.map { "\($0.path) \($0.outcome)" } == ["a.b[1].c valueChanged", "a.b[2] extra"])
    #expect(comparison.counts[.equal] == 2)
  }

  @Test("ignored fields are counted apart from equal ones")
  func ignored() throws {
    let comparison = PayloadComparison(
      expected: try payload(#"{"a":1,"t":{"x":1},"l":[{"id":1,"v":2}]}"#),
      actual: try payload(#"{"a":1,"t":{"x":2},"l":[{"id":3,"v":2}]}"#),
      ignoring: [try KeyPathPattern("t"), try KeyPathPattern("l[].id")])
    #expect(comparison.isMatch)
    #expect(comparison.counts[.ignored] == 2)
    #expect(comparison.counts[.equal] == 2)
    #expect(comparison.counts.compared == 2)
  }
}
