import DualSendRemapping
import DualSendTables
import Testing

@Suite("Inverting a table", .timeLimit(.minutes(5)))
struct InversionTests {
  @Test("an inverse undoes names, rows and constants")
  func undoes() throws {
    let table = try table(
      #"{"formatVersion":1,"events":{"*":{"parameters":{"u":"user"}},"e":{"name":"n","parameters":{"a":"x.b"},"add":{"v":2}}}}"#
    )
    let inverse = try #require(table.inverted())
    let back = try inverse.apply(to: "n", payload: payload(#"{"x":{"b":1},"user":2,"v":2,"z":3}"#))
    #expect(back.name == "e")
    #expect(back.json == #"{"a":1,"u":2,"z":3}"#)
    #expect(try inverse.apply(to: "other", payload: payload(#"{"user":2}"#)).json == #"{"u":2}"#)
  }

  @Test(
    "what stands in the way of an inverse is named",
    arguments: [
      (#"{"e":{"parameters":{"a":null}}}"#, "`e`, `a`: the value is dropped"),
      (#"{"e":{"parameters":{"a":{"to":"b","type":"int"}}}}"#, "`e`, `a`: different values may become the same"),
      (#"{"e":{"parameters":{"a":{"to":"b","or":["c"]}}}}"#, "`e`, `c`: several keys become one"),
      (#"{"e":{"parameters":{"a[]":"b[]"}}}"#, "`e`, `a[]`: the path walks over an array"),
      (#"{"*":{"unmapped":"drop"}}"#, "`*`: values without a row are dropped"),
      (#"{"e":{"name":"n"},"f":{"name":"n"}}"#, "`f`: gets the same name as `e`"),
      (#"{"e":{"name":"f"},"f":{}}"#, "`f`: gets the same name as `e`"),
    ])
  func obstacles(events: String, reason: String) throws {
    let table = try table(#"{"formatVersion":1,"events":\#(events)}"#)
    #expect(table.inversionObstacles.map(\.description) == [reason])
    #expect(table.inverted() == nil)
  }

  @Test(
    "an event is not called reversible where the inverse could not know",
    arguments: [
      ("e", #"{"b":1}"#), ("n", "{}"), ("e", #"{"c":{},"d":1}"#),
    ])
  func irreversible(event: String, values: String) throws {
    let table = try table(#"{"formatVersion":1,"events":{"e":{"name":"n","parameters":{"a":"b","d":"c.x"}}}}"#)
    #expect(table.isInvertible)
    #expect(try !table.isReversible(event, payload: payload(values)))
  }
}
