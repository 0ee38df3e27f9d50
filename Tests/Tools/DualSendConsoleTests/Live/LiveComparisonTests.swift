import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import Testing

@testable import DualSendConsole

@Suite("How both sides of an event are joined and judged", .timeLimit(.minutes(5)))
struct LiveComparisonTests {
  private let clock = ManualClock()

  private func pairs(
    limits: LiveLimits = LiveLimits(), hasOldLog: Bool = true, rollout: String? = nil, hasTable: Bool = true
  ) async throws -> LiveComparison {
    let pairs = LiveComparison(limits: limits, hasOldLog: hasOldLog, timeSource: clock.timeSource)
    if hasTable { await pairs.setTable(try Self.table("user")) }
    if let rollout {
      let text = #"{"formatVersion": 1, "revision": 1, "salt": "s", \#(rollout)}"#
      await pairs.setRollout(try RolloutDocument(reading: text.utf8))
    }
    return pairs
  }

  private static func table(_ target: String) throws -> LiveTable {
    let text = #"{"formatVersion": 1, "events": {"launch": {"name": "open", "parameters": {"uid": "\#(target)"}}}}"#
    return LiveTable(try RemappingTable(reading: text.utf8)) { _, _ in LiveTable.Row(line: 1, text: "row") }
  }

  private func state(_ number: Int, in pairs: LiveComparison) async -> LiveEntry.State? {
    await pairs.entry(eventID(number))?.state
  }

  @Test("by id, whichever side comes first")
  func joined() async throws {
    let pairs = try await pairs()
    await pairs.addOld([oldEvent(1)])
    #expect(await state(1, in: pairs) == .waiting)
    _ = await pairs.addNew([newEvent(1), newEvent(2)])
    await pairs.addOld([oldEvent(2, unit: .some(nil)), oldEvent(3, "launch", ["uid": "x"])])
    _ = await pairs.addNew([newEvent(3)])
    #expect(await [state(1, in: pairs), state(2, in: pairs), state(3, in: pairs)] == [.matched, .matched, .differs])
    let total = try #require(await pairs.parityReport?.total)
    #expect((total.pairs, total.differing) == (3, 1))
  }

  @Test("a side that comes twice counts once")
  func duplicates() async throws {
    let pairs = try await pairs()
    #expect(await pairs.addNew([newEvent(1), newEvent(1)]) == 1)
    await pairs.addOld([oldEvent(1), oldEvent(1)])
    #expect(await pairs.parityReport?.total.pairs == 1)
    #expect(await pairs.totals["matched"] == 1)
  }

  @Test("an old event whose new side does not come in time is lost, until it comes after all")
  func lost() async throws {
    let pairs = try await pairs()
    await pairs.addOld([oldEvent(1)])
    clock.advance(by: .seconds(59))
    await pairs.tick()
    #expect(await state(1, in: pairs) == .waiting)
    clock.advance(by: .seconds(1))
    await pairs.tick()
    #expect(await state(1, in: pairs) == .lost)
    #expect(await pairs.parityReport?.total.lost == 1)
    #expect(await pairs.totals["lost"] == 1)

    _ = await pairs.addNew([newEvent(1)])
    #expect(await state(1, in: pairs) == .matched)
    let total = try #require(await pairs.parityReport?.total)
    #expect((total.lost, total.pairs, total.judged, total.failing) == (0, 1, 1, 0))
    #expect(await pairs.totals["lost"] == 0)
  }

  @Test("a new event whose old side does not come in time is lost")
  func lostOld() async throws {
    let pairs = try await pairs()
    _ = await pairs.addNew([newEvent(1)])
    clock.advance(by: .seconds(60))
    await pairs.tick()
    #expect(await state(1, in: pairs) == .lost)
  }

  @Test("a new event stands alone where nothing brings old ones")
  func collectorOnly() async throws {
    let pairs = try await pairs(hasOldLog: false)
    _ = await pairs.addNew([newEvent(1)])
    #expect(await state(1, in: pairs) == .alone)
  }

