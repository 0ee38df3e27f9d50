import CustomDump
import DualSend
import DualSendConformance
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@Suite("A group with the table, in the adapter's place", .timeLimit(.minutes(5)))
struct TableStaysTests {
  private static let table = #"""
    {"formatVersion": 1, "events": {"*": {"parameters": {"uid": "user_id"}},
     "home.tap": {"name": "home.like.tap", "parameters": {"item_id": "new_item_id"}}, "home.view": {"name": "home.screen.view"}}}
    """#

  private let clock = ManualClock()

  private func table() throws -> RemappingTable { try RemappingTable(reading: Self.table.utf8) }

  private func tracker(_ receiver: ReceivedEvents, _ storage: TrackerConfiguration.StoreLocation = .memory) throws
    -> Tracker
  {
    Tracker(
      configuration: TrackerConfiguration(
        destination: .receiver(receiver), storage: storage, time: clock.timeSource
      ) {
        $0.digest = TrackerConfiguration.Digest(start: .onDemand)
        $0.intake.commitDelay = .zero
      })
  }

  private func adapter(
    _ tracker: Tracker, _ table: RemappingTable, configure: (inout DualSendTracker.Options) -> Void = { _ in }
  ) -> DualSendTracker {
    DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: tracker, remapping: table, rollout: RolloutSnapshot.newTrackerOnly,
      unitID: { "u" }
    ) {
      $0.time = clock.timeSource
      configure(&$0)
    }
  }

  private func group(_ tracker: Tracker, _ table: RemappingTable) -> SinkGroup {
    SinkGroup([.tracker(.newTracker, tracker)], remapping: table, time: clock.timeSource)
  }

  /// The bytes of an event, without its random id.
  private func bodies(_ receiver: ReceivedEvents) -> [String] {
    receiver.events.map { String(decoding: $0.body, as: UTF8.self).replacing($0.id.description, with: "ID") }
  }

  @Test("sends the same bytes for every table of the conformance suite, from both kinds of call sites")
  func sameBytes() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/conformance")
    let suite = try ConformanceSuite(folder)
    let byTable = Dictionary(grouping: suite.cases(of: .remapping) + suite.cases(of: .inverse)) {
      ($0.question["table"] ?? .null).canonicalText
    }
    var compared = 0
    for (text, examples) in byTable {
      let table = try RemappingTable(reading: text.utf8)
      let (before, after) = (ReceivedEvents(), ReceivedEvents())
      for logger: any OldLogger & SinkContainer in [
        adapter(try tracker(before), table), group(try tracker(after), table),
      ] {
        for question in examples.map(\.question) {
          guard case .string(let name)? = question["event"], case .object(let payload)? = question["payload"] else {
            continue
          }
          logger.logEvents(
            name: name, parameters: [payload.mapValues(\.plainValue), [:], ["at": Date(timeIntervalSince1970: 1)]])
          logger.log(name, parameters: payload)
        }
        await logger.shutdown()
      }
      expectNoDifference(bodies(after), bodies(before))
      compared += after.events.count
    }
    #expect(compared > 3_000)
  }

  @Test("sends what waits in the adapter's database first, with its ids, and no event without parameters")
  func database() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("table-stays-\(UUID()).sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
    let receiver = ReceivedEvents()
    receiver.fail(.unavailable("down"))
    let waiting = try tracker(receiver, .file(file))
    let before = adapter(waiting, try table())
    before.logEvents(name: "home.tap", parameters: ["item_id": 1])
    before.logEvents(name: "home.view")
    await before.persist()
    let ids = try await waiting.waitingIDs()
    await waiting.shutdown(timeout: .zero)

    receiver.fail(nil)
    let after = group(try tracker(receiver, .file(file)), try table())
    after.logEvents(name: "home.tap", parameters: [["item_id": 2], ["item_id": 3]])
    after.logEvents(name: "none", parameters: [])
    await after.flush()
    expectNoDifference(receiver.names, ["home.like.tap", "home.screen.view", "home.like.tap", "home.like.tap"])
    expectNoDifference(receiver.payloads, [["new_item_id": 1], [:], ["new_item_id": 2], ["new_item_id": 3]])
    #expect(ids.count == 2)
    expectNoDifference(receiver.events.prefix(2).map(\.id), ids)
    await after.shutdown()
  }

  private struct Event: TypedEvent {
    let name: String
    let parameters: [String: any Sendable] = ["item_id": 9, "uid": "u"]
  }

  @Test("leaves a typed event as it is, unless the table lists its name")
  func typed() async throws {
    let receiver = ReceivedEvents()
    let group = group(try tracker(receiver), try table())
    for name in ["cart.opened", "home.tap"] {
      group.log(Event(name: name))
      group.log(name, parameters: Event(name: name).parameters)
    }
    await group.flush()
    expectNoDifference(receiver.names, ["cart.opened", "cart.opened", "home.like.tap", "home.like.tap"])
    expectNoDifference(
      receiver.payloads,
      [
        ["item_id": 9, "uid": "u"], ["item_id": 9, "user_id": "u"], ["new_item_id": 9, "user_id": "u"],
        ["new_item_id": 9, "user_id": "u"],
      ])
    await group.shutdown()
  }

  @Test("may have fewer rows: the adapter reports the names that came through the table, over launches")
  func use() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("table-use-\(UUID()).sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
    let first = adapter(try tracker(ReceivedEvents(), .file(file)), try table()) { $0.recordsTableUse = true }
    first.logEvents(name: "home.view")
    first.logEvents(name: "not.in.the.table")
    #expect(try await first.remappedNames(inLast: 1) == ["home.view"])
    await first.shutdown()

    clock.advance(by: .seconds(86_400))
    let second = adapter(try tracker(ReceivedEvents(), .file(file)), try table()) { $0.recordsTableUse = true }
    second.logEvents(name: "home.tap")
    #expect(try await second.remappedNames(inLast: 1) == ["home.tap"])
    #expect(try await second.remappedNames(inLast: 2) == ["home.tap", "home.view"])
    await second.shutdown()

    let without = adapter(try tracker(ReceivedEvents()), try table())
    without.logEvents(name: "home.tap")
    #expect(try await without.remappedNames(inLast: 2) == nil)
    await without.shutdown()
  }

  private func shortest(collector: URL, table: RemappingTable) -> SinkGroup {
    // FinishingTheMigration: the group
    let logger = SinkGroup([.tracker(.newTracker, Tracker(endpoint: collector))], remapping: table)
    // FinishingTheMigration: the end
    return logger
  }

  private func option(_ configuration: inout DualSendTracker.Configuration) {
    // FinishingTheMigration: the option
    configuration.recordsTableUse = true
    // FinishingTheMigration: the end
  }

  private func report(logger: DualSendTracker) async throws {
    // FinishingTheMigration: the names
    let names = try await logger.remappedNames(inLast: 30) ?? []
    logger.tracker.log("table.used", parameters: ["names": names])
    // FinishingTheMigration: the end
  }

  @Test("stands in the article as it is compiled here", arguments: ["the group", "the option", "the names"])
  func verbatim(name: String) throws {
    try DocumentedExample(
      document: "Sources/DualSend/DualSend.docc/FinishingTheMigration.md", name: name
    ).check(in: #filePath)
  }
}
