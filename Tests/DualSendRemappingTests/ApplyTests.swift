import DualSendCore
import DualSendRemapping
import DualSendTables
import Testing

@Suite("Applying a table", .timeLimit(.minutes(5)))
struct ApplyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let entry: String
    let input: String
    let output: String

    init(_ description: String, _ entry: String, _ input: String, _ output: String) {
      (testDescription, self.entry, self.input, self.output) = (description, entry, input, output)
    }
  }

  @Test(
    "a default is written beside a row or a constant that replaced a value, whichever comes first in a dictionary",
    arguments: [
      Case(
        "row", #"{"parameters":{"x":"a.b","p.q":{"to":"a.c","default":9}}}"#, #"{"p":{"z":1},"x":1,"a":5}"#,
        #"{"a":{"b":1,"c":9},"p":{"z":1}}"#),
      Case(
        "constant", #"{"parameters":{"p.q":{"to":"a.c","default":9}},"add":{"a.b":1}}"#, #"{"a":5}"#,
        #"{"a":{"b":1,"c":9}}"#),
    ])
  func defaultBesideClash(_ example: Case) throws {
    let remapped = try table(forEvent: example.entry).apply(to: "e", payload: payload(example.input))
    #expect(remapped.json == example.output)
    #expect(remapped.clashes == 1)
  }

  @Test(
    "an event's values go where its rows say",
    arguments: [
      Case("rename", #"{"parameters":{"a":"b"}}"#, #"{"a":1,"z":2}"#, #"{"b":1,"z":2}"#),
      Case("drop", #"{"parameters":{"a":null}}"#, #"{"a":1,"z":2}"#, #"{"z":2}"#),
      Case("swap", #"{"parameters":{"a":"b","b":"a"}}"#, #"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
      Case("half of a swap", #"{"parameters":{"a":"b","b":"a"}}"#, #"{"a":1}"#, #"{"b":1}"#),
      Case("out of an object", #"{"parameters":{"c.s":"s"}}"#, #"{"c":{"s":1,"t":2}}"#, #"{"c":{"t":2},"s":1}"#),
      Case("an emptied object goes", #"{"parameters":{"c.s":"s"}}"#, #"{"c":{"s":1}}"#, #"{"s":1}"#),
      Case("an empty object stays", #"{"parameters":{"c.s":"s"}}"#, #"{"c":{}}"#, #"{"c":{}}"#),
      Case("into an object", #"{"parameters":{"s":"c.s.t"}}"#, #"{"s":1,"c":{"d":2}}"#, #"{"c":{"d":2,"s":{"t":1}}}"#),
      Case("a literal dot", #"{"parameters":{"a\\.b":"a.b"}}"#, #"{"a.b":1}"#, #"{"a":{"b":1}}"#),
      Case("an object as a whole", #"{"parameters":{"c":"d"}}"#, #"{"c":{"s":[1]}}"#, #"{"d":{"s":[1]}}"#),
      Case("array elements", #"{"parameters":{"t[]":"l[]"}}"#, #"{"t":[1,2]}"#, #"{"l":[1,2]}"#),
      Case(
        "keys in elements", #"{"parameters":{"i[].id":"p[].sku"}}"#, #"{"i":[{"id":1,"q":2},{"id":3}]}"#,
        #"{"i":[{"q":2},{}],"p":[{"sku":1},{"sku":3}]}"#),
      Case(
        "in place in elements", #"{"parameters":{"i[].id":"i[].sku"}}"#, #"{"i":[{"id":1,"q":2},{"q":3}]}"#,
        #"{"i":[{"q":2,"sku":1},{"q":3}]}"#),
      Case(
        "positions are kept", #"{"parameters":{"i[].id":"p[].sku"},"unmapped":"drop"}"#, #"{"i":[{},{"id":3}]}"#,
        #"{"p":[{},{"sku":3}]}"#),
      Case(
        "elements gathered keep positions", #"{"parameters":{"i[].id":"ids[]"},"unmapped":"drop"}"#,
        #"{"i":[{"x":1},{"id":3}]}"#, #"{"ids":[null,3]}"#),
      Case(
        "arrays in arrays", #"{"parameters":{"g[][]":"h[][]"}}"#, #"{"g":[[1],[],[2,3]]}"#,
        #"{"g":[[],[],[]],"h":[[1],[],[2,3]]}"#),
      Case(
        "a row on something else", #"{"parameters":{"a.b":"x","c[]":"y[]"}}"#, #"{"a":1,"c":{}}"#, #"{"a":1,"c":{}}"#),
      Case("unmapped drop", #"{"parameters":{"a":"b"},"unmapped":"drop"}"#, #"{"a":1,"z":2}"#, #"{"b":1}"#),
      Case("constants", #"{"add":{"schema":2,"meta.v":[1]}}"#, #"{"a":1}"#, #"{"a":1,"meta":{"v":[1]},"schema":2}"#),
      Case("default for an absent value", #"{"parameters":{"a":{"to":"b","default":7}}}"#, "{}", #"{"b":7}"#),
      Case("default for null", #"{"parameters":{"a":{"to":"b","default":7}}}"#, #"{"a":null}"#, #"{"b":7}"#),
      Case("default in a missing object", #"{"parameters":{"a.x":{"to":"b","default":7}}}"#, "{}", #"{"b":7}"#),
      Case(
        "default in elements", #"{"parameters":{"i[].q":{"to":"i[].n","default":1}}}"#, #"{"i":[{"id":1},{"q":4}]}"#,
        #"{"i":[{"id":1,"n":1},{"n":4}]}"#),
      Case(
        "default in elements before one with a value", #"{"parameters":{"a[].v":{"to":"c[]","default":true}}}"#,
        #"{"a":[{},{"v":1}]}"#, #"{"a":[{},{}],"c":[true,1]}"#),
      Case(
        "default in arrays of arrays", #"{"parameters":{"a[][].v":{"to":"c[].d[]","default":0}}}"#,
        #"{"a":[[{}],[{},{"v":1}]]}"#, #"{"a":[[{}],[{},{}]],"c":[{"d":[0]},{"d":[0,1]}]}"#),
      Case(
        "a default yields to a null of the payload", #"{"parameters":{"a[].v":{"to":"c[]","default":true}}}"#,
        #"{"a":[{},{},{"v":1}],"c":[null]}"#, #"{"a":[{},{},{}],"c":[null,true,1]}"#),
      Case("a default yields", #"{"parameters":{"a":{"to":"b","default":7}}}"#, #"{"b":1}"#, #"{"b":1}"#),
    ])
  func moves(_ example: Case) throws {
    let remapped = try table(forEvent: example.entry).apply(to: "e", payload: payload(example.input))
    #expect(remapped.json == example.output)
    #expect(remapped.clashes == 0)
  }

  @Test("an event gets its new name; one without an entry keeps its own")
  func names() throws {
    let table = try table(#"{"formatVersion":1,"events":{"old":{"name":"new"},"other":{"name":"new"}}}"#)
    #expect(["old", "other", "third"].map { table.apply(to: $0, payload: [:]).name } == ["new", "new", "third"])
  }

  @Test("wildcard rows hold for every event, and an own row wins over them key by key")
  func wildcard() throws {
    let table = try table(
      #"{"formatVersion":1,"events":{"*":{"parameters":{"u":"user","t":null}},"e":{"parameters":{"u":"account"}}}}"#)
    let values = try payload(#"{"u":1,"t":2}"#)
    #expect(table.apply(to: "e", payload: values).json == #"{"account":1}"#)
    #expect(table.apply(to: "f", payload: values).json == #"{"user":1}"#)
  }

  @Test("an event's own unmapped word wins over the wildcard's")
  func unmappedInherited() throws {
    let table = try table(#"{"formatVersion":1,"events":{"*":{"unmapped":"drop"},"e":{"unmapped":"keep"},"f":{}}}"#)
    #expect(table.apply(to: "e", payload: ["a": 1]).payload == ["a": 1])
    #expect(table.apply(to: "f", payload: ["a": 1]).payload.isEmpty)
  }

  @Test(
    "where a value already stands the mapped one wins, and the clash is counted",
    arguments: [
      (#"{"parameters":{"a":"b"}}"#, #"{"a":1,"b":2}"#, #"{"b":1}"#),
      (#"{"parameters":{"a":"c.x"}}"#, #"{"a":1,"c":{"x":2,"y":3}}"#, #"{"c":{"x":1,"y":3}}"#),
      (#"{"parameters":{"a":"c.x"}}"#, #"{"a":1,"c":2}"#, #"{"c":{"x":1}}"#),
      (#"{"parameters":{"a":"c"}}"#, #"{"a":1,"c":{"x":2}}"#, #"{"c":1}"#),
      (#"{"add":{"schema":2}}"#, #"{"schema":1}"#, #"{"schema":2}"#),
    ])
  func clash(entry: String, input: String, output: String) throws {
    let table = try table(forEvent: entry)
    let remapped = try table.apply(to: "e", payload: payload(input))
    #expect(remapped.json == output)
    #expect(remapped.clashes == 1)
    #expect(try !table.isReversible("e", payload: payload(input)))
  }

  @Test(
    "the payload wins clashes where the table says so",
    arguments: [
      (#"{"parameters":{"a":"b"},"onClash":"payload"}"#, #"{"a":1,"b":2}"#, #"{"b":2}"#),
      (#"{"parameters":{"a":"c.x"},"onClash":"payload"}"#, #"{"a":1,"c":2}"#, #"{"c":2}"#),
    ])
  func payloadWins(entry: String, input: String, output: String) throws {
    let remapped = try table(forEvent: entry).apply(to: "e", payload: payload(input))
    #expect(remapped.json == output)
    #expect(remapped.clashes == 1)
  }

  @Test("values without a row are reported by path where the table asks for it")
  func report() throws {
    let table = try table(forEvent: #"{"parameters":{"a.x":"x","i[].id":"ids[]"},"unmapped":"report"}"#)
    let remapped = try table.apply(to: "e", payload: payload(#"{"a":{"x":1,"y":2},"i":[{"q":1}],"z":3}"#))
    #expect(remapped.unmapped.map(\.description) == ["a.y", "i[0].q", "z"])
  }
}
