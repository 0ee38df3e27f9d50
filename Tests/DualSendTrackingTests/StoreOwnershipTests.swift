import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("Several trackers on one database file", .timeLimit(.minutes(5)))
struct StoreOwnershipTests {
  private func event(_ name: String) -> TrackingData {
    var generator = EventIDGenerator()
    return TrackingData(
      TrackingEvent(id: EventID(milliseconds: 5, using: &generator), time: 5, name: name, payload: [:]))
  }

  private func open(_ folder: TemporaryFolder) throws -> any TrackingDataStore {
    try TrackerConfiguration.StoreLocation.file(folder.file("events.sqlite")).open(
      quota: TrackerConfiguration.Quota(), time: .system)
  }

  private func databases(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".sqlite") }.sorted()
  }

  @Test("a second tracker takes a file of its own")
  func secondFile() throws {
    let folder = try TemporaryFolder()
    let first = try open(folder)
    let second = try open(folder)
    _ = try first.append([event("a")], dropped: [:], inFlight: nil)
    expectNoDifference(try second.ledger(), TrackingLedger())
    expectNoDifference(try databases(in: folder), ["events-2.sqlite", "events.sqlite"])
  }

  @Test("what a tracker that is gone left is adopted by the next owner of the file: events, dead letters, ledger")
  func adoption() throws {
    let folder = try TemporaryFolder()
    do {
      let first = try open(folder)
      let second = try open(folder)
      _ = try first.append([event("a")], dropped: [:], inFlight: nil)
      _ = try second.append([event("b"), event("c")], dropped: [.tooLarge: 1], inFlight: nil)
      let batch = try second.batch(maximumEvents: 1, maximumBytes: .max)
      try second.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "bad") })
    }
    let next = try open(folder)
    expectNoDifference(try next.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["a", "c"])
    expectNoDifference(try next.deadLetters().map(\.event.name), ["b"])
    expectNoDifference(
      try next.ledger(), TrackingLedger(accepted: 4, dropped: [.tooLarge: 1], deadLettered: 1, pending: 2))
    expectNoDifference(try databases(in: folder), ["events.sqlite"])
  }

  @Test("a leftover that was copied but not yet deleted is not copied twice")
  func adoptionOnce() throws {
    let folder = try TemporaryFolder()
    let (leftover, copy) = (folder.file("events-2.sqlite"), folder.file("copy"))
    do {
      let store = try SQLiteTrackingDataStore(file: leftover)
      _ = try store.append([event("a")], dropped: [:], inFlight: nil)
      store.close()
    }
    try FileManager.default.copyItem(at: leftover, to: copy)
    _ = try open(folder)
    try FileManager.default.copyItem(at: copy, to: leftover)
    let store = try open(folder)
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 1, pending: 1))
  }

  @Test("a file that is in use is not adopted")
  func inUse() throws {
    let folder = try TemporaryFolder()
    var first: (any TrackingDataStore)? = try open(folder)
    let second = try open(folder)
    _ = try second.append([event("b")], dropped: [:], inFlight: nil)
    first = nil
    first = try open(folder)
    expectNoDifference(try first?.ledger(), TrackingLedger())
    expectNoDifference(try second.ledger(), TrackingLedger(accepted: 1, pending: 1))
  }
}
