import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

private struct Purchase: Encodable {
  struct Line: Encodable { let sku: String; let count: Int }
  let total: Double
  let lines: [Line]
  let at: Date
  let note: String?
}

private struct Unencodable: Encodable {
  struct Refusal: Error {}
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Suite("Typed events", .timeLimit(.minutes(5)))
struct TypedEventTests {
  private func logged(_ log: (DualSendTracker) -> Void) async throws -> SinkBench {
    let bench = try SinkBench()
    log(bench.dualSend)
    await bench.dualSend.flush()
    return bench
  }

  @Test("of an enum with associated values go out in one line")
  func enums() async throws {
    let bench = try await logged {
      $0.log(ScreenEvent.viewed(.today))
      $0.log(ScreenEvent.scrolled(to: 1.5))
    }
    expectNoDifference(bench.tracker.names, ["screen.viewed", "screen.scrolled"])
    expectNoDifference(bench.tracker.payloads, [["tab": "today"], ["offset": .double(1.5)]])
    expectNoDifference(bench.oldLogger.entries.map(\.name), ["screen.viewed", "screen.scrolled"])
  }

  @Test("are remapped like every other")
  func remapped() async throws {
    struct Tap: TypedEvent {
      let name = "home.tap"
      let parameters: [String: any Sendable] = ["item_id": 9, "debug": true]
    }
    let bench = try await logged { $0.log(Tap()) }
    expectNoDifference(bench.tracker.payloads, [["new_item_id": 9]])
  }

  @Test("may be any Encodable value")
  func encodable() async throws {
    let purchase = Purchase(
      total: 3, lines: [.init(sku: "a", count: 2)], at: Date(timeIntervalSince1970: 0), note: nil)
    let bench = try await logged { $0.log("purchase", encoding: purchase) }
    expectNoDifference(
      bench.tracker.payloads,
      [["total": 3, "lines": [["sku": "a", "count": 2]], "at": "1970-01-01T00:00:00.000Z"]])
    expectNoDifference(bench.oldLogger.entries.map { $0.parameters["lines"] }, [[["sku": "a", "count": 2]]])
  }

  @Test("whose value throws or is no object keep the event, and the fault is reported")
  func unencodable() async throws {
    let bench = try SinkBench()
    let outcomes = bench.dualSend.tracker.outcomes()
    bench.dualSend.log("a", encoding: Unencodable())
    bench.dualSend.log("b", encoding: [1, 2])
    await bench.dualSend.flush()
    expectNoDifference(bench.tracker.names, ["a", "b"])
    expectNoDifference(bench.oldLogger.entries.map(\.name), ["a", "b"])
    var types: [String] = []
    for await case .valueLeftOut(_, let issue) in outcomes {
      if case .encodingFailed(let type) = issue.reason { types.append(type) }
      if types.count == 2 { break }
    }
    expectNoDifference(types, ["Unencodable", "Array<Int>"])
  }

  /// Knows of parameters only their Swift types.
  private final class TypeLogger: OldLogger {
    let types = Locked<[String: String]>([:])

    func logEvents(name: String, parameters: [[String: Any]]) {
      types.withLock { types in
        for (key, value) in parameters.joined() { types[key] = "\(type(of: value))" }
      }
    }
  }

  @Test(
    "give the old logger Swift's own types where a parameter is an EventValue",
    arguments: [[], [Sink.debugPrinter { _ in }]])
  func plainValues(newSinks: [Sink]) async throws {
    let old = TypeLogger()
    let bench = try SinkBench()
    let logger = DualSendTracker(
      oldLogger: old, tracker: bench.dualSend.tracker, rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) { $0.newSinks = newSinks }
    logger.log("a", parameters: ["text": EventValue.string("x"), "own": 1.5])
    logger.log("b", parameters: ["object": EventValue.object(["k": 1])])
    @Tracked("c", with: logger) var count = 0
    count = 1
    expectNoDifference(
      old.types.current,
      ["text": "String", "own": "Double", "object": "Dictionary<String, Any>", "old_value": "Int", "new_value": "Int"])
    await logger.flush()
    expectNoDifference(
      bench.tracker.payloads,
      [["text": "x", "own": .double(1.5)], ["object": ["k": 1]], ["old_value": 0, "new_value": 1]])
  }

  @Test("log a screen by its name")
  func screens() async throws {
    let bench = try await logged { $0.log(ScreenView("Top")) }
    expectNoDifference(bench.tracker.names, ["screen_view"])
    expectNoDifference(bench.tracker.payloads, [["screen_name": "Top"]])
  }
}

@Suite("A tracked property", .timeLimit(.minutes(5)))
struct TrackedTests {
  private enum Theme: String, Sendable { case light, dark }
  private struct Profile: Equatable, Sendable {
    var city = "Oslo"
    var age = 1
  }

  @Test("logs each change with the old value and the new one, and nothing when it stays equal")
  func changes() async throws {
    let bench = try SinkBench()
    @Tracked("theme.changed", with: bench.dualSend) var theme = Theme.light
    theme = .dark
    theme = .dark
    theme = .light
    await bench.dualSend.flush()
    #expect(theme == .light)
    expectNoDifference(
      bench.tracker.payloads,
      [["old_value": "light", "new_value": "dark"], ["old_value": "dark", "new_value": "light"]])
  }

  @Test("can log one part of the value alone")
  func parts() async throws {
    let bench = try SinkBench()
    @Tracked("city.changed", of: \.city, with: bench.dualSend) var profile = Profile()
    profile.age = 2
    profile.city = "Rome"
    await bench.dualSend.flush()
    expectNoDifference(bench.tracker.names, ["city.changed"])
    expectNoDifference(bench.tracker.payloads, [["old_value": "Oslo", "new_value": "Rome"]])
  }
}
