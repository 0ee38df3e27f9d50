import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("Denied consent", .timeLimit(.minutes(5)))
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
    "the decision of a launch holds for later ones that do not repeat it; a denial in the configuration is a decision",
    arguments: [
      (Tracker.Consent.denied, Tracker.Consent.granted, 0), (.granted, .pending, 1), (.pending, .granted, 0),
      (.granted, .denied, 0), (.granted, .granted, 1),
    ])
  func remembered(choice: Tracker.Consent, configured: Tracker.Consent, sent: Int) async throws {
    let first = try Bench(storage: storage)
    await first.tracker.setConsent(choice)
    await first.tracker.shutdown()
    for configuration in [configured, .granted] {
      let later = try Bench(storage: storage) { $0.consent = configuration }
      later.tracker.sendLog(name: "a")
      await later.tracker.flush()
      #expect(later.receivedNames == (sent == 1 ? ["a"] : []))
      await later.tracker.shutdown(timeout: .zero)
    }
  }

  // MARK: The app's decision

  /// A launch with one of the app's destinations.
  private func launch(
    _ path: String = "events", _ transport: ScriptedTransport = ScriptedTransport(),
    configure: (inout TrackerConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    let url = try #require(URL(string: "http://collector.test/\(path)"))
    return try Bench(transport, storage: .destinations(in: folder.url)) {
      $0.destination = .collector(TrackingEndpoint(url: url))
      configure(&$0)
    }
  }

  private func sent(_ count: Int, by bench: Bench) async -> Int {
    for number in 0..<count { bench.tracker.sendLog(name: "\(number)") }
    await bench.tracker.flush()
    await bench.tracker.shutdown(timeout: .zero)
    return bench.receivedNames.count
  }

  enum Change: CaseIterable, Sendable {
    case address, damage, deletion, configured, second, again
  }

  @Test("a no stays a no, whatever becomes of the database", arguments: Change.allCases)
  func deniedForTheApp(_ change: Change) async throws {
    let second = try launch()
    _ = await second.tracker.statistics
    let first = try launch { if change == .configured { $0.consent = .denied } }
    if change != .configured { await first.tracker.setConsent(.denied) }
    if change == .again {
      #expect(await sent(5, by: try launch()) == 0)
    }
    if change == .second { #expect(await sent(5, by: second) == 0) } else { await second.tracker.shutdown() }
    await first.tracker.shutdown()
    let shelf = folder.file("destinations")
    for name in try FileManager.default.contentsOfDirectory(atPath: shelf.path) where name.hasSuffix(".sqlite") {
      switch change {
      case .damage: try Data("damaged".utf8).write(to: shelf.appendingPathComponent(name))
      case .deletion: DatabaseFiles.remove(shelf.appendingPathComponent(name))
      default: break
      }
    }
    let later = try launch(change == .address ? "other" : "events")
    #expect(await sent(5, by: later) == 0)
  }

  @Test("a yes stays a yes when the address moves")
  func grantedForTheApp() async throws {
    let first = try launch { $0.consent = .pending }
    await first.tracker.setConsent(.granted)
    await first.tracker.shutdown()
    #expect(await sent(5, by: try launch("other") { $0.consent = .pending }) == 5)
  }

  @Test("another party has its own decision")
  func party() async throws {
    #expect(ConsentHome.app("vendor").note != ConsentHome.app(nil).note)
    #expect(ConsentHome.app("../vendor").note?.pathComponents.contains("..") == false)
  }

  @Test("a denial and a purge delete what waits for the app's former destinations", arguments: [true, false])
  func otherDestinations(isDenial: Bool) async throws {
    let failing = ScriptedTransport { _ in .success(.status(503)) }
    let former = try launch("v1", failing)
    for number in 0..<40 { former.tracker.sendLog(name: "\(number)") }
    await former.tracker.persist()
    await former.tracker.shutdown(timeout: .zero)
    let aside = folder.file("destinations/collector.test-1.sqlite.damaged-1")
    try Data("damaged".utf8).write(to: aside)
    let next = try launch("v2")
    _ = await next.tracker.statistics
    if isDenial { await next.tracker.setConsent(.denied) } else { await next.tracker.purge() }
    #expect(await next.tracker.statistics.ledger.dropped == [isDenial ? .consentDenied : .purged: 40])
    #expect(!FileManager.default.fileExists(atPath: aside.path))
    await next.tracker.setConsent(.granted)
    await next.tracker.shutdown()
    #expect(await sent(1, by: try launch("v1")) == 1)
  }

  @Test("a decision in code that cannot wait holds for the next event of its thread, in both directions")
  func synchronous() async throws {
    let bench = try launch()
    let decide: (Tracker.Consent) -> Void = { bench.tracker.setConsent($0) }
    bench.tracker.sendLog(name: "before")
    decide(.denied)
    bench.tracker.sendLog(name: "denied")
    decide(.granted)
    for number in 0..<13 { bench.tracker.sendLog(name: "\(number)") }
    await bench.tracker.flush()
    expectNoDifference(bench.receivedNames, (0..<13).map(String.init))
    #expect(await bench.tracker.statistics.ledger.dropped == [.consentDenied: 2])
    await bench.tracker.shutdown()
  }

  @Test("a decision that cannot be kept holds until the end of the process, is reported once and tried again")
  func unwritable() async throws {
    let note = try #require(ConsentHome.folder(folder.url).note)
    try FileManager.default.createDirectory(at: note, withIntermediateDirectories: true)
    let failures = Locked(0)
    let bench = try launch { configuration in
      configuration.observer = { if case .storeFailed = $0 { failures.withLock { $0 += 1 } } }
    }
    await bench.tracker.setConsent(.denied)
    bench.tracker.sendLog(name: "a")
    await bench.tracker.flush()
    #expect(bench.receivedNames.isEmpty && failures.current == 1)
    try FileManager.default.removeItem(at: note)
    await bench.tracker.persist()
    #expect(try ConsentHome.folder(folder.url).read() == .denied)
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("a decision whose file cannot be written is in the app's defaults, for every tracker and the next launch")
  func defaults() throws {
    let (occupied, key) = (folder.file("occupied"), "consent-\(UUID())")
    var home = ConsentHome.folder(occupied)
    home.defaultsKey = key
    defer { UserDefaults.standard.removeObject(forKey: key) }
    func launch() -> ConsentNote {
      ConsentNote(home: home, configured: .granted, inbox: Inbox(capacity: 1, signal: InboxSignal()))
    }
    // No folder can be made there.
    try Data().write(to: occupied)
    let (first, second) = (launch(), launch())
    #expect((first.refresh(), second.refresh()) == (.granted, .granted))
    first.decide(.denied)
    #expect(second.refresh() == .denied)
    #expect(launch().refresh() == .denied)
    try FileManager.default.removeItem(at: occupied)
    #expect(launch().refresh() == .denied)
    #expect(try home.read() == .denied && home.keptInDefaults == nil)
    second.decide(.granted)
    #expect(first.refresh() == .granted)
  }

  @Test("a decision that cannot be read stops delivery and deletes nothing")
  func unreadable() async throws {
    let note = try #require(ConsentHome.folder(folder.url).note)
    try Data("grant".utf8).write(to: note)
    let bench = try launch()
    bench.tracker.sendLog(name: "a")
    await bench.tracker.flush()
    #expect(bench.receivedNames.isEmpty)
    #expect(await bench.tracker.statistics.ledger.pending == 1)
    try Data("granted".utf8).write(to: note)
    await bench.tracker.flush()
    #expect(bench.receivedNames == ["a"])
    await bench.tracker.shutdown()
  }

  @Test("the decision in a database of an earlier version becomes the app's")
  func earlierVersion() async throws {
    let first = try launch()
    try await first.tracker.setNote(TrackingDispatcher.consentNote, 2)
    await first.tracker.shutdown()
    #expect(await sent(5, by: try launch()) == 0)
    #expect(await sent(5, by: try launch("other")) == 0)
  }

  @Test("what a failing store could not delete is deleted before it takes anything new")
  func unopenable() async throws {
    let fails = Locked(true)
    let file = folder.file("e.sqlite")
    try add("old", to: file)
    let bench = try Bench(
      storage: .custom { () throws(TrackingStoreError) in
        if fails.current { throw TrackingStoreError(kind: .full, message: "no space") }
        return try SQLiteTrackingDataStore(file: file)
      })
    await bench.tracker.setConsent(.denied)
    await bench.tracker.setConsent(.granted)
    fails.withLock { $0 = false }
    bench.tracker.sendLog(name: "new")
    await bench.tracker.flush()
    #expect(bench.receivedNames == ["new"])
    await bench.tracker.shutdown(timeout: .zero)
  }

  private func add(_ name: String, to file: URL) throws {
    let store = try SQLiteTrackingDataStore(file: file)
    let event = TrackingData(TrackingEvent(id: EventID(high: 1, low: 1), time: 1, name: name, payload: [:]))
    _ = try store.append([event], dropped: [:], inFlight: nil)
    store.close()
  }
}
