import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("The delivery queue", .timeLimit(.minutes(5)))
struct DeliveryQueueTests {
  private static let failure = TrackingStoreError(kind: .inputOutput, message: "broken")

  private static func batch(_ sequences: ClosedRange<Int64> = 1...2) throws -> ReadyBatch {
    let url = try #require(URL(string: "http://collector.test/events"))
    let client = TrackingNetworkClient(
      endpoint: TrackingEndpoint(url: url), transport: ScriptedTransport(), time: ManualClock().timeSource)
    let events = sequences.map { sequence in
      TrackingData(sequence: sequence, id: EventID(high: 0, low: UInt64(sequence)), time: 0, name: "a", body: [])
    }
    return try #require(ReadyBatch(events, of: InMemoryTrackingDataStore(), for: client))
  }

  @Test("counts what a plain count does, whatever happens in whatever order", arguments: UInt64(1)...50)
  func model(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var queue = DeliveryQueue()
    var model = 0
    for _ in 0..<200 {
      let number = Int.random(in: 0...5, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        queue.stored(number, at: .zero)
        model += number
      case 2:
        let evicted = Int.random(in: 0...(model + number), using: &random)
        queue.stored(number, evicted: evicted, at: .zero)
        model += number - evicted
      case 3, 4:
        queue.answered(number)
        model = max(0, model - number)
      case 5:
        let known = model
        _ = try queue.deleteAll { known }
        model = 0
      case 6:
        _ = try? queue.deleteAll { () throws(TrackingStoreError) in throw Self.failure }
      default:
        let counted = Bool.random(using: &random) ? number : nil
        queue.loopEnded(stored: counted)
        model = counted ?? model
      }
      #expect(queue.count == model)
      #expect(queue.isEmpty == (model == 0))
    }
  }

  @Test("never counts below zero: answers to events that a purge took count nothing off")
  func purgedInFlight() throws {
    var queue = DeliveryQueue()
    queue.stored(3, at: .zero)
    _ = try queue.deleteAll { 3 }
    queue.answered(3)
    #expect(queue.count == 0)
    queue.stored(2, at: .zero)
    #expect(queue.count == 2)
  }

  private let afterFive = TrackerConfiguration.FlowControl.interval(.seconds(5))

  @Test("measures the wait from the first event that came into an empty store")
  func wait() {
    var queue = DeliveryQueue()
    #expect(queue.due(by: afterFive, bytes: 0, at: .seconds(1)) == nil)
    queue.stored(1, at: .seconds(10))
    queue.stored(1, at: .seconds(12))
    #expect(queue.due(by: afterFive, bytes: 0, at: .seconds(13)) == .seconds(15))
    queue.answered(2)
    queue.becameIdle()
    queue.stored(1, at: .seconds(20))
    #expect(queue.due(by: afterFive, bytes: 0, at: .seconds(21)) == .seconds(25))
  }

  @Test("lets what an earlier launch left wait since the moment it is told")
  func leftovers() {
    var queue = DeliveryQueue()
    queue.opened(holding: 4, waitingSince: .seconds(-5))
    #expect(queue.count == 4)
    #expect(queue.due(by: afterFive, bytes: 0, at: .seconds(9)) == .zero)
    queue.opened(holding: 0, waitingSince: .seconds(-5))
    #expect(queue.isEmpty)
    #expect(queue.due(by: afterFive, bytes: 0, at: .seconds(9)) == nil)
  }

  @Test("is due at once with an urgent event, until nothing waits")
  func urgency() {
    var queue = DeliveryQueue()
    queue.stored(1, at: .zero)
    queue.markUrgent()
    #expect(queue.due(by: .onDemand, bytes: 0, at: .seconds(9)) == .seconds(9))
    queue.foundEmpty()
    queue.stored(1, at: .zero)
    #expect(queue.due(by: .onDemand, bytes: 0, at: .seconds(9)) == nil)
    queue.markUrgent()
    queue.becameIdle()
    #expect(queue.due(by: .onDemand, bytes: 0, at: .seconds(9)) == nil)
  }

  @Test("hands out a batch that was read ahead once")
  func readAhead() throws {
    var queue = DeliveryQueue()
    queue.stored(4, at: .zero)
    #expect(queue.wantsReadAhead(of: try Self.batch(1...2)))
    #expect(!queue.wantsReadAhead(of: try Self.batch(1...3)))
    queue.readAhead(try Self.batch(3...4))
    queue.stored(1, at: .zero)
    queue.answered(2)
    #expect(queue.takeReadAhead()?.sequences == 3...4)
    #expect(queue.takeReadAhead() == nil)
  }

  enum Change: CaseIterable, Sendable {
    case purge, failedPurge, eviction, endpointChange, storeChange, endOfLoop
  }

  @Test("drops a batch that was read ahead when its events may be gone or go elsewhere", arguments: Change.allCases)
  func dropsReadAhead(_ change: Change) throws {
    var queue = DeliveryQueue()
    queue.stored(8, at: .zero)
    queue.readAhead(try Self.batch())
    switch change {
    case .purge: _ = try queue.deleteAll { 8 }
    case .failedPurge: _ = try? queue.deleteAll { () throws(TrackingStoreError) in throw Self.failure }
    case .eviction: queue.stored(1, evicted: 1, at: .zero)
    case .endpointChange: queue.discardReadAhead()
    case .storeChange: queue.storeLost()
    case .endOfLoop: queue.loopEnded(stored: 8)
    }
    #expect(queue.takeReadAhead() == nil)
  }

  @Test("records owed answers in order, and keeps those from the first that fails on")
  func answers() throws {
    var queue = DeliveryQueue()
    let answers = try (1...3).map { Resolution(delivered: try Self.batch($0...$0).events) }
    for answer in answers { queue.keepUnrecorded(answer) }
    #expect(!queue.isEmpty && queue.hasUnrecordedAnswers)
    var recorded: [Int64?] = []
    func record(_ answer: Resolution, failingAt failing: Int64?) throws(TrackingStoreError) {
      let sequence = answer.delivered.first?.sequence
      if sequence == failing { throw Self.failure }
      recorded.append(sequence)
    }
    try? queue.recordKeptAnswers { answer throws(TrackingStoreError) in try record(answer, failingAt: 2) }
    #expect(queue.hasUnrecordedAnswers)
    try queue.recordKeptAnswers { answer throws(TrackingStoreError) in try record(answer, failingAt: nil) }
    expectNoDifference(recorded, [1, 2, 3])
    #expect(queue.isEmpty)
  }

  @Test("forgets the request under way and the answers owed with the store that they belong to")
  func storeLost() throws {
    var queue = DeliveryQueue()
    queue.stored(4, at: .zero)
    queue.began(try Self.batch())
    queue.keepUnrecorded(Resolution(delivered: try Self.batch().events))
    #expect(queue.inFlight == 1...2)
    queue.storeLost()
    #expect(queue.inFlight == nil)
    #expect(!queue.hasUnrecordedAnswers)
  }
}
