import Foundation

@testable import DualSendCore
@testable import DualSendDatabase
@testable import DualSendTracking

extension FuzzTarget {
  /// Databases that hold anything: whatever stands in a row or in a file, the store answers or throws.
  ///
  /// The first byte chooses what is hostile: the values of rows, the blobs of the sample tracker's table, or any bytes of
  /// the database and its WAL; and whether the file is the tracker's own or a leftover that it adopts.
  static let store = FuzzTarget(name: "store", mutation: .bytes) { input in
    guard let choice = input.bytes.first else { return }
    // As a row with a valid checksum.
    if let run = input.bytes.dropFirst().withUnsafeBytes({ EventRun(blob: $0) }) {
      for event in run.events(last: 200) { _ = event.body }
    }
    let folder = ScratchFolder.emptied()
    let main = folder.appendingPathComponent("events.sqlite")
    let file = choice & 8 == 0 ? main : folder.appendingPathComponent("events-2.sqlite")
    var cursor = ByteCursor(Array(input.bytes.dropFirst()))
    do {
      switch choice & 3 {
      case 0: try HostileDatabase.writeRows(&cursor, to: file)
      case 1: try HostileDatabase.writeSampleTable(&cursor, to: file)
      default: try HostileDatabase.writeDamaged(&cursor, to: file)
      }
    } catch {
      return
    }
    _ = try? StoreInspection(file)
    _ = try? StoreSalvage(of: file) { _ in }
    let quota = TrackerConfiguration.Quota(events: 3, bytes: 1 << 20, age: .seconds(1), deadLetters: 2)
    guard let store = try? TrackerConfiguration.StoreLocation.file(main).open(quota: quota, time: .system) else {
      return
    }
    work(on: store)
    _ = try? StoreInspection(main)
  }

  private static func work(on store: any TrackingDataStore) {
    _ = (try? store.ledger())?.description
    _ = try? store.waitingSequences()
    _ = try? store.waitingIDs()
    _ = try? store.note("delivery.notBefore")
    let letters = (try? store.deadLetters()) ?? []
    if let batch = try? store.batch(maximumEvents: 2, maximumBytes: 1 << 10) {
      try? store.recordFailedAttempt(batch)
      try? store.resolve(
        delivered: Array(batch.prefix(1)), deadLettered: batch.dropFirst().map { DeadLetter(event: $0, reason: "no") })
    }
    _ = try? store.retryDeadLetters()
    let event = TrackingData(
      TrackingEvent(id: EventID(high: 1, low: letters.isEmpty ? 1 : 2), time: 0, name: "a", payload: [:]))
    _ = try? store.append([event, event], dropped: [.tooLarge: 1], inFlight: nil)
    _ = try? store.deleteAll(reason: .purged)
    _ = (try? store.ledger())?.description
  }
}
