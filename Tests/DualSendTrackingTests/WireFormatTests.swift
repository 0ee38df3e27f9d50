import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// A line of `name` an event: as small as a format can be.
private struct LineFormat: WireFormat {
  var limits = WireRequest.Limits()
  var headers = ["Content-Type": "text/plain"]
  var read: @Sendable (HTTPTransportResponse, [TrackingData]) -> WireAnswer = { response, _ in
    WireAnswer(status: response.status)
  }

  func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    WireRequest(
      of: events, limits: limits, headers: headers, encodings: [.gzip], opening: [], separator: Array("\n".utf8),
      closing: []
    ) { event throws(WireRequest.Refusal) in
      if event.name == "unfit" { throw WireRequest.Refusal("no line for it") }
      return Array(event.name.utf8)
    }
  }

  func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer { read(response, events) }
}

/// A format that makes nothing of any event.
private struct EmptyFormat: WireFormat {
  func request(for _: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    WireRequest(headers: [:], body: [], eventCount: 0)
  }
}

@Suite("A wire format", .timeLimit(.minutes(5)))
struct WireFormatTests {
  private func bench(
    _ format: any WireFormat, _ transport: ScriptedTransport = ScriptedTransport(), batchEvents: Int = 500,
    change: (inout TrackingEndpoint) -> Void = { _ in }
  ) throws -> Bench {
    var endpoint = TrackingEndpoint(url: try #require(URL(string: "http://collector.test/lines")), format: format)
    change(&endpoint)
    return try Bench(transport) {
      $0.destination = .collector(endpoint)
      $0.digest.start = .onDemand
      $0.digest.batchEvents = batchEvents
    }
  }

  private func send(_ names: [String], _ bench: Bench) async {
    for name in names { bench.tracker.sendLog(name: name, payload: [:]) }
    await bench.tracker.flush()
  }

  private func bodies(_ transport: ScriptedTransport) -> [String] {
    transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
  }

  private func collector(_ status: @escaping @Sendable ([Substring]) -> Int) -> ScriptedTransport {
    ScriptedTransport { request in
      .success(.status(status(String(decoding: request.body ?? [], as: UTF8.self).split(separator: "\n"))))
    }
  }

  @Test("cuts a batch at its limits of count and bytes")
  func cuts() async throws {
    let count = try bench(LineFormat(limits: WireRequest.Limits(events: 2)))
    await send(["a", "b", "c", "d", "e"], count)
    expectNoDifference(bodies(count.transport), ["a\nb", "c\nd", "e"])
    let bytes = try bench(LineFormat(limits: WireRequest.Limits(bytes: 5)))
    await send(["aa", "bb", "c", "dd", "eeeee"], bytes)
    expectNoDifference(bodies(bytes.transport), ["aa\nbb", "c\ndd", "eeeee"])
    #expect(await bytes.tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 5))
    #expect(await bytes.tracker.statistics.requests == 3)
  }

  @Test("makes dead letters of events beyond its limits, or that it has no form for, and sends the others")
  func refuses() async throws {
    let bench = try bench(LineFormat(limits: WireRequest.Limits(bytes: 8, eventBytes: 5)))
    await send(["a", "toolong", "b", "unfit", "c"], bench)
    expectNoDifference(bodies(bench.transport), ["a\nb\nc"])
    let reasons = try await bench.tracker.deadLetters().map(\.reason)
    expectNoDifference(
      reasons,
      [
        "refused by the format: 7 bytes exceed the collector's limit of 5 for an event",
        "refused by the format: no line for it",
      ])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 3, deadLettered: 2))
  }

  @Test("that has no form for any event pauses delivery instead of emptying the queue")
  func refusesAll() async throws {
    let formats: [any WireFormat] = [
      EmptyFormat(), LineFormat(limits: WireRequest.Limits(events: 0)),
      LineFormat(limits: WireRequest.Limits(bytes: 0)),
    ]
    for format in formats {
      let bench = try bench(format)
      await send((0..<150).map(String.init), bench)
      let statistics = await bench.tracker.statistics
      expectNoDifference(statistics.ledger, TrackingLedger(accepted: 150, pending: 150))
      guard case .paused(.everythingRejected) = statistics.delivery else {
        Issue.record("\(statistics.delivery)")
        return
      }
      #expect(bench.transport.requests.isEmpty)
      let url = try #require(URL(string: "http://other.test/"))
      await bench.tracker.setEndpoint(TrackingEndpoint(url: url))
      #expect(await bench.tracker.flush().sent == 150)
    }
  }

  @Test("that has no form for many events sends those behind them in the same digest")
  func refusesManyBeforeGoodOnes() async throws {
    let bench = try bench(LineFormat(), batchEvents: 50) { $0.compression = .none }
    await send(Array(repeating: "unfit", count: 150) + ["a", "b", "c"], bench)
    expectNoDifference(bodies(bench.transport).joined(separator: "\n"), "a\nb\nc")
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 153, delivered: 3, deadLettered: 150))
  }

  @Test("that had a form for no event sends the first that it has one for after one pause", arguments: [150, 2500])
  func refusesManyAndPauses(unfit: Int) async throws {
    let bench = try bench(LineFormat(), batchEvents: 50) { $0.compression = .none }
    await send(Array(repeating: "unfit", count: unfit), bench)
    for _ in 0..<2 {
      let statistics = await bench.tracker.statistics
      expectNoDifference(statistics.ledger, TrackingLedger(accepted: unfit, pending: unfit))
      expectNoDifference(
        statistics.delivery, .paused(.everythingRejected("refused by the format: no line for it")))
      bench.clock.advance(by: .seconds(3600))
      await bench.tracker.flush()
    }
    #expect(bench.transport.requests.isEmpty)
    await send((0..<60).map(String.init), bench)
    bench.clock.advance(by: .seconds(3600))
    await bench.tracker.flush()
    let received = bodies(bench.transport).flatMap { $0.split(separator: "\n").map(String.init) }
    expectNoDifference(received.sorted(), (0..<60).map(String.init).sorted())
    let ledger = await bench.tracker.statistics.ledger
    #expect(ledger.delivered == 60 && ledger.pending + ledger.deadLettered == unfit)
  }

  @Test("that has no form for many events, before a collector that refuses the others, pauses after one of those")
  func refusesManyBeforeRefusedOnes() async throws {
    let bench = try bench(LineFormat(), collector { _ in 400 }, batchEvents: 50)
    await send(Array(repeating: "unfit", count: 150) + ["a", "b"], bench)
    let statistics = await bench.tracker.statistics
    expectNoDifference(statistics.ledger, TrackingLedger(accepted: 152, pending: 152))
    expectNoDifference(statistics.delivery, .paused(.everythingRejected("rejected by the collector (400)")))
    #expect(bench.transport.requests.count <= 8)
  }

  @Test("makes dead letters of events that it has no form for once it had one for another")
  func refusesAFew() async throws {
    let bench = try bench(LineFormat())
    await send(["unfit", "unfit"], bench)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 2, pending: 2))
    #expect(bench.transport.requests.isEmpty)
    await send(["a"], bench)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 3, delivered: 1, deadLettered: 2))
    #expect(bench.transport.requests.count == 1)
  }

  @Test("can be changed while events wait; they go out in the new one, in order")
  func changes() async throws {
    let transport = ScriptedTransport([.success(.status(401))])
    let bench = try bench(LineFormat(), transport)
    await send(["a", "b"], bench)
    #expect(await bench.tracker.statistics.delivery == .paused(.status(401)))
    let url = try #require(URL(string: "http://other.test/events"))
    await bench.tracker.setEndpoint(TrackingEndpoint(url: url, format: .dualSend))
    await send(["c"], bench)
    expectNoDifference(bench.receivedNames, ["a", "b", "c"])
    #expect(transport.requests.last?.headers["Content-Type"] == "application/json")
    await bench.tracker.setEndpoint(TrackingEndpoint(url: url, format: LineFormat()))
    await send(["d"], bench)
    expectNoDifference(bodies(transport).last, "d")
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 4, delivered: 4))
  }

  @Test("can be changed between two requests of a batch: what is left of it goes out in the new one")
  func changesWithinABatch() async throws {
    let tracker = Locked<Tracker?>(nil)
    let url = try #require(URL(string: "http://other.test/events"))
    let transport = ScriptedTransport { request in
      if request.url != url { await tracker.current?.setEndpoint(TrackingEndpoint(url: url)) }
      return .success(.status(200))
    }
    let bench = try bench(LineFormat(limits: WireRequest.Limits(events: 2)), transport)
    tracker.withLock { $0 = bench.tracker }
    await send(["a", "b", "c", "d", "e"], bench)
    #expect(bodies(transport).first == "a\nb")
    expectNoDifference(bench.receivedNames, ["c", "d", "e"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 5))
    tracker.withLock { $0 = nil }
  }

  @Test("is bisected and halved as its collector answers, with events refused in between")
  func splits() async throws {
    let bench = try bench(
      LineFormat(limits: WireRequest.Limits(events: 4)),
      collector { $0.contains("bad") ? 400 : $0.contains("huge") || $0.count > 2 ? 413 : 200 })
    await send(["a", "unfit", "bad", "b", "c", "huge", "unfit", "d", "e", "f"], bench)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 10, delivered: 6, deadLettered: 4))
    let letters = try await bench.tracker.deadLetters().map { "\($0.event.name): \($0.reason)" }
    expectNoDifference(
      letters.sorted(),
      [
        "bad: rejected by the collector (400)", "huge: too large for the collector (413)",
        "unfit: refused by the format: no line for it", "unfit: refused by the format: no line for it",
      ])
  }

  @Test("has events rejected by name: they become dead letters, and the others go again at once")
  func rejectsSome() async throws {
    let format = LineFormat { response, events in
      let bad = events.filter { $0.name.hasPrefix("bad") }
      return bad.isEmpty ? .delivered() : .rejected(Dictionary(uniqueKeysWithValues: bad.map { ($0.id, "x\u{1B}[2J") }))
    }
    let bench = try bench(format)
    await send(["a", "bad1", "unfit", "b", "bad2"], bench)
    expectNoDifference(bodies(bench.transport), ["a\nbad1\nb\nbad2", "a\nb", "bad1", "bad2"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 2, deadLettered: 3))
    let reasons = try await bench.tracker.deadLetters().filter { $0.event.name != "unfit" }.map(\.reason)
    let reason = #"rejected by the collector (x\u001b[2J)"#
    expectNoDifference(reasons, [reason, reason])
  }

  @Test("has all events of a request, or none, rejected by name: that is bisected, and a long row of it pauses")
  func rejectsAll() async throws {
    let stranger = EventID(high: 1, low: 2)
    for names in [{ (events: [TrackingData]) in events.map(\.id) }, { _ in [stranger] }]
      as [@Sendable ([TrackingData]) -> [EventID]]
    {
      let format = LineFormat { _, events in .rejected(Dictionary(names(events).map { ($0, "no") }) { $1 }) }
      let bench = try bench(format)
      await send((0..<150).map(String.init), bench)
      let ledger = await bench.tracker.statistics.ledger
      expectNoDifference(ledger, TrackingLedger(accepted: 150, pending: 150))
      guard case .paused(.everythingRejected) = await bench.tracker.statistics.delivery else {
        Issue.record("not paused")
        return
      }
    }
  }

  @Test(
    "asks for a wait of its own, within an hour, or leaves it to Retry-After",
    arguments: [(7200, 3600), (90, 90), (-5, 2), (nil, 120)] as [(Int?, Int)])
  func waits(asked: Int?, kept: Int) async throws {
    let format = LineFormat { _, _ in .retry(.reported("slow\ndown"), after: asked.map { .seconds($0) }) }
    let bench = try bench(format, ScriptedTransport(then: .success(.status(200, headers: ["Retry-After": "120"]))))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await bench.tracker.flush(timeout: .seconds(7200)) }
    let retry = await outcomes.first { if case .retry(let reason, let wait) = $0 { (reason, wait) } else { nil } }
    #expect(retry?.0 == .reported(#"slow\ndown"#) && retry?.1 == .seconds(kept))
    flush.cancel()
  }

  @Test("never sees a captive portal's page")
  func webPage() async throws {
    let format = LineFormat { _, _ in .delivered() }
    let page = HTTPTransportResponse.status(200, headers: ["Content-Type": "text/html"])
    let bench = try bench(format, ScriptedTransport(then: .success(page)))
    bench.tracker.sendLog(name: "a", payload: [:])
    let outcomes = bench.tracker.outcomes()
    let flush = Task { await bench.tracker.flush(timeout: .seconds(60)) }
    let reason = await outcomes.first { if case .retry(let reason, _) = $0 { reason } else { nil } }
    #expect(reason == .webPage(status: 200))
    flush.cancel()
  }

  @Test("sets its header fields in place of the endpoint's, whatever their case, and restricts the encoding")
  func headers() async throws {
    let format = LineFormat(headers: ["Content-Type": "text/plain", "Authorization": "format"])
    let bench = try bench(format) {
      $0.headers = ["authorization": "endpoint", "X-App": "shop", "idempotency-key": "mine"]
      $0.compressionThreshold = 0
    }
    await send(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"], bench)
    let request = try #require(bench.transport.requests.first)
    var headers = request.headers
    #expect(headers.removeValue(forKey: "Idempotency-Key") != nil)
    expectNoDifference(
      headers,
      ["Authorization": "format", "Content-Encoding": "gzip", "Content-Type": "text/plain", "X-App": "shop"])
  }

  @Test(
    "tells events of one id apart",
    arguments: [
      (["unfit", "unfit", "a"], ["a"]), (["unfit", "a"], ["", "a"]), (["a", "unfit", "a"], ["a", "", "a"]),
      (["a", "a"], ["a\na"]),
    ] as [([String], [String])])
  func oneID(names: [String], bodies: [String]) {
    // The last event of the first case has an id of its own.
    var rest = names.enumerated().map { index, name in
      TrackingData(id: EventID(high: 0, low: index == 2 && bodies.count == 1 ? 2 : 1), time: 0, name: name, body: [])
    }[...]
    var made: [String] = []
    while !rest.isEmpty, made.count < 9 {
      let request = LineFormat().request(for: rest, sentAt: 0)
      made.append(String(decoding: request.body, as: UTF8.self))
      rest = rest.dropFirst(request.eventCount)
    }
    expectNoDifference(made, bodies)
  }

  @Test("gives our own bodies as they are stored")
  func verbatim() throws {
    let events = (1...3).map {
      TrackingData(id: EventID(high: 0, low: $0), time: 0, name: "a", body: Array("{\($0)}".utf8))
    }
    let request = TrackingEndpoint.DualSendFormat().request(for: events[...], sentAt: 0)
    expectNoDifference(String(decoding: request.body, as: UTF8.self), "[{1},{2},{3}]")
    #expect(request.eventCount == 3)
  }
}
