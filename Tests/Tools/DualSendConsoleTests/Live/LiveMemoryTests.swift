import DualSend
import DualSendCore
import DualSendParity
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("How much is kept", .timeLimit(.minutes(5)))
struct LiveMemoryTests {
  @Test("the newest entries, in the order of their last change")
  func store() {
    var store = LiveEntryStore(capacity: 3, maximumPayloadBytes: 1 << 20, disk: nil)
    func put(_ number: Int) { _ = store.put(LiveEntry(id: eventID(number), time: 0)) }
    func order() -> [EventID] {
      var ids: [EventID] = []
      store.forEachFromNewest { entry in
        ids.append(entry.id)
        return true
      }
      return ids
    }
    for number in 1...3 { put(number) }
    put(1)
    #expect(order() == [1, 3, 2].map(eventID))
    #expect(store.forgottenThrough == 0)
    put(4)
    #expect(order() == [4, 1, 3].map(eventID))
    #expect(store.forgottenThrough == 2)
    #expect(store[eventID(2)] == nil)
    put(3)
    put(5)
    #expect(order() == [5, 3, 4].map(eventID))
    #expect(store.forgottenThrough == 4)
  }

  @Test(
    "the oldest payloads go to disk before their entries go, and are lost where it has no room",
    arguments: [0, 20_000, 1 << 20])
  func payloads(diskBytes: Int) throws {
    let disk = diskBytes > 0 ? try SpillFile(capacity: diskBytes) : nil
    var store = LiveEntryStore(capacity: 1000, maximumPayloadBytes: 8_000, disk: disk)
    for number in 0..<1000 {
      var entry = LiveEntry(id: eventID(number), time: 0)
      entry.new = LivePayload(
        ["text": .string(String(repeating: "a", count: 90)), "n": .int(Int64(number))], limit: 1000,
        disk: disk)
      _ = store.put(entry)
      #expect(store.payloadBytes <= 8_000)
    }
    #expect(store.count == 1000)
    let kept = (0..<1000).filter { number in
      guard let members = store[eventID(number)]?.new?.members(on: disk) else { return false }
      #expect(members["n"] == .int(Int64(number)))
      return true
    }
    #expect(kept.last == 999 && kept == Array((1000 - kept.count)..<1000), "the newest ones")
    switch diskBytes {
    case 0: #expect(kept.count < 80)
    case 20_000: #expect((200..<300).contains(kept.count), "\(kept.count)")
    default: #expect(kept.count == 1000)
    }
  }

  /// What a process takes for a million is for `scripts/check console`, whose server does nothing else.
  @Test("300,000 events leave the newest 100,000, and payloads within their limit")
  func manyEvents() {
    var limits = LiveLimits()
    limits.allPayloadBytes = 4 << 20
    var store = LiveEntryStore(
      capacity: limits.entries, maximumPayloadBytes: limits.allPayloadBytes, disk: nil)
    var deadlines = LiveDeadlines()
    let payload: [String: EventValue] = [
      "user": "unit-4711", "screen": ["name": "home", "area": "feed"], "session": "s01234", "duration": 1234,
    ]
    for number in 0..<300_000 {
      var entry = LiveEntry(id: eventID(number), time: Int64(number))
      entry.newName = "home.view"
      entry.new = LivePayload(payload, limit: limits.payloadBytes, disk: nil)
      deadlines.add(entry.id, due: limits.lostAfter)
      _ = store.put(entry)
      deadlines.compact(limit: 2 * limits.entries) { store[$0] != nil }
    }
    #expect(store.count == 100_000)
    #expect(store.payloadBytes > limits.allPayloadBytes / 2 && store.payloadBytes <= limits.allPayloadBytes)
    #expect(deadlines.count <= 200_000)
    #expect(store[eventID(199_999)] == nil)
    #expect(store[eventID(200_000)] != nil)
  }
}
