import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("Denied consent", .timeLimit(.minutes(1)))
struct DeniedConsentTests {
  private let folder: TemporaryFolder
  private var storage: TrackerConfiguration.StoreLocation { .file(folder.file("e.sqlite")) }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Leaves two delivered, one dead letter and one waiting event.
  private func leaveEvents() async throws {
    let transport = ScriptedTransport { request in
      let names = request.trackingEvents.map { $0["eventName"] }
      if names.contains("waits") { return .success(.status(503)) }
      return .success(.status(names.contains("bad") ? 400 : 200))
    }
    let bench = try Bench(transport, storage: storage)
    for name in ["a", "bad", "b"] { bench.tracker.sendLog(name: name) }
    await bench.tracker.flush()
    bench.tracker.sendLog(name: "waits")
    await bench.tracker.persist()
    let ledger = await bench.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 4, delivered: 2, deadLettered: 1, pending: 1))
    await bench.tracker.shutdown(timeout: .zero)
  }

  enum Way: CaseIterable, Sendable {
    case call, purge, launch
  }

  @Test("deletes dead letters too, and nothing comes back after a grant", arguments: Way.allCases)
  func everything(_ way: Way) async throws {
    try await leaveEvents()
    let bench = try Bench(storage: storage) { $0.consent = way == .launch ? .denied : .granted }
    switch way {
    case .call: await bench.tracker.setConsent(.denied)
    case .purge: await bench.tracker.purge()
    case .launch: break
    }
    while await bench.tracker.statistics.ledger.pending > 0, !Task.isCancelled { await Task.yield() }
    #expect(try await bench.tracker.deadLetters().isEmpty)
    await bench.tracker.setConsent(.granted)
    #expect(try await bench.tracker.retryDeadLetters() == 0)
    await bench.tracker.flush()
    #expect(bench.receivedNames.isEmpty || way != .launch)
    let ledger = await bench.tracker.statistics.ledger
    #expect(ledger.isBalanced && ledger.deadLettered == 0)
    await bench.tracker.shutdown()
  }

  @Test("deletes databases that were set aside, and those that a former tracker left")
  func files() async throws {
    let destination = StoreDestination(try #require(URL(string: "http://collector.test/events")))
    let main = folder.file("e.sqlite")
    let first = try storage.open(quota: TrackerConfiguration.Quota(), time: .system, for: destination)
    do {
      let second = try storage.open(quota: TrackerConfiguration.Quota(), time: .system, for: destination)
      let event = TrackingData(TrackingEvent(id: EventID(high: 1, low: 1), time: 1, name: "a", payload: [:]))
      _ = try second.append([event], dropped: [:], inFlight: nil)
      try #require(second as? SQLiteTrackingDataStore).close()
    }
    #expect(FileManager.default.fileExists(atPath: folder.file("e-2.sqlite").path))
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: main.path + ".damaged-1"))
    _ = try first.deleteAll(reason: .consentDenied)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasPrefix("e-2.sqlite") && !$0.hasSuffix(".lock") }, "\(names)")
    #expect(!names.contains { $0.contains("damaged") }, "\(names)")
  }

  @Test(
    "the choice of a launch holds for later ones that do not repeat it; a denial in the configuration holds at once",
    arguments: [
      (Tracker.Consent.denied, Tracker.Consent.granted, 0), (.granted, .pending, 1), (.pending, .granted, 0),
      (.granted, .denied, 0), (.granted, .granted, 1),
    ])
  func remembered(choice: Tracker.Consent, configured: Tracker.Consent, sent: Int) async throws {
    let first = try Bench(storage: storage)
    // The store is open, so that the choice is what writes it.
    #expect(try await first.tracker.note(TrackingDispatcher.consentNote) == nil)
    await first.tracker.setConsent(choice)
    await first.tracker.shutdown()
    let second = try Bench(storage: storage) { $0.consent = configured }
    second.tracker.sendLog(name: "a")
    await second.tracker.flush(timeout: .zero)
    await second.tracker.flush(timeout: .zero)
    #expect(await second.tracker.statistics.ledger.accepted == 1)
    if sent == 1 {
      await second.tracker.flush()
      #expect(second.receivedNames == ["a"])
    } else {
      #expect(second.receivedNames.isEmpty)
    }
    await second.tracker.shutdown(timeout: .zero)
  }

  @Test("a choice that could not be stored is stored when the store can be opened")
  func unopenable() async throws {
    let fails = Locked(true)
    let file = folder.file("e.sqlite")
    let bench = try Bench(
      storage: .custom { () throws(TrackingStoreError) in
        if fails.current { throw TrackingStoreError(kind: .full, message: "no space") }
        return try SQLiteTrackingDataStore(file: file)
      })
    await bench.tracker.setConsent(.denied)
    fails.withLock { $0 = false }
    await bench.tracker.flush(timeout: .zero)
    await bench.tracker.shutdown(timeout: .zero)
    #expect(try SQLiteTrackingDataStore(file: file).note(TrackingDispatcher.consentNote) == 2)
  }
}
