import DualSendCore
import DualSendRemapping
import Testing

@Suite("Tracing", .timeLimit(.minutes(5)))
struct TraceTests {
  private let entry = #"""
    {"name":"n","parameters":{"a":"b","c.x":{"to":"y","type":"int"},"d":null,"f":{"to":"g","default":1}},
     "add":{"schema":2}}
    """#

  @Test("every output key says where it came from")
  func outputs() throws {
    let trace = try table(forEvent: entry).trace(
      "e", payload: payload(#"{"a":1,"c":{"x":"2.5","z":3},"d":4,"b":5}"#)
    ).trace
    let expected: [(String, RemappingTrace.Origin)] = [
      ("b", .row(source: EventPath([.key("a")]), .unchanged)),
      ("c.z", .unmapped),
      ("g", .defaultValue(of: try KeyPathPattern("f"))),
      ("schema", .constant),
      ("y", .row(source: EventPath([.key("c"), .key("x")]), .lossy)),
    ]
    #expect(trace.outputs.map(\.path.description) == expected.map(\.0))
    #expect(trace.outputs.map(\.origin) == expected.map(\.1))
    #expect((trace.oldName, trace.newName) == ("e", "n"))
  }

  @Test("every input key says where it went")
  func inputs() throws {
    let trace = try table(forEvent: entry).trace(
      "e", payload: payload(#"{"a":1,"c":{"x":"2.5","z":3},"d":4,"b":5}"#)
    ).trace
    let b = EventPath([.key("b")])
    let expected: [(String, RemappingTrace.Destination)] = [
      ("a", .moved(to: b, .unchanged)),
      ("b", .lost(at: b)),
      ("c.x", .moved(to: EventPath([.key("y")]), .lossy)),
      ("c.z", .kept),
      ("d", .dropped),
    ]
    #expect(trace.inputs.map(\.path.description) == expected.map(\.0))
    #expect(trace.inputs.map(\.destination) == expected.map(\.1))
  }

  @Test("a value that loses its place inside an untouched object is listed by its own path")
  func lostInside() throws {
    let trace = try table(forEvent: #"{"parameters":{"a":"c.x"}}"#).trace(
      "e", payload: payload(#"{"a":1,"c":{"x":2,"y":3}}"#)
    ).trace
    #expect(
      trace.inputs.contains { $0.path.description == "c.x" && $0.destination == .lost(at: $0.path) })
    #expect(trace.inputs.contains { $0.path.description == "c" && $0.destination == .kept })
  }

  @Test("a refused value is lost where the payload wins")
  func refused() throws {
    let trace = try table(forEvent: #"{"parameters":{"a":"b"},"onClash":"payload"}"#).trace(
      "e", payload: payload(#"{"a":1,"b":2}"#)
    ).trace
    let b = EventPath([.key("b")])
    #expect(trace.inputs.map(\.destination) == [.lost(at: b), .kept])
    #expect(trace.outputs.map(\.origin) == [.unmapped])
  }

  @Test("names the source that won, those that agree with it, and those that are lost")
  func alternatives() throws {
    let table: RemappingTable = [
      "e": .init(parameters: ["a": .init(to: "x", or: ["b", "c", "d"], type: .int)])
    ]
    let (remapped, trace) = table.trace("e", payload: ["a": nil, "b": "1", "c": 1, "d": 2])
    let target = EventPath([.key("x")])
    #expect(remapped.payload == ["x": 1] && remapped.clashes == 1 && remapped.conversionFailures == 0)
    #expect(
      trace.inputs.map(\.destination) == [
        .yielded(at: target), .moved(to: target, .converted), .yielded(at: target), .lost(at: target),
      ])
    #expect(trace.outputs.map(\.origin) == [.row(source: EventPath([.key("b")]), .converted)])
  }
}
