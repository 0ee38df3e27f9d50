import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A store belongs to its destination", .timeLimit(.minutes(10)))
struct StoreDestinationTests {
  private static let first = "https://first.test/events"
  private static let second = "https://second.test/events"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func destination(_ address: String) throws -> StoreDestination {
    StoreDestination(try #require(URL(string: address)))
  }

  private func event(_ name: String) -> TrackingData {
    var generator = EventIDGenerator()
    return TrackingData(
      TrackingEvent(id: EventID(milliseconds: 5, using: &generator), time: 5, name: name, payload: [:]))
  }

  /// Where a tracker's events wait unless the app says otherwise.
  private func standard() -> TrackerConfiguration.StoreLocation { .destinations(in: folder.url) }

  private func open(
    _ location: TrackerConfiguration.StoreLocation, _ address: String
  ) throws -> any TrackingDataStore {
    try location.open(quota: TrackerConfiguration.Quota(), time: .system, for: try destination(address))
  }

  private func names(_ store: any TrackingDataStore) throws -> [String] {
    try store.batch(maximumEvents: 99, maximumBytes: .max).map(\.name)
  }

  private func add(_ name: String, to store: any TrackingDataStore) throws {
    _ = try store.append([event(name)], dropped: [:], inFlight: nil)
  }

  // MARK: Tenants

  private struct KeyedFormat: WireFormat {
    var tenant: String?

    func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest {
      WireRequest(of: events) { $0.body }
    }
  }

  @Test("two keys at one address are two destinations, in the format or in a header", arguments: [true, false])
  func tenants(inFormat: Bool) async throws {
    let url = try #require(URL(string: Self.first))
    let requests = Locked<[String: [String]]>([:])
    for (key, status) in [("one", 503), ("two", 200)] {
      let transport = ScriptedTransport { request in
        requests.withLock { $0[key, default: []] += request.trackingEvents.map { "\($0["eventName"] ?? "")" } }
        return .success(.status(status))
      }
      let endpoint = TrackingEndpoint(
        url: url, format: KeyedFormat(tenant: inFormat ? key : nil), tenant: inFormat ? nil : key)
      let bench = try Bench(transport, storage: standard()) { $0.destination = .collector(endpoint) }
      bench.tracker.sendLog(name: "of \(key)")
      // What is refused for now ends no flush by itself.
      if status == 200 { await bench.tracker.flush() } else { await bench.tracker.flush(timeout: .zero) }
      await bench.tracker.shutdown(timeout: .zero)
    }
    #expect(requests.current["two"]?.count == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("destinations").path)
    #expect(files.count { $0.hasSuffix(".sqlite") } == 2)
  }

  // MARK: What a destination is

  @Test(
    "is the same with another scheme, default port, query, password or slash at the end",
    arguments: [
      "http://first.test/events", "https://first.test:443/events", "http://first.test:80/events",
      "https://first.test/events?token=2", "https://user:secret@first.test/events", "https://FIRST.test/events/",
      "https://first.test/events#part",
    ])
  func same(address: String) throws {
    expectNoDifference(try destination(address), try destination(Self.first))
  }

  @Test(
    "is another one with another host, port or path",
    arguments: [
      "https://first.test.example/events", "https://first.test:8443/events", "https://first.test/event",
      "https://first.test/EVENTS", "https://first.test", "https://first.test/events/2",
    ])
  func other(address: String) throws {
    let (one, other) = (try destination(address), try destination(Self.first))
    #expect(one.number != other.number && one.fileName != other.fileName)
  }

  @Test("is noted and named alike by every version")
  func stable() throws {
    expectNoDifference(try destination(Self.first).fileName, "first.test-f7950c29dcf09440.sqlite")
    expectNoDifference(try destination("http://[::1]:8080/a%20b").fileName, "__1-cdd6eae22e1f3e26.sqlite")
  }

  // MARK: Relaunches

  private struct Launch {
    let tracker: Tracker
    let transport: ScriptedTransport

    var received: [String] {
      transport.events.compactMap { event in
        if case .string(let name)? = event["eventName"] { name } else { nil }
      }
    }
  }

  private func launch(
    _ address: String, _ storage: TrackerConfiguration.StoreLocation, consent: Tracker.Consent
  ) async throws -> Launch {
    let transport = ScriptedTransport()
    let url = try #require(URL(string: address))
    let tracker = Tracker(
      configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: url), storage: storage, transport: transport)
      {
        $0.intake.commitDelay = .zero
        $0.consent = consent
      })
    // The store is open then, so that the order of launches is the order in which stores are opened.
    await tracker.persist()
    return Launch(tracker: tracker, transport: transport)
  }

  enum Place: CaseIterable {
    case standard, file
  }

  private func location(_ place: Place) -> TrackerConfiguration.StoreLocation {
    switch place {
    case .standard: standard()
    case .file: .file(folder.file("shared.sqlite"))
    }
  }

  @Test(
    "so what an address left that the app no longer has is never sent, ages, and is gone one day",
    arguments: Place.allCases)
  func formerAddress(place: Place) async throws {
    // A rolling start: the former process still has the database.
    let former = try await launch(Self.first, location(place), consent: .pending)
    let next = try await launch(Self.second, location(place), consent: .pending)
    for number in 0..<100 { former.tracker.sendLog(name: "\(number)", payload: [:]) }
    next.tracker.sendLog(name: "next", payload: [:])
    await former.tracker.shutdown(timeout: .zero)
    await next.tracker.shutdown(timeout: .zero)
    let files = try databases()
    #expect(files.count == 2)
    var day = Int64(Date().timeIntervalSince1970 / 86_400)
    var ledger = TrackingLedger()
    for _ in 0..<8 {
      day += 31
      let clock = ManualClock(wallMilliseconds: day * 86_400_000)
      let store = try location(place).open(
        quota: TrackerConfiguration.Quota(), time: clock.timeSource, for: destination(Self.second))
      #expect(try store.ledger().pending <= 1)
      ledger = try store.ledger()
      store.close()
    }
    #expect(try databases().count == 1)
    // What was never sent is counted.
    #expect(ledger.dropped == [.quotaAge: 100] && ledger.isBalanced)
  }

  @Test("and what was written lately is left alone, however old its events are")
  func writtenLately() async throws {
    // In a function, because a file's lock ends with its store.
    func open(_ address: String, at milliseconds: Int64, add name: String? = nil) throws -> [String] {
      let time = ManualClock(wallMilliseconds: milliseconds).timeSource
      let store = try location(.standard).open(
        quota: TrackerConfiguration.Quota(age: .seconds(86_400)), time: time, for: destination(address))
      if let name { try add(name, to: store) }
      defer { store.close() }
      return try names(store)
    }
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    #expect(try open(Self.first, at: now - 6 * 86_400_000, add: "old") == ["old"])
    _ = try open(Self.second, at: now)
    #expect(try databases().count == 2)
    #expect(try open(Self.first, at: now - 6 * 86_400_000) == ["old"])
  }

  private func databases() throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.url.path)?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".sqlite") }
  }

  @Test(
    "so two trackers of an app get their own events at every launch, in whatever order they are made",
    arguments: Place.allCases, [[first, second], [second, first]])
  func relaunch(place: Place, order: [String]) async throws {
    for address in [Self.first, Self.second] {
      // The other one is still there at the first launch, as in an app.
      let launch = try await launch(address, location(place), consent: .pending)
      let other = try await self.launch(
        address == Self.first ? Self.second : Self.first, location(place), consent: .pending)
      for (launch, name) in [(launch, address), (other, address == Self.first ? Self.second : Self.first)] {
        launch.tracker.sendLog(name: name, payload: [:])
        await launch.tracker.persist()
      }
      await launch.tracker.shutdown(timeout: .zero)
      await other.tracker.shutdown(timeout: .zero)
    }
    for address in order {
      // One alone, then the other one: each could adopt what is there.
      let launch = try await launch(address, location(place), consent: .granted)
      await launch.tracker.flush()
      expectNoDifference(launch.received, [address, address])
      let ledger = await launch.tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 2, delivered: 2))
      await launch.tracker.shutdown(timeout: .zero)
    }
  }

  @Test("so what a second tracker of the same destination left is adopted, and nothing of another one")
  func leftovers() throws {
    let shared = TrackerConfiguration.StoreLocation.file(folder.file("shared.sqlite"))
    do {
      let (one, again, other) = (
        try open(shared, Self.first), try open(shared, Self.first), try open(shared, Self.second)
      )
      try add("a", to: one)
      try add("b", to: again)
      try add("c", to: other)
    }
    do {
      let next = try open(shared, Self.first)
      expectNoDifference(try names(next), ["a", "b"])
    }
    expectNoDifference(try names(try open(shared, Self.second)), ["c"])
  }

  @Test("also after its database was damaged and replaced")
  func replaced() throws {
    let shared = TrackerConfiguration.StoreLocation.file(folder.file("shared.sqlite"))
    do {
      let first = try open(shared, Self.first)
      let fresh = try shared.replace(damaged: try open(shared, Self.second))
      try add("c", to: fresh)
      try add("a", to: first)
    }
    do { expectNoDifference(try names(try open(shared, Self.first)), ["a"]) }
    expectNoDifference(try names(try open(shared, Self.second)), ["c"])
  }

  // MARK: New addresses

  @Test(
    "a renewed token keeps its events", arguments: ["https://first.test/events?token=2", "http://first.test/events/"])
  func token(address: String) throws {
    do { try add("a", to: try open(standard(), Self.first + "?token=1")) }
    expectNoDifference(try names(try open(standard(), address)), ["a"])
  }

  @Test("an endpoint whose storage has a name gets what waits wherever it moved, leftovers too")
  func movedByName() throws {
    let named = TrackerConfiguration.StoreLocation.file(folder.file("tracker.sqlite"))
    do {
      let (one, again) = (try open(named, Self.first), try open(named, Self.first))
      try add("a", to: one)
      try add("b", to: again)
    }
    do { expectNoDifference(try names(try open(named, Self.second)), ["a", "b"]) }
    expectNoDifference(try names(try open(named, Self.first)), ["a", "b"])
  }

  @Test("another endpoint leaves what waits for the old one, or adopts it", arguments: [true, false])
  func setEndpoint(adopting: Bool) async throws {
    let launch = try await launch(Self.first, standard(), consent: .pending)
    launch.tracker.sendLog(name: "a", payload: [:])
    await launch.tracker.setEndpoint(
      TrackingEndpoint(url: try #require(URL(string: Self.second))), adopting: adopting)
    launch.tracker.sendLog(name: "b", payload: [:])
    await launch.tracker.setConsent(.granted)
    await launch.tracker.flush()
    expectNoDifference(launch.received, adopting ? ["a", "b"] : ["b"])
    #expect(await launch.tracker.statistics.waitingElsewhere == (adopting ? 0 : 1))
    await launch.tracker.shutdown(timeout: .zero)
    expectNoDifference(try names(try open(standard(), Self.first)), adopting ? [] : ["a"])
  }

  private func endpoint(_ key: String) throws -> TrackingEndpoint {
    TrackingEndpoint(url: try #require(URL(string: Self.first)), format: KeyedFormat(tenant: key))
  }

  /// The events that a launch with this key sends.
  private func received(
    _ key: String, _ storage: TrackerConfiguration.StoreLocation, logging name: String? = nil, status: Int = 200,
    former: [String] = [], then next: String? = nil
  ) async throws -> [String] {
    let transport = ScriptedTransport { _ in .success(.status(status)) }
    let (former, current) = (try former.map(endpoint), try endpoint(key))
    let bench = try Bench(transport, storage: storage) {
      $0.destination = .collector(current)
      $0.formerEndpoints = former
    }
    if let name { bench.tracker.sendLog(name: name) }
    if let next { await bench.tracker.setEndpoint(try endpoint(next)) }
    await bench.tracker.flush(timeout: status == 200 ? Duration.seconds(30) : .zero)
    await bench.tracker.shutdown(timeout: .zero)
    return status == 200 ? bench.receivedNames : []
  }

  enum Kind: CaseIterable, Sendable {
    case standard, named, memory
  }

  @Test("one tenant's events are never sent with another's key, whatever the storage", arguments: Kind.allCases)
  func keys(kind: Kind) async throws {
    let storage: TrackerConfiguration.StoreLocation =
      switch kind {
      case .standard: standard()
      case .named: .file(folder.file("named.sqlite"))
      case .memory: .memory
      }
    _ = try await received("a", storage, logging: "of a", status: 503)
    #expect(try await received("b", storage, logging: "of b") == ["of b"])
    #expect(try await received("b", storage, logging: "of b", then: "a") == (kind == .memory ? [] : ["of a"]))
    #expect(try await received("b", storage) == (kind == .memory ? [] : ["of b"]))
  }

  @Test("one line sends what waits for a former key", arguments: [true, false])
  func rotatedKey(isNamed: Bool) async throws {
    let storage = isNamed ? TrackerConfiguration.StoreLocation.file(folder.file("named.sqlite")) : standard()
    _ = try await received("a", storage, logging: "of a", status: 503)
    #expect(try await received("b", storage, logging: "of b", former: ["a"]) == ["of a", "of b"])
    #expect(try await received("a", storage) == [])
  }

  @Test("a wait that another address asked for does not hold a named store")
  func otherAsker() async throws {
    let named = TrackerConfiguration.StoreLocation.file(folder.file("tracker.sqlite"))
    let transport = ScriptedTransport { _ in .success(.status(503, headers: ["Retry-After": "3600"])) }
    let bench = try Bench(transport, storage: named)
    bench.tracker.sendLog(name: "a")
    await bench.tracker.flush(timeout: .zero)
    while try await bench.tracker.note(TrackingDispatcher.retryAfterNote) == nil { await Task.yield() }
    await bench.tracker.shutdown(timeout: .zero)
    let launch = try await launch(Self.second, named, consent: .granted)
    await launch.tracker.flush()
    expectNoDifference(launch.received, ["a"])
    await launch.tracker.shutdown()
  }

  @Test(
    "two modules or places in the code whose sinks have one name keep their events apart, whichever comes first",
    arguments: [("One/A.swift:1", "Other/A.swift:1"), ("One/A.swift:1", "One/A.swift:2")])
  func modules(first: String, second: String) throws {
    let named = TrackerConfiguration.StoreLocation.file(folder.file("sink.sqlite"))
    func open(_ module: String) throws -> any TrackingDataStore {
      try named.open(
        quota: TrackerConfiguration.Quota(), time: .system, for: StoreDestination(NoReceiver(), from: module))
    }
    do {
      let (one, other) = (try open(first), try open(second))
      try add("a", to: one)
      try add("b", to: other)
    }
    let (other, one) = (try open(second), try open(first))
    expectNoDifference(try names(one), ["a"])
    expectNoDifference(try names(other), ["b"])
  }

  @Test("a receiver's store is no collector's")
  func receiver() throws {
    let location = standard()
    let quota = TrackerConfiguration.Quota()
    do {
      let store = try location.open(quota: quota, time: .system, for: StoreDestination(NoReceiver()))
      try add("a", to: store)
    }
    do { expectNoDifference(try names(try open(location, Self.first)), []) }
    let store = try location.open(quota: quota, time: .system, for: StoreDestination(NoReceiver()))
    expectNoDifference(try names(store), ["a"])
  }

  private enum Other {
    struct NoReceiver: EventReceiver {
      func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {}
    }
  }

  @Test("receivers whose types have one name in different places are two, by a name without the build's addresses")
  func receiversOfOneName() {
    let (one, other) = (StoreDestination(NoReceiver()), StoreDestination(Other.NoReceiver()))
    #expect(one.number != other.number && one.fileName != other.fileName)
    #expect(one.fileName.hasPrefix("DualSendTrackingTests.StoreDestinationTests.NoReceiver-"))
  }

  private struct NoReceiver: EventReceiver {
    func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {}
  }
}
