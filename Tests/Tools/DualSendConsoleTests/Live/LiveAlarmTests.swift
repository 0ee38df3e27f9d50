import DualSend
import DualSendCommandTesting
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendTesting
import Testing

@testable import DualSendCommands
@testable import DualSendConsole

@Suite("The alarm of the console", .timeLimit(.minutes(5)))
struct LiveAlarmTests {
  private let clock = ManualClock()

  /// Adds pairs, the last of them with a wrong value, and lets the clock tick.
  private func add(_ ids: Range<Int>, wrong: Int, to pairs: LiveComparison) async {
    await pairs.addOld(ids.map { oldEvent($0, "launch", ["uid": "u"]) })
    _ = await pairs.addNew(ids.map { newEvent($0, "open", ["user": $0 < ids.upperBound - wrong ? "u" : "other"]) })
    await tick(pairs)
  }

  private func tick(_ pairs: LiveComparison, after time: Duration = .seconds(5)) async {
    clock.advance(by: time)
    await pairs.tick()
  }

  private func recent(_ pairs: LiveComparison) async -> [EventValue?] {
    let event = await pairs.banner.at("events.0.recent")
    return ["0.judged", "0.failing", "1.judged", "1.failing"].map { event?.at($0) }
  }

  @Test("names an event above the limit, with the rates of 5 and 60 minutes, until an hour has passed")
  func windows() async throws {
    let pairs = LiveComparison(hasOldLog: true, timeSource: clock.timeSource)
    let text = #"{"formatVersion": 1, "events": {"launch": {"name": "open", "parameters": {"uid": "user"}}}}"#
    await pairs.setTable(LiveTable(try RemappingTable(reading: text.utf8)) { _, _ in nil })
    await pairs.tick()
    await add(0..<20_000, wrong: 0, to: pairs)
    #expect(await pairs.banner.at("count") == 0)
    for _ in 0..<70 { await tick(pairs, after: .seconds(60)) }
    await add(20_000..<20_010, wrong: 5, to: pairs)
    #expect(await pairs.banner.at("count") == 1, "5 of 20,010 in all, but 5 of 10 in this hour")
    #expect(await pairs.banner.at("events.0.name") == "launch")
    #expect(await recent(pairs) == [10, 5, 10, 5])
    for _ in 0..<6 { await tick(pairs, after: .seconds(60)) }
    await add(20_010..<20_020, wrong: 0, to: pairs)
    #expect(await recent(pairs) == [10, 0, 20, 5])
    for _ in 0..<6 { await tick(pairs, after: .seconds(60)) }
    #expect(await pairs.banner.at("events.0.recent.0.rate") == .null, "nothing judged is no rate")
    for _ in 0..<60 { await tick(pairs, after: .seconds(60)) }
    #expect(await pairs.banner.at("count") == 0)
  }

  @Test("a pair that was not compared raises no alarm, and one within the limit neither")
  func quiet() async throws {
    var limits = LiveLimits()
    (limits.payloadBytes, limits.diskBytes) = (0, 0)
    let pairs = LiveComparison(limits: limits, hasOldLog: true, timeSource: clock.timeSource)
    let text = #"{"formatVersion": 1, "events": {"launch": {"name": "open", "parameters": {"uid": "user"}}}}"#
    await pairs.setTable(LiveTable(try RemappingTable(reading: text.utf8)) { _, _ in nil })
    await pairs.tick()
    await add(0..<50, wrong: 50, to: pairs)
    #expect(await pairs.parityReport?.total.uncompared == 50)
    #expect(await pairs.banner.at("count") == 0)
  }

  @Test("after a stop, counts what was logged since on each side, and offers no stop of it or of a foreign name")
  func stops() async throws {
    let folder = try TemporaryFiles()
    let record = PublicationRecord(folder.path("record.jsonl"))
    let text = Array(#"{"formatVersion": 1, "revision": 2, "salt": "test", "shouldSendLogToNewTracker": 0}"#.utf8)
    var kill = Publication(
      by: .kill, time: 1_700_000_000_010, user: "ada", message: nil, before: nil, after: text)
    kill.stops = ["launch"]
    #expect(record.add(kill).isEmpty)
    let kills = try record.read(last: 9).kills(keptBy: RolloutDocument(reading: text))

    let pairs = LiveComparison(hasOldLog: true, timeSource: clock.timeSource)
    let table = #"{"formatVersion": 1, "events": {"launch": {"name": "open"}, "view": {"name": "see"}}}"#
    await pairs.setTable(LiveTable(try RemappingTable(reading: table.utf8)) { _, _ in nil })
    await pairs.tick()
    await add(0..<20, wrong: 5, to: pairs)
    await pairs.addOld([oldEvent(20, "view"), oldEvent(21, "view")])
    _ = await pairs.addNew([newEvent(20, "see", ["uid": "x"]), newEvent(22, "foreign"), newEvent(23, "foreign")])
    await tick(pairs, after: .seconds(65))
    func at(_ path: String) async -> EventValue? { await pairs.banner.at("stops.0.\(path)") }
    func offers(_ name: String) async -> EventValue? {
      await pairs.banner.at("events")?.list.first { $0.at("name")?.text == name }?.at("canStop")
    }
    #expect(await offers("launch") == true)
    await pairs.setStops(kills)
    #expect(await [at("old"), at("new"), at("newest")] == [10, 10, 1_700_000_000_019])
    await pairs.addOld([oldEvent(30), oldEvent(31), oldEvent(31), oldEvent(9_000, "view")])
    // That of a device that has not fetched it yet, known by the table's name alone.
    _ = await pairs.addNew([newEvent(32), newEvent(33, "see")])
    #expect(await [at("old"), at("new")] == [12, 11])
    await tick(pairs)
    #expect(await [offers("launch"), offers("view"), offers("foreign")] == [false, true, false])
    await pairs.setStops([])
    #expect(await pairs.banner.at("stops") == [])
  }
}
