import DualSend
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

/// Every process orders its dictionaries by a seed of its own. Nothing that a command writes may show that.
@Suite("The same input gives the same bytes in every process", .timeLimit(.minutes(5)))
struct HashSeedTests {
  private static let eventCount = 60
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func expectSameTraces(_ arguments: [String], processes: Int = 4) async throws {
    let first = try await ChildCommand(arguments: arguments).run(in: folder)
    #expect([0, 1].contains(first.status), "\(String(decoding: first.diagnostics, as: UTF8.self))")
    for _ in 1..<processes {
      let other = try await ChildCommand(arguments: arguments).run(in: folder)
      try #require(other == first, "\(arguments.joined(separator: " "))")
    }
  }

  /// Writes a random table, and legacy events for it.
  private func migration(seed: UInt64) throws -> (table: String, events: String, lines: [LegacyEvent]) {
    var random = RandomMigration(seed: seed)
    let table = try folder.file("table-\(seed).json", random.table(events: Self.eventCount).canonicalText)
    let lines = (0..<6 * Self.eventCount).map { number in
      LegacyEvent(
        name: number % 50 == 49 ? "\u{E9}" : "e\(number % Self.eventCount)", parameters: random.payload(),
        unitID: "u\(number)", time: 1_760_000_000_000 + Int64(number),
        id: EventID(high: 0x0199_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number)))
    }
    return (table, try folder.file("events-\(seed).jsonl", lines.map(\.line).joined()), lines)
  }

  @Test("remap, where a default meets a value that another row replaces")
  func meeting() async throws {
    let table = try folder.file("table.json", RandomMigration.meetingTable.canonicalText)
    let events = try folder.file("events.jsonl", #"{"name":"e","parameters":{"p":{"z":1},"x":1,"a":5}}"# + "\n")
    for _ in 0..<6 {
      let traces = try await ChildCommand(arguments: ["remap", table, "--events", events]).run(in: folder)
      let result = #"{"name":"e","parameters":{"a":{"b":1,"c":9},"p":{"z":1}}}"# + "\n"
      #expect(String(decoding: traces.results, as: UTF8.self) == result)
    }
  }

  @Test("remap, coverage and validate", arguments: UInt64(1)...2)
  func tables(seed: UInt64) async throws {
    let (table, events, _) = try migration(seed: seed)
    try await expectSameTraces(["remap", table, "--events", events])
    try await expectSameTraces(["table", "coverage", table, "--events", events])
    try await expectSameTraces(["table", "coverage", table, "--events", events, "--format", "json"], processes: 3)
    try await expectSameTraces(["validate", table], processes: 2)
  }

  @Test("explain, in text and as JSON")
  func explain() async throws {
    let (table, _, lines) = try migration(seed: 4)
    for event in lines.prefix(10) {
      let payload = EventValue.object(event.parameters).canonicalText
      try await expectSameTraces(
        ["explain", "--remap", table, "--event", event.name, "--payload", payload]
          + (event.parameters.count % 2 == 0 ? [] : ["--format", "json"]), processes: 3)
    }
  }

  @Test("parity, in text and as JSON")
  func parity() async throws {
    let (path, old, lines) = try migration(seed: 5)
    let table = try RemappingTable(reading: Data(contentsOf: URL(fileURLWithPath: path)))
    let new = try folder.file(
      "new.jsonl",
      lines.enumerated().map { number, event in
        let remapped = table.apply(to: event.name, payload: event.parameters)
        var payload = remapped.payload
        if number % 3 == 0, let key = payload.keys.min() { payload[key] = "other" }
        let element = TrackingEvent(
          id: event.id ?? EventID(high: 0, low: 0), time: event.time ?? 0, name: remapped.name, payload: payload)
        var writer = CanonicalJSONWriter()
        element.writeElement(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
      }.joined())
    let arguments = ["parity", "--old", old, "--new", new, "--remap", path]
    try await expectSameTraces(arguments)
    try await expectSameTraces(arguments + ["--normalise", "firebase", "--format", "json"], processes: 3)
    let names = lines.map { $0.name.replacing("\"", with: "\"\"") }
    let plan = try folder.file("plan.csv", "event,key\n" + names.map { "\"\($0)\",item_id\n" }.joined())
    let draft = ["table", "draft", "--old", old, "--names", plan]
    try await expectSameTraces(draft)
    try await expectSameTraces(draft + ["--format", "json", "--output", "draft.json"], processes: 3)
    try await expectSameTraces(["table", "export", path], processes: 3)
  }

  @Test("golden record and simulate")
  func golden() async throws {
    let (table, events, _) = try migration(seed: 6)
    var random = RandomMigration(seed: 6)
    let rollout = try folder.file("rollout.json", random.rollout(revision: 40).canonicalText)
    try await expectSameTraces(
      ["golden", "record", "--events", events, "--remap", table, "--rollout", rollout, "--folder", "golden"],
      processes: 4)
    try await expectSameTraces(["simulate", rollout, "--events", events], processes: 3)
  }

  @Test("plan and validate of a rollout", arguments: UInt64(7)...8)
  func plan(seed: UInt64) async throws {
    var random = RandomMigration(seed: seed)
    let before = try folder.file("before.json", random.rollout(revision: 10).canonicalText)
    let after = try folder.file("after.json", random.rollout(revision: 20).canonicalText)
    try await expectSameTraces(["plan", before, after, "--allow-evictions"])
    try await expectSameTraces(["plan", before, after, "--allow-evictions", "--format", "json"], processes: 3)
    try await expectSameTraces(["validate", before, after], processes: 2)
  }
}

extension LegacyEvent {
  /// The event as the old logger's file has it, with the id that both streams carry.
  fileprivate var line: String {
    var members: [String: EventValue] = ["name": .string(name), "parameters": .object(parameters)]
    members["unitID"] = unitID.map { .string($0) }
    members["time"] = time.map { .int($0) }
    members["eventId"] = id.map { .string($0.description) }
    return EventValue.object(members).canonicalText + "\n"
  }
}
