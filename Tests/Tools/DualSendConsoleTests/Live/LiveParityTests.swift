import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("The console's totals and those of dualsend parity, on the same streams", .timeLimit(.minutes(5)))
struct LiveParityTests {
  /// An event as its app sent it, and what of it arrived.
  private struct Sent {
    let id: EventID
    let decision: CarriedDecision
    let old: Bool
    let new: Bool
    /// Whether its new payload is not what the table makes of the old one.
    let differs: Bool

    var oldEvent: LiveOldEvent {
      LiveOldEvent(id: id, time: 1, name: "launch", parameters: ["uid": "u"], unit: nil, decision: decision)
    }

    var newEvent: TrackingEvent {
      TrackingEvent(id: id, time: 1, name: "open", payload: ["user": differs ? "v" : "u"], decision: decision)
    }

    var oldLine: String {
      #"{"decision":"\#(decision)","eventId":"\#(id)","name":"launch","parameters":{"uid":"u"},"time":1}"#
    }

    var newLine: String {
      #"{"decision":"\#(decision)","eventId":"\#(id)","eventName":"open","eventTime":1,"payload":{"user":"\#(differs ? "v" : "u")"}}"#
    }
  }

  /// How the two sides come.
  enum Pace: String, CaseIterable {
    /// One soon after the other.
    case together
    /// So many at once that most leave the memory before their other side comes.
    case fullSpeed
    /// The other side after it was given up.
    case late
  }

  private static let table =
    #"{"formatVersion": 1, "events": {"launch": {"name": "open", "parameters": {"uid": "user"}}}}"#

  private func sent(_ count: Int, seed: UInt64, differing: Double) -> [Sent] {
    var random = SplitMix64(seed: seed)
    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    return (0..<count).map { number in
      let outcome = Int.random(in: 0..<4, using: &random)
      let (old, new) = (outcome != 1, outcome != 2)
      let decision = CarriedDecision(revision: Int64(1 + number / 1000), oldLogger: old, newTracker: new)
      // One in a hundred is lost on its way, and some that were not to be sent are.
      return Sent(
        id: eventID(number), decision: decision, old: old ? !chance(0.01) : chance(0.002),
        new: new ? !chance(0.01) : chance(0.002), differs: chance(differing))
    }
  }

  @Test("are the same with 1 % lost, however fast the events come", arguments: Pace.allCases, [1, 2] as [UInt64])
  func totals(_ pace: Pace, seed: UInt64) async throws {
    let clock = ManualClock()
    var limits = LiveLimits()
    (limits.entries, limits.evicted) = (500, 50_000)
    let pairs = LiveComparison(limits: limits, hasOldLog: true, timeSource: clock.timeSource)
    await pairs.setTable(LiveTable(try RemappingTable(reading: Self.table.utf8)) { _, _ in nil })
    // What has left the memory cannot be compared any more, so that nothing differs there.
    let sent = sent(6000, seed: seed, differing: pace == .fullSpeed ? 0 : 0.05)
    func takeOld(_ part: some Sequence<Sent>) async { await pairs.addOld(part.filter(\.old).map(\.oldEvent)) }
    func takeNew(_ part: some Sequence<Sent>) async { _ = await pairs.addNew(part.filter(\.new).map(\.newEvent)) }
    switch pace {
    case .together:
      for start in stride(from: 0, to: sent.count, by: 100) {
        await takeNew(sent[start..<(start + 100)])
        await takeOld(sent[start..<(start + 100)].reversed())
        clock.advance(by: .seconds(5))
        await pairs.tick()
      }
    case .fullSpeed:
      await takeNew(sent)
      await takeOld(sent)
      // Some come twice, long after.
      await takeNew(sent.prefix(1000))
      await takeOld(sent.suffix(5000))
    case .late:
      for start in stride(from: 0, to: sent.count, by: 400) {
        await takeOld(sent[start..<(start + 400)])
        clock.advance(by: .seconds(61))
        await pairs.tick()
        await takeNew(sent[start..<(start + 400)])
      }
    }
    clock.advance(by: .seconds(61))
    await pairs.tick()

    let live = try #require(await pairs.parityReport?.total)
    let files = FileManager.default.temporaryDirectory.appending(path: "live-parity-\(UUID())")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let (old, new) = (files.appending(path: "old.jsonl"), files.appending(path: "new.jsonl"))
    try Data(sent.filter(\.old).map(\.oldLine).joined(separator: "\n").utf8).write(to: old)
    try Data(sent.filter(\.new).map(\.newLine).joined(separator: "\n").utf8).write(to: new)
    let report = try ParityComparer(table: RemappingTable(reading: Self.table.utf8)).compare(old: old, new: new)
    #expect(report.new.malformed == 0)
    let command = report.total
    for count: KeyPath<EventParity, Int> in [
      \.pairs, \.judged, \.failing, \.differing, \.lost, \.lostFromNew, \.lostFromOld, \.unexpected, \.undecided,
      \.withoutUnit, \.contradicting, \.oldOnly, \.newOnly,
    ] {
      #expect(live[keyPath: count] == command[keyPath: count], "\(count)")
    }
    #expect(command.lost > 20 && command.unexpected > 0)
    let totals = await pairs.totals
    #expect(totals["lost"] == .int(Int64(command.lost)))
    #expect(totals["waiting"] == 0)
    #expect(totals["alone"] == .int(Int64(command.oldOnly + command.newOnly - command.lost)))
    guard case .int(let entries)? = await pairs.holdings["entries"] else { return }
    #expect(entries <= 1000)
  }
}
