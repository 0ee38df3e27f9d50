import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

private struct Refusal: Error {}

private enum Screen: String, TypedEvent {
  case today

  var name: String { "screen" }
  var parameters: [String: any Sendable] { ["id": rawValue] }
}

@Suite("Mutations", .timeLimit(.minutes(5)))
struct MutationTests {
  private func sent(
    _ mutations: [Mutation], _ parameters: [String: any Sendable] = [:]
  ) async throws -> (bench: SinkBench, payload: EventValue?) {
    let bench = try SinkBench(mutations: mutations)
    bench.dualSend.log("home.tap", parameters: parameters)
    await bench.dualSend.flush()
    return (bench, bench.tracker.payloads.first ?? nil)
  }

  @Test("run in order after the remapping, and the later wins")
  func order() async throws {
    let (_, payload) = try await sent(
      [
        .parameters(["a": 1, "b": 1, "new_item_id": 7]),
        Mutation("second") { event in
          event.parameters["b"] = 2
          event.parameters["seen"] = event.parameters["new_item_id"]
        },
      ], ["item_id": 42])
    expectNoDifference(payload, ["a": 1, "b": 2, "new_item_id": 7, "seen": 7])
  }

  @Test("leave the old logger's call as it was, unless they run on the caller's thread")
  func oldLogger() async throws {
    let (bench, payload) = try await sent([
      .parameters(["everywhere": 1]), Mutation("caller", on: .caller) { $0.parameters["item_id"] = 3 },
    ])
    expectNoDifference(bench.oldLogger.entries.map(\.parameters), [["item_id": 3]])
    expectNoDifference(bench.logger.entries.map(\.parameters), [["item_id": 3]])
    expectNoDifference(payload, ["everywhere": 1, "new_item_id": 3])
    expectNoDifference(bench.archive.payloads, [["everywhere": 1, "item_id": 3]])
    expectNoDifference(bench.closure.current.map(\.payload), [["everywhere": 1, "new_item_id": 3]])
  }

  @Test("on the caller's thread leave every value that they do not change the object that it was")
  func untouchedObjects() throws {
    final class Opaque {}
    let opaque = Opaque()
    let kept = Locked<Bool?>(nil)
    struct Probe: OldLogger {
      let check: @Sendable ([String: Any]) -> Void
      func logEvents(name: String, parameters: [[String: Any]]) { parameters.forEach(check) }
    }
    let identity = ObjectIdentifier(opaque)
    let bench = try SinkBench()
    let dualSend = DualSendTracker(
      oldLogger: Probe { parameters in
        let isKept = (parameters["opaque"] as? Opaque).map { ObjectIdentifier($0) == identity } ?? false
        let isPatched = parameters["gone"] == nil && parameters["new"] as? Int == 1
        kept.withLock { $0 = isKept && isPatched && parameters["small"] is UInt8 }
      }, tracker: bench.dualSend.tracker, unitID: { nil }
    ) {
      $0.mutations = [
        Mutation("caller", on: .caller) { event in
          event.parameters["gone"] = nil
          event.parameters["new"] = 1
        }
      ]
    }
    dualSend.logEvents(name: "a", parameters: ["opaque": opaque, "small": UInt8(1), "gone": 1])
    #expect(kept.current == true)
  }

  @Test("reach the sinks that they are for")
  func scopes() async throws {
    let (bench, payload) = try await sent([
      .parameters(["one": 1], for: .only(["amplitude"])),
      .parameters(["two": 2], for: .except(["amplitude", "archive"])),
    ])
    expectNoDifference(payload, ["two": 2])
    expectNoDifference(bench.amplitude.payloads, [["one": 1]])
    expectNoDifference(bench.archive.payloads, [[:]])
  }

  @Test("that throw cost themselves: what they changed is undone, the rest runs, and they are counted")
  func failures() async throws {
    let (bench, payload) = try await sent([
      .parameters(["before": 1]),
      Mutation("fails", for: .only([.newTracker, "closure"])) { event in
        event.parameters = ["half": 1]
        throw Refusal()
      },
      .parameters(["after": 1]),
    ])
    expectNoDifference(payload, ["before": 1, "after": 1])
    expectNoDifference(bench.dualSend.mutationFailures, ["fails": 2])
  }

