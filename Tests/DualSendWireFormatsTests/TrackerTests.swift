import CustomDump
import DualSendCore
import DualSendTesting
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

@Suite("A tracker that speaks another collector's format", .timeLimit(.minutes(5)))
struct TrackerTests {
  private let clock = ManualClock()

  private func tracker(_ format: any WireFormat, _ transport: ScriptedTransport) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/batch"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url, format: format), storage: .memory, transport: transport,
        time: clock.timeSource
      ) {
        $0.digest = TrackerConfiguration.Digest(start: .onDemand)
        $0.intake.commitDelay = .zero
        $0.retry.randomFraction = { 1 }
      })
  }

  private func send(_ names: [String], to tracker: Tracker) async {
    for name in names { tracker.sendLog(name: name, payload: ["user_id": "user-42"]) }
    await tracker.flush()
  }

  private func names(_ request: HTTPTransportRequest) -> String {
    String(decoding: request.body ?? [], as: UTF8.self)
  }

  @Test("bisects at 400, and delivers all but the event at fault", arguments: WireFormatName.allCases)
  func bisection(name: WireFormatName) async throws {
    let transport = ScriptedTransport { request in
      let isBad = String(decoding: request.body ?? [], as: UTF8.self).contains("bad.event")
      return .success(HTTPTransportResponse(status: isBad ? 400 : 200))
    }
    let tracker = try tracker(name.format(key: "k"), transport)
    await send(["a", "b", "bad.event", "c", "d"], to: tracker)
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 4, deadLettered: 1))
    let letters = try await tracker.deadLetters()
    expectNoDifference(letters.map(\.event.name), ["bad.event"])
    expectNoDifference(letters.map(\.reason), ["rejected by the collector (400)"])
  }

  @Test("halves at 413, and gives up what is too large alone", arguments: WireFormatName.allCases)
  func halving(name: WireFormatName) async throws {
    let transport = ScriptedTransport { request in
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      let count = body.components(separatedBy: "event.").count - 1
      return .success(HTTPTransportResponse(status: count > 2 || body.contains("event.huge") ? 413 : 200))
    }
    let tracker = try tracker(name.format(key: "k"), transport)
    await send(["event.a", "event.b", "event.huge", "event.c", "event.d"], to: tracker)
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 4, deadLettered: 1))
    #expect(try await tracker.deadLetters().map(\.reason) == ["too large for the collector (413)"])
  }

  @Test("makes dead letters of the places that Amplitude names, and sends the others again")
  func places() async throws {
    let transport = ScriptedTransport { request in
      let names = String(decoding: request.body ?? [], as: UTF8.self).components(separatedBy: #""event_type":""#)
        .dropFirst().map { $0.prefix(1) }
      let places = names.enumerated().filter { ["b", "d"].contains($0.element) }.map { "\($0.offset)" }
      guard !places.isEmpty else { return .success(HTTPTransportResponse(status: 200)) }
      let answer =
        #"{"code":400,"error":"Invalid field values","events_with_invalid_fields":"#
        + #"{"time":[\#(places.joined(separator: ","))]}}"#
      return .success(HTTPTransportResponse(status: 400, body: Array(answer.utf8)))
    }
    let tracker = try tracker(.amplitude(apiKey: "k"), transport)
    await send(["a", "b", "c", "d"], to: tracker)
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 4, delivered: 2, deadLettered: 2))
    let letters = try await tracker.deadLetters()
    expectNoDifference(letters.map(\.event.name), ["b", "d"])
    let reason = "rejected by the collector (time is invalid)"
    expectNoDifference(letters.map(\.reason), [reason, reason])
    // Each is sent once more after the others were accepted.
    #expect(transport.requests.count == 4)
  }

  @Test("keeps what PostHog drops because a quota is used up, and says so")
  func quota() async throws {
    let answer = Array(#"{"status":1,"quota_limited":["events"]}"#.utf8)
    let tracker = try tracker(
      .postHog(apiKey: "k"), ScriptedTransport([.success(HTTPTransportResponse(status: 200, body: answer))]))
    tracker.sendLog(name: "a", payload: ["user_id": "user-42"])
    #expect(await tracker.flush().obstacle == .paused(.reported("PostHog's quota for events is used up")))
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 1, pending: 1))
    await tracker.resume()
    #expect(await tracker.flush().sent == 1)
  }

  @Test("keeps an event of more than 32 KB as a dead letter, which another format can deliver")
  func tooLarge() async throws {
    let transport = ScriptedTransport()
    let tracker = try tracker(.segment(writeKey: "k"), transport)
    tracker.sendLog(name: "large", payload: ["user_id": "user-42", "text": String(repeating: "x", count: 40_000)])
    await send(["small"], to: tracker)
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 2, delivered: 1, deadLettered: 1))
    let reason = try #require(try await tracker.deadLetters().first?.reason)
    #expect(reason.hasPrefix("refused by the format: ") && reason.hasSuffix("limit of 32768 for an event"))
    let url = try #require(URL(string: "http://other.test/batch"))
    await tracker.setEndpoint(TrackingEndpoint(url: url, format: .postHog(apiKey: "k")))
    #expect(try await tracker.retryDeadLetters() == 1)
    await tracker.flush()
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 2, delivered: 2))
  }

  @Test(
    "compresses as the collector takes it",
    arguments: [
      (WireFormatName.dualsend, "deflate"), (.segment, "gzip"), (.amplitude, "gzip"), (.posthog, "gzip"),
      (.otlp, "gzip"),
      (.cloudevents, nil),
    ] as [(WireFormatName, String?)])
  func compression(name: WireFormatName, encoding: String?) async throws {
    let transport = ScriptedTransport()
    let tracker = try tracker(name.format(key: "k"), transport)
    await send((0..<100).map { "event.\($0)" }, to: tracker)
    let request = try #require(transport.requests.first)
    #expect(request.headers["Content-Encoding"] == encoding)
    let body = try #require(request.body)
    let plain = encoding == nil ? body : try Zlib.decompress(body, limit: 1 << 20)
    _ = try JSONReader().value(plain)
    #expect(plain.count > 5120)
  }

  @Test("survives what no collector should answer, and the ledger balances", arguments: hostileBodies)
  func hostile(body: String) async throws {
    for name in WireFormatName.allCases {
      for status in [200, 400] {
        let answer = HTTPTransportResponse(
          status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        let transport = ScriptedTransport(then: .success(answer))
        let tracker = try tracker(name.format(key: "k"), transport)
        for name in ["a", "b", "c"] { tracker.sendLog(name: name, payload: ["user_id": "user-42"]) }
        async let flush = tracker.flush()
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        // An answer that cannot be read is asked for again and again.
        await tracker.pause()
        _ = await flush
        let ledger = await tracker.statistics.ledger
        #expect(ledger.accepted == 3 && ledger.delivered + ledger.deadLettered + ledger.pending == 3)
      }
    }
  }

  @Test("carries any name, whatever characters it has", arguments: WireFormatName.allCases)
  func names(name: WireFormatName) throws {
    let hostile = #"a"b\c"# + "\n\u{1}\u{7F}é\u{2028}"
    let event = TrackingData(
      TrackingEvent(id: EventID(high: 1, low: 2), time: 1, name: hostile, payload: ["user_id": "user-42"]))
    let request = name.format(key: "k").request(for: [event], sentAt: 1)
    let value = try JSONReader().value(request.body)
    #expect(value.texts.contains(hostile), "\(value.canonicalText)")
  }
}

extension EventValue {
  /// All texts in it.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.values.flatMap(\.texts)
    default: []
    }
  }
}
