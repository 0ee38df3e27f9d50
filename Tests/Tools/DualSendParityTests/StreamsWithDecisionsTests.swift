import DualSend
import DualSendCore
import DualSendRemapping
import DualSendRollout
import Testing

@testable import DualSendParity

/// Apps that fetch a rollout now and then, send events by the one that they have, and lose some on the way.
@Suite("Parity over many revisions", .timeLimit(.minutes(5)))
struct StreamsWithDecisionsTests {
  /// What the apps did, and what was lost: known without any comparison.
  private struct Streams {
    var old: [String] = []
    var new: [String] = []
    var expected = ["pairs": 0, "oldOnly": 0, "newOnly": 0, "lostFromNew": 0, "lostFromOld": 0]
  }

  private static let revisions = 20
  private static let editEvery: Int64 = 3_600_000

  private func rollouts() throws -> [PublishedRollout] {
    try (0..<Self.revisions).map { index in
      // Up, down, and at last the old side drained: both flags are edited in mid-stream.
      let (old, new) = index < 12 ? (100, index * 37 % 101) : (100 - (index - 11) * 12, 100)
      let document = try RolloutDocument(
        reading: """
          {"formatVersion":1,"revision":\(index + 1),"salt":"s","shouldSendLogToOldLogger":\(old),\
          "shouldSendLogToNewTracker":\(new)}
          """.utf8)
      return PublishedRollout(document, since: Int64(index) * Self.editEvery)
    }
  }

  private func streams(
    _ rollouts: [PublishedRollout], events: Int, lossOf loss: Double, carried: Double, seed: UInt64
  ) -> Streams {
    var random = SplitMix64(seed: seed)
    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    let snapshots = rollouts.map { RolloutSnapshot($0.document) }
    var streams = Streams()
    for index in 0..<events {
      let time = Int64.random(in: 0..<Int64(rollouts.count) * Self.editEvery, using: &random)
      // The newest revision of that time, or one of up to four edits before: a device that was offline.
      let newest = Int(time / Self.editEvery)
      let held = max(0, newest - Int.random(in: 0...4, using: &random))
      let unit = "unit-\(Int.random(in: 0..<500, using: &random))"
      let decision = snapshots[held].decision(for: "tap", context: DecisionContext(unitID: unit))
      let (isOld, isNew) = (decision.shouldSendLogToOldLogger, decision.shouldSendLogToNewTracker)
      let text =
        chance(carried)
        ? CarriedDecision(revision: Int64(held + 1), oldLogger: isOld, newTracker: isNew).description : nil
      let member = text.map { #""decision":"\#($0)","# } ?? ""
      let (old, new) = (isOld && !chance(loss), isNew && !chance(loss))
      if old {
        streams.old.append(
          #"{\#(member)"eventId":"e\#(index)","name":"tap","parameters":{"unit":"\#(unit)"},"time":\#(time),"unitID":"\#(unit)"}"#
        )
      }
      if new {
        streams.new.append(
          #"{\#(member)"eventId":"e\#(index)","eventName":"tap","eventTime":\#(time),"payload":{"unit":"\#(unit)"}}"#)
      }
      switch (old, new) {
      case (true, true): streams.expected["pairs", default: 0] += 1
      case (true, false): streams.expected["oldOnly", default: 0] += 1
      case (false, true): streams.expected["newOnly", default: 0] += 1
      case (false, false): break
      }
      if old, isNew, !new { streams.expected["lostFromNew", default: 0] += 1 }
      if new, isOld, !old { streams.expected["lostFromOld", default: 0] += 1 }
    }
    return streams
  }

  private func found(_ report: ParityReport) -> [String: Int] {
    let total = report.total
    return [
      "pairs": total.pairs, "oldOnly": total.oldOnly, "newOnly": total.newOnly, "lostFromNew": total.lostFromNew,
      "lostFromOld": total.lostFromOld,
    ]
  }

  @Test(
    "is exact with decisions alone: every loss is found, and nothing else is called one",
    arguments: [1, 2, 3] as [UInt64])
  func carried(seed: UInt64) throws {
    let rollouts = try rollouts()
    let streams = streams(rollouts, events: 20_000, lossOf: 0.01, carried: 1, seed: seed)
    let report = try compare(old: streams.old, new: streams.new, table: Self.table)
    #expect(found(report) == streams.expected)
    #expect((report.total.unexpected, report.total.undecided, report.total.contradicting) == (0, 0, 0))
    // The documents find nothing to object to, whatever the devices knew when.
    var keys = RolloutMembership.Keys()
    keys.unit = try KeyPathPattern("unit")
    let checked = try compare(
      old: streams.old, new: streams.new, table: Self.table,
      membership: .rollout(RolloutMembership(rollouts, late: 0, context: DecisionContext(), keys: keys, at: nil)))
    #expect(found(checked) == streams.expected)
    #expect(checked.total.contradicting == 0)
    #expect(checked.total[.byDecision] == checked.total.pairs + checked.total.oldOnly + checked.total.newOnly)
  }

  @Test("without decisions it calls nothing lost or unexpected that is not", arguments: [4, 5, 6] as [UInt64])
  func withoutDecisions(seed: UInt64) throws {
    let rollouts = try rollouts()
    var keys = RolloutMembership.Keys()
    keys.unit = try KeyPathPattern("unit")
    func report(_ streams: Streams, late: Int64) throws -> ParityReport {
      try compare(
        old: streams.old, new: streams.new, table: Self.table,
        membership: .rollout(RolloutMembership(rollouts, late: late, context: DecisionContext(), keys: keys, at: nil)))
    }
    let lossless = streams(rollouts, events: 10_000, lossOf: 0, carried: 0, seed: seed)
    let late = 5 * Self.editEvery
    let clean = try report(lossless, late: late).total
    #expect((clean.failing, clean.withoutUnit) == (0, 0))
    #expect(clean.undecided > 0)
    // Devices that are later than is said would be called wrong.
    #expect(try report(lossless, late: 0).total.failing > 0)
    let lossy = streams(rollouts, events: 10_000, lossOf: 0.02, carried: 0.5, seed: seed)
    let found = try report(lossy, late: late).total
    let lost = (lossy.expected["lostFromNew"] ?? 0) + (lossy.expected["lostFromOld"] ?? 0)
    #expect(found.unexpected == 0)
    #expect((1...lost).contains(found.lost))
    #expect(lost - found.lost <= found.undecided)
  }

  private static let table = #"{"tap":{"unmapped":"keep"}}"#
}
