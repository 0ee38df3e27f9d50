import DualSend
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRemapping
import DualSendTables
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("The count of a table's coverage", .timeLimit(.minutes(5)))
struct CoverageCountTests {
  private typealias Row = TableCoverage.Row
  private typealias OpenKey = TableCoverage.OpenKey

  /// Rows of every kind beside payloads of every shape.
  private static let table = """
    {"formatVersion": 1, "events": {
      "*": {"parameters": {"uid": "user", "ctx.a": "c.a", "gone": {"to": "here", "default": 1}}},
      "a": {"parameters": {"items[].id": "things[].id", "items[].p.q": null, "x": {"to": "y", "or": ["p", "q.a"]}, "deep.e.f": "g"}},
      "b": {"unmapped": "drop", "parameters": {"ctx.b": {"to": "w.z", "default": 2}, "list[]": "lines[]"}},
      "c": {"parameters": {"ctx.a": "other", "x": {"to": "n", "type": "int", "default": 0}}}
    }}
    """

  private static func payload(_ random: inout SplitMix64, depth: Int) -> EventValue {
    let keys = [
      "uid", "ctx", "gone", "items", "id", "p", "q", "x", "y", "deep", "e", "f", "list", "a", "b", "here", "w",
    ]
    switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &random) {
    case 0: return .int(1)
    case 1: return .null
    case 2: return "t"
    case 3: return .array((0..<Int.random(in: 0...2, using: &random)).map { _ in payload(&random, depth: depth - 1) })
    default:
      let members = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ -> (String, EventValue)? in
        keys.randomElement(using: &random).map { ($0, payload(&random, depth: depth - 1)) }
      }
      return .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The same, read off the trace of remapping, which takes each value's whole way.
  private struct Reference {
    let table: RemappingTable
    var rows: [Row: Int] = [:]
    var keys: [OpenKey: Int] = [:]

    mutating func add(_ name: String, _ payload: [String: EventValue]) {
      let rule = table.rule(for: name)
      let sources = Dictionary(rule.rows.map { ($0.source.steps, $0) }, uniquingKeysWith: { first, _ in first })
      let trace = table.trace(name, payload: payload).trace
      // A part of a container that lost its place is named beside the container, which counts as a whole.
      let whole = trace.inputs.filter { input in
        !trace.inputs.contains { other in
          other.path.steps.count < input.path.steps.count && input.path.steps.starts(with: other.path.steps)
        }
      }
      for input in whole {
        let steps = input.path.steps.map { step -> KeyPathPattern.Step in
          if case .key(let key) = step { .key(key) } else { .eachElement }
        }
        let value = EventValue.object(payload).value(at: input.path)
        let isEmpty = value == .array([]) || value == .object([:])
        if let row = sources[steps] {
          fire(row, of: name)
        } else if !isEmpty || !sources.keys.contains(where: { $0.starts(with: steps) }) {
          keys[OpenKey(event: ExactText(name), steps: steps), default: 0] += 1
        }
      }
      for case .defaultValue(let source) in trace.outputs.map(\.origin) {
        if let row = sources[source.steps] { fire(row, of: name) }
      }
    }

    private mutating func fire(_ row: RemappingRow, of name: String) {
      let isShared = table.ruleForOthers.rows.contains(row)
      rows[Row(event: isShared ? TableCoverage.wildcard : ExactText(name), source: row.source), default: 0] += 1
    }
  }

  @Test("is what the traces of the same events say")
  func agreesWithTraces() throws {
    let table = try RemappingTable(reading: Self.table.utf8)
    var (count, reference) = (CoverageCount(of: table), Reference(table: table))
    var random = SplitMix64(seed: 10)
    for _ in 0..<5000 {
      let name = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
      guard case .object(let payload) = Self.payload(&random, depth: 4) else { continue }
      count.add(name, payload: payload)
      reference.add(name, payload)
    }
    let coverage = count.coverage(TablePlaces(Array(Self.table.utf8)))
    #expect(coverage.rows.filter { $0.value > 0 } == reference.rows)
    #expect(coverage.keysWithoutRow.mapValues(\.count) == reference.keys)
    #expect(reference.rows.count > 8 && reference.keys.count > 30)
  }

  @Test("is the same where a line of a known shape is only counted as one", arguments: UInt64(1)...4)
  func knownShapes(seed: UInt64) async throws {
    let text = """
      {"formatVersion": 1, "events": {
        "*": {"parameters": {"uid": "user", "ctx.a": "c.a"}},
        "a": {"parameters": {"items[].id": "things[].id", "items[].p.q": null, "x": "y"}},
        "c": {"parameters": {"x": {"to": "n", "type": "int", "default": 0}}}
      }}
      """
    let table = try RemappingTable(reading: text.utf8)
    var random = SplitMix64(seed: seed)
    let lines = (0..<3000).map { _ in Self.line(&random) }
    var count = CoverageCount(of: table)
    var malformed = 0
    for line in lines {
      do {
        let event = try LegacyEvent(reading: line)
        count.add(event.name, payload: event.parameters)
      } catch { malformed += 1 }
    }
    #expect(malformed > 50 && malformed < 1500)
    let folder = try TemporaryFiles()
    try folder.write("table.json", text)
    try Data(lines.joined(separator: [0x0A])).write(to: URL(fileURLWithPath: folder.path("events.jsonl")))
    let terminal = RecordingTerminal()
    let arguments = [
      "table", "coverage", folder.path("table.json"), "--events", folder.path("events.jsonl"), "--format", "json",
    ]
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) == .findings)
    #expect(terminal.results == count.coverage(TablePlaces(Array(text.utf8))).json.canonicalText + "\n")
    #expect(terminal.diagnostics.contains("\((malformed - 20).grouped) more lines are malformed"))
  }

  /// A line whose scalars and spaces are written in one of their ways, and which may be broken anywhere.
  private static func line(_ random: inout SplitMix64) -> [UInt8] {
    let payload = EventValue.object(["x": payload(&random, depth: 1), "ctx": payload(&random, depth: 2)])
    func rarely(_ odd: [String], _ usual: String) -> String {
      Int.random(in: 0..<8, using: &random) == 0 ? odd.randomElement(using: &random) ?? usual : usual
    }
    let time = rarely(["12345678901234567", "1.5", "null", "99999999999999999999", "01"], "1")
    let name = ["a", "b", "c", "\\u0061", "é"].randomElement(using: &random) ?? "a"
    var text = #"{"name":"\#(name)","parameters":\#(payload.canonicalText),"time":\#(time)}"#
    let texts = [#""t""#, #""\"é""#, #""\u00zz""#, #""ctrl\u{1}""#, #""日本""#, "1e5", "-0", "1e999", "tru"]
    text = text.replacingOccurrences(of: #""t""#, with: rarely(texts, "1"))
    if Bool.random(using: &random) { text = text.replacingOccurrences(of: ",", with: " , ") }
    var bytes = Array(text.utf8)
    if Int.random(in: 0..<9, using: &random) == 0 {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = [0x22, 0x7B, 0x5D, 0x2C, 0x3A, 0xFF, 0x30].randomElement(using: &random) ?? 0
    }
    return bytes
  }
}