  @Test("the document decides where an event of a known unit belongs")
  func membership() async throws {
    let oldOnly = try await pairs(rollout: #""shouldSendLogToNewTracker": 0"#)
    await oldOnly.addOld([oldEvent(1)])
    #expect(await state(1, in: oldOnly) == .alone)
    _ = await oldOnly.addNew([newEvent(1), newEvent(2)])
    #expect(await [state(1, in: oldOnly), state(2, in: oldOnly)] == [.unexpected, .waiting])
    clock.advance(by: .seconds(60))
    await oldOnly.tick()
    // The new side has what it should not have, and the old one lacks it: as `dualsend parity` does, it is called lost.
    #expect(await state(2, in: oldOnly) == .lost)

    let newOnly = try await pairs(rollout: #""shouldSendLogToNewTracker": 100, "shouldSendLogToOldLogger": 0"#)
    _ = await newOnly.addNew([newEvent(1)])
    await newOnly.addOld([oldEvent(2)])
    #expect(await [state(1, in: newOnly), state(2, in: newOnly)] == [.alone, .waiting])
  }

  @Test("what the mirror says of the decision wins over the document")
  func mirroredDecision() async throws {
    let pairs = try await pairs(rollout: #""shouldSendLogToNewTracker": 100"#)
    let mirrored = try LiveMirrored([
      "id": .string(eventID(1).description), "time": 5, "unit": "u", "old": ["name": "launch", "parameters": [:]],
      "new": nil, "decision": ["outcome": "oldOnly", "reason": "a test"],
    ])
    #expect(await pairs.addMirrored([mirrored]) == 1)
    let entry = try #require(await pairs.entry(eventID(1)))
    #expect(entry.state == .alone)
    #expect(entry.json["reason"] == "a test")
  }

  @Test("without a table both sides are joined and said not to be compared")
  func withoutTable() async throws {
    let pairs = try await pairs(hasTable: false)
    await pairs.addOld([oldEvent(1)])
    _ = await pairs.addNew([newEvent(1, "anything")])
    let entry = try #require(await pairs.entry(eventID(1)))
    #expect(entry.state == .uncompared)
    #expect(await [pairs.totals["matched"], pairs.totals["uncompared"]] == [0, 1])
    #expect(await pairs.parityReport == nil)
    await pairs.setTable(try Self.table("user"))
    #expect(await state(1, in: pairs) == .differs)
  }

  @Test("another table judges every kept pair again")
  func anotherTable() async throws {
    let pairs = try await pairs()
    await pairs.addOld([oldEvent(1), oldEvent(2)])
    _ = await pairs.addNew([newEvent(1)])
    clock.advance(by: .seconds(60))
    await pairs.tick()
    await pairs.setTable(try Self.table("other"))
    #expect(await state(1, in: pairs) == .differs)
    #expect(await pairs.totals["differs"] == 1)
    let total = try #require(await pairs.parityReport?.total)
    #expect((total.pairs, total.differing, total.lost) == (1, 1, 1))
    #expect(await pairs.changes(after: 1, limit: 10, backlog: 10).isGap)
    #expect(await pairs.restarted == clock.timeSource.wallMilliseconds(), "the page says so")
  }

  /// Payloads of many sizes, each side first in turn, the table edited in between, memory for a few of them.
  @Test("counts what `parity` counts, whatever payloads memory can hold")
  func totals() async throws {
    var limits = LiveLimits()
    (limits.payloadBytes, limits.allPayloadBytes, limits.entries) = (64 << 10, 256 << 10, 40)
    let pairs = try await pairs(limits: limits)
    var (old, new): ([LiveOldEvent], [TrackingEvent]) = ([], [])
    for number in 0..<120 {
      let text = EventValue.string(String(repeating: "\(number % 10)", count: [10, 30_000, 100_000][number % 3]))
      old.append(oldEvent(number, "launch", ["uid": text]))
      new.append(newEvent(number, "open", ["user": number % 7 == 0 ? "other" : text]))
    }
    await pairs.addOld(Array(old[..<60]))
    _ = await pairs.addNew(Array(new[60...]))
    await pairs.setTable(try Self.table("user"))
    _ = await pairs.addNew(Array(new[..<60]))
    await pairs.addOld(Array(old[60...]))
    let total = try #require(await pairs.parityReport?.total)
    #expect((total.pairs, total.differing, total.judged, total.failing, total.uncompared) == (120, 18, 120, 18, 0))
    #expect(await [pairs.totals["matched"], pairs.totals["differs"]] == [102, 18])
  }

  @Test("a pair whose payload is lost is not compared: it counts as nothing, and allows nothing")
  func lostPayload() async throws {
    var limits = LiveLimits()
    (limits.payloadBytes, limits.diskBytes) = (100, 0)
    let pairs = try await pairs(limits: limits)
    let text = EventValue.string(String(repeating: "a", count: 200))
    await pairs.addOld((0..<3_100).map { oldEvent($0, "launch", ["uid": text]) })
    _ = await pairs.addNew((0..<3_100).map { newEvent($0, "open", ["user": "other"]) })
    let event = try #require(await pairs.parityReport?.events.first)
    #expect((event.pairs, event.judged, event.failing, event.uncompared) == (0, 0, 0, 3_100))
    #expect(await [pairs.totals["matched"], pairs.totals["uncompared"]] == [0, 3_100])
    #expect(ParityGate(limit: .perMille).raiseVerdict(on: event) == .nothingJudged)
    await pairs.addOld((4_000..<8_000).map { oldEvent($0, unit: "unit-\($0)") })
    _ = await pairs.addNew((4_000..<8_000).map { newEvent($0) })
    let more = try #require(await pairs.parityReport?.events.first)
    let gate = ParityGate(limit: .perMille, countsEvents: true)
    #expect((more.judged, more.failing) == (4_000, 0))
    #expect(gate.verdict(on: more) == .nothingJudged && gate.raiseVerdict(on: more) == .nothingJudged)
    let report = try #require(await pairs.parityReport)
    #expect(!gate.judgement(on: report).passes, "nothing is known of 3,100 pairs")
    #expect([gate.boundJSON(0, of: 0), gate.rateJSON(0, of: 0)] == [.null, .null], "no rate of what was not judged")
  }

  @Test(
    "a payload that is too large for memory is compared, and shown from disk; without room it is lost",
    arguments: [0, 9_000])
  func largePayload(diskBytes: Int) async throws {
    var limits = LiveLimits()
    (limits.payloadBytes, limits.diskBytes) = (100, diskBytes)
    let pairs = try await pairs(limits: limits)
    let long = EventValue.string(String(repeating: "a", count: 200))
    let mirrored = try LiveMirrored([
      "id": .string(eventID(1).description), "old": ["name": "launch", "parameters": ["uid": long]],
      "new": ["name": "open", "payload": ["user": long]],
    ])
    _ = await pairs.addMirrored([mirrored])
    #expect(await state(1, in: pairs) == .matched)
    let detail = try #require(await pairs.detail(eventID(1), showsValues: true))
    #expect(detail["cut"] == (diskBytes == 0 ? ["old", "new"] : []))
    #expect(detail["old"] == (diskBytes == 0 ? .null : ["uid": long]))
  }

  @Test("a step of a schedule decides the events of its time")
  func schedule() async throws {
    let pairs = try await pairs(
      rollout: #""shouldSendLogToNewTracker": {"schedule": [{"from": "2023-11-14T22:15:00Z", "percentage": 100}]}"#)
    await pairs.addOld([oldEvent(1), oldEvent(100_000)])
    #expect(await [state(1, in: pairs), state(100_000, in: pairs)] == [.alone, .waiting])
  }
}