  @Test("see the typed event that was logged")
  func original() async throws {
    let bench = try SinkBench(mutations: [
      Mutation("original") { event in
        if let screen = event.original as? Screen { event.parameters["case"] = .string(screen.rawValue) }
      }
    ])
    bench.dualSend.log(Screen.today)
    bench.dualSend.log("screen", parameters: ["id": "none"])
    await bench.dualSend.flush()
    expectNoDifference(bench.amplitude.payloads, [["id": "today", "case": "today"], ["id": "none"]])
  }

  @Test("see an event as its sink gets it, and which sink that is")
  func whatTheySee() async throws {
    let seen = Locked<[String]>([])
    func probe(_ place: Mutation.Place) -> Mutation {
      Mutation("probe", on: place) { event in
        seen.withLock { $0.append("\(event.sink?.rawValue ?? "caller") \(event.name)") }
      }
    }
    let bench = try SinkBench(mutations: [probe(.sink), probe(.caller)])
    bench.dualSend.log("home.tap")
    await bench.dualSend.flush()
    expectNoDifference(
      seen.current.sorted(),
      ["amplitude home.like", "archive home.tap", "caller home.tap", "closure home.like", "newTracker home.like"])
  }

  private struct Tap: TypedEvent {
    let name = "home.tap"
    let parameters: [String: any Sendable] = ["item_id": 1, "bad": Double.nan]
  }

  @Test("on the caller's thread change an event for both sides, and hide nothing that was left out")
  func bothSides() async throws {
    let bench = try SinkBench(mutations: [Mutation("caller", on: .caller) { $0.parameters["added"] = 1 }])
    let outcomes = bench.dualSend.tracker.outcomes()
    bench.dualSend.log(Tap())
    bench.dualSend.logEvents(name: "plain", parameters: ["bad": Double.nan])
    await bench.dualSend.flush()
    expectNoDifference(bench.tracker.payloads, [["added": 1, "new_item_id": 1], ["added": 1]])
    expectNoDifference(bench.archive.payloads, [["added": 1, "item_id": 1], ["added": 1]])
    bench.dualSend.tracker.sendLog(name: "end", payload: ["bad": .double(.nan)])
    var names: [String] = []
    for await case .valueLeftOut(let name, _) in outcomes {
      names.append(name)
      if name == "end" { break }
    }
    expectNoDifference(names, ["home.tap", "plain", "end"])
  }

  @Test("cannot put into an event what JSON cannot hold")
  func notFinite() async throws {
    let (bench, payload) = try await sent([
      .parameters(["bad": .double(.nan), "good": 1]),
      Mutation("caller", on: .caller) { $0.parameters["x"] = .double(.infinity) },
    ])
    expectNoDifference(payload, ["good": 1])
    #expect(await bench.dualSend.tracker.statistics.ledger.delivered == 1)
  }

  @Test("add what is known of the device, and leave what the event says itself")
  func device() async throws {
    let (_, payload) = try await sent(
      [.device(prefix: "d_", screen: (width: 390, height: 844))], ["d_os_name": "mine"])
    guard case .object(let members)? = payload else {
      Issue.record("no object")
      return
    }
    #expect(members["d_os_name"] == "mine")
    #expect(members["d_screen_width"] == 390)
    for key in ["d_os_version", "d_locale", "d_device_model"] { #expect(members[key] != nil, "\(key)") }
  }

  @Test("add the user's id while there is one, and the event's moment")
  func userAndTime() async throws {
    let user = Locked<String?>("u-1")
    let bench = try SinkBench(mutations: [.userID { user.current }, .timestamp()])
    bench.dualSend.log("a")
    await bench.dualSend.flush()
    user.withLock { $0 = nil }
    bench.dualSend.log("a")
    await bench.dualSend.flush()
    expectNoDifference(
      bench.tracker.payloads,
      [["user_id": "u-1", "timestamp": "2026-01-01T00:00:00.000Z"], ["timestamp": "2026-01-01T00:00:00.000Z"]])
  }
}

@Suite("Redaction", .timeLimit(.minutes(5)))
struct RedactionTests {
  private func redacted(
    _ parameters: [String: EventValue], _ patterns: [String], _ redaction: Mutation.Redaction = .removal
  ) async throws -> EventValue? {
    let bench = try SinkBench(mutations: [.redaction(of: patterns, leaving: redaction)])
    bench.dualSend.log("e", parameters: parameters)
    await bench.dualSend.flush()
    return bench.tracker.payloads.first ?? nil
  }

