import DualSendCollector
import DualSendCore
import DualSendTracking
import Testing

@Suite("A tracker and a collector that speak one format", .timeLimit(.minutes(5)))
struct CollectorFormatTests {
  /// Six events, one of them named `bad`.
  private let six: [(name: String, payload: [String: EventValue])] = ["a", "b", "c", "bad", "d", "e"].map {
    ($0, ["user_id": "user-1", "text": .string(String(repeating: $0, count: 200))])
  }

  @Test("agree on every event: its id, its name and its values", arguments: CollectorFormat.allCases)
  func agree(_ format: CollectorFormat) async throws {
    let values: [String: EventValue] = [
      "user_id": "user-1", "unit_id": "unit-1", "device_id": "device-1", "session_id": 1_700_000_000_000, "int": -3,
      "long": 9_223_372_036_854_775_807, "double": 2.5, "yes": true, "null": nil, "text": "\u{2028}\"é🎉", "empty": "",
      "list": [1, [nil, "x"], ["y": []]], "object": ["inner": ["value": false], "none": [:]],
    ]
    let run = try await FormatRun.of(format, [("all.values", values), ("no.values", [:]), ("ünï code", ["n": 1])])
    #expect(run.ledger == TrackingLedger(accepted: 3, delivered: 3))
    #expect(run.events.map(\.name) == ["all.values", "no.values", "ünï code"])
    #expect(run.events.map(\.payload) == [values, [:], ["n": 1]])
    #expect(format == .sample || run.events.map(\.id) == run.sentIDs)
    #expect(run.totals.malformed == 0)
  }

  @Test("halve a batch that is too large until it fits", arguments: CollectorFormat.allCases)
  func halve(_ format: CollectorFormat) async throws {
    // One event of each format has less than 900 bytes, and six have more.
    let run = try await FormatRun.of(format, six, faults: "limit=1200")
    #expect(run.ledger == TrackingLedger(accepted: 6, delivered: 6))
    #expect(run.totals.accepted == 6)
    #expect(run.totals.faults > 0)
  }

  @Test("bisect a batch that is refused as a whole", arguments: CollectorFormat.allCases)
  func bisect(_ format: CollectorFormat) async throws {
    let run = try await FormatRun.of(format, six, faults: "poison=bad")
    #expect(run.ledger == TrackingLedger(accepted: 6, delivered: 5, deadLettered: 1))
    #expect(run.deadLetters.map(\.event.name) == ["bad"])
    #expect(run.events.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(run.totals.duplicates == 0)
  }

  @Test("put an event aside that the collector refuses in its own way", arguments: CollectorFormat.allCases)
  func reject(_ format: CollectorFormat) async throws {
    let run = try await FormatRun.of(format, six, faults: "reject=bad")
    #expect(run.events.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(run.totals.duplicates == 0)
    if format == .otlp {
      // A partial success says how many, not which, and forbids to send again.
      #expect(run.ledger == TrackingLedger(accepted: 6, delivered: 6))
    } else {
      #expect(run.ledger == TrackingLedger(accepted: 6, delivered: 5, deadLettered: 1))
      #expect(run.deadLetters.map(\.event.name) == ["bad"])
    }
    // Where the answer accepts the others and names the event, it is not sent again.
    let requests: [CollectorFormat: Int] = [.dualsend: 1, .otlp: 1, .amplitude: 3]
    if let requests = requests[format] { #expect(run.totals.requests == requests) }
  }

  @Test(
    "deliver each event after all", .timeLimit(.minutes(5)), arguments: CollectorFormat.allCases,
    ["503*2", "retry-after=0:503*2", "401*1", "drop*2", "lose*1", "cut*1"])
  func comesLater(_ format: CollectorFormat, _ fault: String) async throws {
    let run = try await FormatRun.of(format, six, faults: fault)
    #expect(run.ledger == TrackingLedger(accepted: 6, delivered: 6))
    let again = ["lose*1", "cut*1"].contains(fault) ? 6 : 0
    // The sample's events have no ids: nothing tells a second delivery from new events.
    #expect(run.totals.accepted == (format == .sample ? 6 + again : 6))
    #expect(run.totals.duplicates == (format == .sample ? 0 : again))
  }

  @Test(
    "wait as long as a throttled collector asks, and keep everything",
    arguments: CollectorFormat.allCases)
  func throttled(_ format: CollectorFormat) async throws {
    let run = try await FormatRun.of(format, six, faults: "retry-after=120:429", flushes: false)
    #expect(run.ledger == TrackingLedger(accepted: 6, pending: 6))
    #expect(run.totals.requests == 1)
    let waits = run.outcomes.compactMap { outcome -> Duration? in
      if case .retry(_, let wait) = outcome { wait } else { nil }
    }
    // Amplitude answers no Retry-After; it documents 30 s.
    #expect(waits == [format == .amplitude ? .seconds(30) : .seconds(120)])
  }
}
