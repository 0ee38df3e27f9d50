import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

// TypedEvents: an enum
enum ScreenEvent: TypedEvent {
  case viewed(Tab)
  case scrolled(to: Double)

  var name: String {
    switch self {
    case .viewed: "screen.viewed"
    case .scrolled: "screen.scrolled"
    }
  }

  var parameters: [String: any Sendable] {
    switch self {
    case .viewed(let tab): ["tab": tab.rawValue]
    case .scrolled(let offset): ["offset": offset]
    }
  }
}
// TypedEvents: the end

enum Tab: String, Sendable { case today, search }

// TypedEvents: an event
struct LikeTap: TypedEvent {
  let itemID: Int

  var name: String { "home.like_button.tap" }
  var parameters: [String: any Sendable] { ["item_id": itemID] }
}

extension TypedEvent where Self == LikeTap {
  static func like(_ itemID: Int) -> LikeTap { LikeTap(itemID: itemID) }
}
// TypedEvents: the end

private struct Purchase: Encodable {
  let total: Double
  let items: [Int]
}

private func callSites(logger: DualSendTracker, purchase: Purchase) {
  // TypedEvents: call sites
  logger.log(ScreenEvent.viewed(.today))
  logger.log(.like(42))
  logger.log("purchase", encoding: purchase)
  logger.log("home.view", parameters: ["item_id": 42])
  // TypedEvents: the end
}

private final class Settings {
  enum Theme: String, Sendable { case light, dark }

  // TypedEvents: tracked
  @Tracked var theme: Theme

  init(logger: any EventLogging) {
    _theme = Tracked(wrappedValue: .light, "settings.theme.changed", with: logger)
  }
  // TypedEvents: the end
}

private struct AmplitudeReceiver: EventReceiver {
  let client: AmplitudeClient

  // SeveralSinks: a receiver
  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    for event in events {
      switch await client.track(event.name, event.payload) {
      case .done: continue
      case .quotaExceeded(let wait): throw .unavailable("over its quota", retryAfter: wait)
      case .wrongKey: throw .refused("the API key is wrong")
      }
    }
  }
  // SeveralSinks: the end
}

private actor AmplitudeClient {
  enum Answer { case done, quotaExceeded(Duration), wrongKey }
  private(set) var uploads = 0

  func track(_ name: String, _ properties: [String: EventValue]) -> Answer {
    uploads += 1
    return .done
  }
}

private func severalSinks(
  oldLogger: any OldLogger, tracker: Tracker, table: RemappingTable, rollout: RolloutSnapshot, client: AmplitudeClient,
  consoleLogger: any OldLogger, storage: TrackerConfiguration.StoreLocation
) -> DualSendTracker {
  // SeveralSinks: the adapter
  let amplitude = Sink.buffered("amplitude", to: AmplitudeReceiver(client: client), start: .count(20)) {
    $0.storage = storage
  }
  let logger = DualSendTracker(
    oldLogger: oldLogger, tracker: tracker, remapping: table, rollout: rollout, unitID: { "unit" }
  ) {
    $0.oldSinks = [.logger("console", consoleLogger)]
    $0.newSinks = [amplitude, .debugPrinter { line in NSLog("%@", line) }]
  }
  // SeveralSinks: the end
  return logger
}

private func withoutMigration(tracker: Tracker, amplitude: Sink) -> SinkGroup {
  // SeveralSinks: a group
  let group = SinkGroup([.tracker("collector", tracker), amplitude], mutations: [.session()])
  // SeveralSinks: the end
  return group
}

private func scopes(logger: DualSendTracker) {
  // SeveralSinks: scopes
  logger.log("purchase", parameters: ["total": 3], to: .except(["amplitude"]))
  logger.log("crash.recovered", to: .only([.newTracker]), delivery: .immediately)
  // SeveralSinks: the end
}

private func mutations(userID: @escaping @Sendable () -> String?) -> [Mutation] {
  // SeveralSinks: the chain
  let mutations: [Mutation] = [
    .device(prefix: "device_"),
    .session(timeout: .seconds(30 * 60)),
    .userID(userID),
    .parameters(["app": "shop"]),
    Mutation("screen", for: .except(["amplitude"])) { event in
      if case ScreenEvent.viewed(let tab)? = event.original { event.parameters["screen"] = .string(tab.rawValue) }
    },
    .redaction(of: ["*email*", "phone"]),
  ]
  // SeveralSinks: the end
  return mutations
}

@Suite("The examples of sinks, mutations and typed events", .timeLimit(.minutes(5)))
struct FeatureExampleTests {
  private static let examples = [
    ("TypedEvents", "an enum"), ("TypedEvents", "an event"), ("TypedEvents", "call sites"),
    ("TypedEvents", "tracked"),
    ("SeveralSinks", "a receiver"), ("SeveralSinks", "the adapter"), ("SeveralSinks", "scopes"),
    ("SeveralSinks", "a group"),
    ("SeveralSinks", "the chain"),
  ].map { DocumentedExample(document: "Sources/DualSendTracking/DualSendTracking.docc/\($0.0).md", name: $0.1) }

  @Test("stand in the articles as they are compiled here", arguments: examples)
  func verbatim(example: DocumentedExample) throws {
    try example.check(in: #filePath)
  }

  @Test("do what the articles say")
  func run() async throws {
    let tracker = ReceivedEvents()
    let main = Sink.buffered("main", to: tracker, start: .onDemand) { $0.storage = .memory }
    let (client, old, console) = (AmplitudeClient(), RecordingOldLogger(), RecordingOldLogger())
    let logger = severalSinks(
      oldLogger: old, tracker: try #require(main.tracker), table: RemappingTable(),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), client: client,
      consoleLogger: console, storage: .memory)
    callSites(logger: logger, purchase: Purchase(total: 3, items: [1]))
    Settings(logger: logger).theme = .dark
    scopes(logger: logger)
    await logger.flush()
    let names = [
      "screen.viewed", "home.like_button.tap", "purchase", "home.view", "settings.theme.changed",
      "purchase", "crash.recovered",
    ]
    expectNoDifference(tracker.names, names)
    #expect(await client.uploads == 5)
    #expect(old.entries.count == 6)
    #expect(console.entries == old.entries)
  }

  @Test("mutate what they say")
  func mutated() async throws {
    let bench = try SinkBench(mutations: mutations { "u-1" })
    bench.dualSend.log(ScreenEvent.viewed(.today))
    bench.dualSend.log("form", parameters: ["work_email": "a@b", "phone": "1", "kept": 1])
    await bench.dualSend.flush()
    guard case .object(let first)? = bench.tracker.payloads[0], case .object(let second)? = bench.tracker.payloads[1],
      case .object(let amplitude)? = bench.amplitude.payloads[0]
    else {
      Issue.record("no objects")
      return
    }
    #expect(first["screen"] == "today")
    #expect(first["user_id"] == "u-1")
    #expect(first["session_id"] == second["session_id"])
    #expect(second["work_email"] == nil && second["phone"] == nil && second["kept"] == 1)
    #expect(amplitude["screen"] == nil)
    #expect(amplitude["app"] == "shop")
  }
}