  @Test("hides keys at every depth, whatever the case of their letters")
  func depth() async throws {
    let payload: [String: EventValue] = [
      "Email": "a@b", "list": [["work_EMAIL_2": "c", "keep": 1]], "user": ["phone": "1", "name": "n"], "phones": 2,
    ]
    let left = try await redacted(payload, ["*email*", "phone"])
    expectNoDifference(left, ["list": [["keep": 1]], "user": ["name": "n"], "phones": 2])
    let replaced = try await redacted(["phone": "1"], ["phone"], .replacement("hidden"))
    expectNoDifference(replaced, ["phone": "hidden"])
  }

  @Test(
    "matches a star against any characters, none included",
    arguments: [
      ("card_*", "card_", true), ("card_*", "card", false), ("*a*b*", "xaxbx", true), ("*a*b*", "ba", false),
      ("a*a", "a", false), ("a*a", "aa", true), ("*", "", true), ("", "", true), ("", "x", false),
      ("**x", "yx", true), ("\u{E9}", "e\u{301}", false), ("*ab*ab", "abab", true), ("*ab*ab", "ab", false),
    ])
  func patterns(pattern: String, key: String, isHidden: Bool) async throws {
    let payload = try await redacted([key: 1, "other key": 2], [pattern])
    expectNoDifference(payload, isHidden ? (pattern == "*" ? [:] : ["other key": 2]) : [key: 1, "other key": 2])
  }
}

@Suite("Sessions", .timeLimit(.minutes(5)))
struct SessionTests {
  @Test("end when nothing is logged for longer than the time-out")
  func timeout() async throws {
    let count = Locked(0)
    let bench = try SinkBench(mutations: [
      .session(timeout: .seconds(60)) {
        count.withLock {
          $0 += 1; return "s\($0)"
        }
      }
    ])
    for gap in [0, 60, 60, 61, 0] {
      bench.clock.advance(by: .seconds(gap))
      bench.dualSend.log("e")
    }
    await bench.dualSend.flush()
    let expected: [EventValue?] = ["s1", "s1", "s1", "s2", "s2"].map { ["session_id": $0] }
    expectNoDifference(bench.tracker.payloads, expected)
    expectNoDifference(bench.amplitude.payloads, expected)
    expectNoDifference(bench.closure.current.map { $0.payload["session_id"] }, ["s1", "s1", "s1", "s2", "s2"])
  }

  /// Numbers sessions in the order in which they begin.
  private struct Numbered {
    var clock = SessionClock(timeout: 10)
    var count = 0

    mutating func callAsFunction(_ time: Int64) -> String {
      let next = "\(count + 1)"
      let id = clock.session(at: time) { next }
      if id == next { count += 1 }
      return id
    }
  }

  @Test("take any time, the farthest too")
  func farthest() {
    var session = Numbered()
    expectNoDifference([Int64.min, .max, 0, .max, .min].map { session($0) }, ["1", "2", "3", "2", "1"])
  }

  @Test("are told to sinks that are late by 64 of them, and forgotten then")
  func memory() {
    var session = Numbered()
    for number in Int64(0)..<64 { #expect(session(number * 100) == "\(number + 1)") }
    #expect(session(0) == "1")
    #expect(session(6400) == "65")
    #expect(session(100) == "2")
    #expect(session(0) == "66")
  }

  @Test("do not end where an event comes late, or from a clock that was set back a little")
  func lateEvents() {
    var session = Numbered()
    for time in [100, 108, 102, 118, 95, 90] as [Int64] { #expect(session(time) == "1") }
    #expect(session(89) == "2")
  }

  @Test("are the same for every sink, in whatever order the sinks come to the events")
  func orders() {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let times = (0..<30).map { _ in Int64.random(in: 0..<2000, using: &numbers) }.sorted()
      var clock = SessionClock(timeout: 60)
      var next = 0
      func id(_ time: Int64) -> String {
        clock.session(at: time) {
          next += 1
          return "\(next)"
        }
      }
      let first = times.map(id)
      let late = times.shuffled(using: &numbers).map { ($0, id($0)) }
      for (time, session) in late { #expect(session == first[times.firstIndex(of: time) ?? 0]) }
      for (index, time) in times.enumerated().dropFirst() {
        #expect((first[index] == first[index - 1]) == (time - times[index - 1] <= 60))
      }
    }
  }
}
