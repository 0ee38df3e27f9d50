import CustomDump
import DualSendCore
import DualSendStoreTesting
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("The answer table", .timeLimit(.minutes(5)))
struct AnswerTableTests {
  /// A collector that refuses any batch for which the closure names a status.
  private func collector(_ status: @escaping @Sendable (Set<String>, Int) -> Int) -> ScriptedTransport {
    ScriptedTransport { request in
      let names = request.trackingEvents.compactMap { event -> String? in
        if case .string(let name)? = event["eventName"] { name } else { nil }
      }
      return .success(.status(status(Set(names), names.count)))
    }
  }

  private func send(_ names: [String], _ bench: Bench) async {
    await bench.tracker.pause()
    for name in names { bench.tracker.sendLog(name: name, payload: [:]) }
    await bench.tracker.persist()
    await bench.tracker.resume()
    await bench.tracker.flush()
  }

  @Test("every 2xx counts as delivered", arguments: [200, 201, 202, 204, 299])
  func success(status: Int) async throws {
    let bench = try Bench(ScriptedTransport(then: .success(.status(status))))
    await send(["a"], bench)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
  }

  @Test("ids that the body rejects go to the dead letters, the rest is delivered")
  func rejectedIDs() async throws {
    let transport = ScriptedTransport { request in
      guard case .string(let id)? = request.trackingEvents.dropFirst().first?["eventId"] else {
        return .success(.status(200))
      }
      let body = #"{"rejected":[{"eventId":"\#(id)","reason":"schema"},{"eventId":"unknown"}]}"#
      return .success(.status(200, body: body))
    }
    let bench = try Bench(transport)
    await send(["a", "b", "c"], bench)
    let letters = try await bench.tracker.deadLetters()
    expectNoDifference(letters.map(\.event.name), ["b"])
    expectNoDifference(letters.map(\.reason), ["schema"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 3, delivered: 2, deadLettered: 1))
  }

  @Test("a body that rejects bare ids rejects them too")
  func rejectedBareIDs() throws {
    var generator = EventIDGenerator()
    let id = EventID(milliseconds: 0, using: &generator)
    #expect(try answer(to: .status(200, body: #"{"rejected":["\#(id)",7]}"#)) == .delivered(rejected: [id: "rejected"]))
  }

  @Test("400 and 422 are bisected until the bad event stands alone", arguments: [400, 422])
  func bisection(status: Int) async throws {
    let bench = try Bench(collector { names, _ in names.contains("bad") ? status : 200 })
    await send(["a", "b", "bad", "c", "d", "e"], bench)
    #expect(try await bench.tracker.deadLetters().map(\.event.name) == ["bad"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 6, delivered: 5, deadLettered: 1))
  }

  @Test("413 halves the batch, and dead-letters what is too large alone")
  func tooLarge() async throws {
    let bench = try Bench(collector { names, count in count > 2 || names.contains("huge") ? 413 : 200 })
    await send(["a", "b", "c", "d", "huge"], bench)
    // No event was accepted after it, so it waits.
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 4, pending: 1))
    await send(["e"], bench)
    #expect(try await bench.tracker.deadLetters().map(\.event.name) == ["huge"])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 6, delivered: 5, deadLettered: 1))
  }

  @Test("a collector that rejects everything pauses delivery instead of emptying the queue")
  func everythingRejected() async throws {
    let bench = try Bench(collector { _, _ in 400 })
    await send((0..<150).map(String.init), bench)
    let statistics = await bench.tracker.statistics
    expectNoDifference(statistics.delivery, .paused(.everythingRejected("rejected by the collector (400)")))
    expectNoDifference(statistics.ledger, TrackingLedger(accepted: 150, pending: 150))
    #expect(try await bench.tracker.deadLetters().isEmpty)
  }

  @Test("a status that trying again does not cure pauses and keeps everything", arguments: [301, 401, 403, 404, 410])
  func pause(status: Int) async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(status))]))
    await send(["a"], bench)
    #expect(await bench.tracker.statistics.delivery == .paused(.status(status)))
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, pending: 1))
    #expect(bench.transport.requests.count == 1)
  }

  @Test(
    "a redirect that must not be followed pauses, says where it leads, and keeps everything",
    arguments: [
      HTTPTransportError.RefusedRedirect(.losesBody, status: 302, target: "https://login.test"),
      HTTPTransportError.RefusedRedirect(.leavesHTTPS, status: 308, target: "http://collector.test"),
      HTTPTransportError.RefusedRedirect(.endless),
    ])
  func redirect(redirect: HTTPTransportError.RefusedRedirect) async throws {
    let bench = try Bench(ScriptedTransport([.failure(.redirectRefused(redirect))]))
    bench.tracker.sendLog(name: "a", payload: [:])
    let report = await bench.tracker.flush()
    expectNoDifference(report.obstacle, .paused(.redirected(redirect)))
    #expect(TrackingOutcome.PauseReason.redirected(redirect).description == redirect.description)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, pending: 1))
    #expect(bench.transport.requests.count == 1)
  }

  @Test(
    "a web page with a status of success is no answer: the batch is kept and sent again",
    arguments: [
      .status(200, headers: ["Content-Type": "text/html; charset=utf-8"], body: "<html>log in</html>"),
      .status(204, headers: ["content-type": "TEXT/HTML"]),
      .status(200, headers: ["Content-Type": "application/xhtml+xml"], body: "{}"),
      .status(200, body: "\r\n <!DOCTYPE HTML><title>Wi-Fi</title>"), .status(200, body: "\u{FEFF}<html lang=\"en\">"),
    ] as [HTTPTransportResponse])
  func webPage(response: HTTPTransportResponse) async throws {
    let bench = try Bench(ScriptedTransport([.success(response)]))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(5))
    let reason = await outcomes.first { if case .retry(let reason, _) = $0 { reason } else { nil } }
    expectNoDifference(reason, .webPage(status: response.status))
    #expect(reason?.description.contains("captive portal") == true)
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, pending: 1))
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
    #expect(Set(bench.transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
  }

  @Test(
    "an object that cannot be read, and bytes of gzip, acknowledge nothing",
    arguments: [
      .status(200, headers: ["Content-Type": "application/json"], body: "{"),
      .status(200, body: #" {"rejected": [], "rejected": []}"#),
      HTTPTransportResponse(status: 200, body: [0x1F, 0x8B, 8, 0]),
    ] as [HTTPTransportResponse])
  func unreadable(response: HTTPTransportResponse) throws {
    #expect(try answer(to: response) == .retry(.notAcknowledged(status: 200)))
  }

  @Test("a compressed body that is refused (415) is sent without compression, and so are all later ones")
  func compressionRefused() async throws {
    let transport = ScriptedTransport { request in
      .success(HTTPTransportResponse(status: request.headers["Content-Encoding"] == nil ? 200 : 415))
    }
    let bench = try Bench(transport)
    let outcomes = bench.tracker.outcomes()
    for round in 1...2 {
      for number in 0..<50 {
        bench.tracker.sendLog(
          name: "\(round).\(number)", payload: ["text": .string(String(repeating: "x", count: 500))])
      }
      let flush = Task { await bench.tracker.flush() }
      if round == 1 {
        _ = await outcomes.first { if case .retry(.status(415), _) = $0 { true } else { nil } }
        // The flush, and the retry.
        await bench.clock.untilWaits(2)
        bench.clock.advance(by: .seconds(2))
      }
      #expect(await flush.value.obstacle == nil)
    }
    expectNoDifference(transport.requests.map { $0.headers["Content-Encoding"] != nil }, [true, false, false])
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 100, delivered: 100))
  }

  @Test(
    "any other body acknowledges, unless the endpoint demands a JSON object",
    arguments: [
      (.status(200, headers: ["Content-Type": "text/plain"], body: "OK"), false), (.status(204), false),
      (.status(200, body: "[]"), false),
      (.status(200, body: "{}"), true), (.status(202, body: #"{"accepted": 1}"#), true),
    ] as [(HTTPTransportResponse, Bool)])
  func acknowledgement(response: HTTPTransportResponse, isJSON: Bool) throws {
    #expect(try answer(to: response) == .delivered())
    let strict = try answer(to: response, requiresJSON: true)
    #expect(strict == (isJSON ? .delivered() : .retry(.notAcknowledged(status: response.status))))
  }

  @Test(
    "a page without a type is told by how it starts, as browsers tell it",
    arguments: [
      "<!-- portal --><html>", "<!--[if IE]>", "<script>location='/login'</script>", "<SCRIPT\nsrc=x>",
      "<meta http-equiv=refresh>",
      "<?xml version=\"1.0\"?>", "%PDF-1.7", "\t<iframe src=x>", "<h1>Wi-Fi</h1>", "<div >", "<font>", "<table>",
      "<a href=x>",
      "<style>", "<title>", "<b>", "<BODY>", "<br>", "<br/>", "<p>", "<head>",
    ])
  func untypedPage(body: String) throws {
    #expect(try answer(to: .status(200, body: body)) == .retry(.webPage(status: 200)))
    #expect(try answer(to: .status(200, headers: ["Content-Type": "*/*"], body: body)) == .retry(.webPage(status: 200)))
    #expect(try answer(to: .status(200, headers: ["Content-Type": "text/plain"], body: body)) == .delivered())
  }

  @Test(
    "what only looks like a page acknowledges", arguments: ["<ok/>", "<bolt>", "<p", "<3", "OK <html>", "<", "%PDF"])
  func noPage(body: String) throws {
    #expect(try answer(to: .status(200, body: body)) == .delivered())
  }

  @Test("of a 2xx that is cut what is there counts: the status, and the events that it rejects")
  func cutAnswer() throws {
    let cut = HTTPTransportResponse(status: 200, body: Array(#"{"padding":"aaaa"#.utf8), isCut: true)
    #expect(try answer(to: cut) == .delivered())
    #expect(try answer(to: cut, requiresJSON: true) == .delivered())
    let page = HTTPTransportResponse(status: 200, body: Array("aaaa".utf8), isCut: true)
    #expect(try answer(to: page, requiresJSON: true) == .retry(.notAcknowledged(status: 200)))
    var generator = EventIDGenerator()
    let ids = (0..<2).map { EventID(milliseconds: $0, using: &generator) }
    let body = #"{"rejected":[{"eventId":"\#(ids[0])","reason":"a}"},{"eventId":"\#(ids[1])","reason":"b}b"#
    let rejecting = HTTPTransportResponse(status: 200, body: Array(body.utf8), isCut: true)
    #expect(try answer(to: rejecting) == .delivered(rejected: [ids[0]: "a}"]))
  }

  @Test("a batch asks for the start of a long answer, so that its status is not lost")
  func longAnswer() async throws {
    let bench = try Bench()
    await send(["a"], bench)
    #expect(bench.transport.requests.map(\.cutsLongResponse) == [true])
  }

  private func answer(to response: HTTPTransportResponse, requiresJSON: Bool = false) throws -> WireAnswer {
    let url = try #require(URL(string: "http://collector.test/events"))
    let client = TrackingNetworkClient(
      endpoint: TrackingEndpoint(url: url, requiresJSONAcknowledgement: requiresJSON), transport: ScriptedTransport(),
      time: ManualClock().timeSource)
    return client.answer(response, to: [])
  }

  @Test("an endpoint that demands JSON keeps what plain text acknowledges")
  func demandedJSON() async throws {
    let bench = try Bench(
      ScriptedTransport([.success(.status(200, body: "OK"))], then: .success(.status(200, body: "{}"))),
      change: { configuration in
        guard case .collector(var endpoint) = configuration.destination else { return }
        endpoint.requiresJSONAcknowledgement = true
        configuration.destination = .collector(endpoint)
        configuration.retry.backoff = .ladder(retryLimit: 0)
      })
    bench.tracker.sendLog(name: "a", payload: [:])
    let report = await bench.tracker.flush()
    expectNoDifference(report.obstacle, .failing(.notAcknowledged(status: 200)))
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
  }

  @Test("a reason from the collector is kept on one line and short")
  func hostileReason() throws {
    let id = "019b76da-a800-7daf-9b9e-279aa86e597d"
    let reason = #"\u001b]0;x\u0007\n::error::"# + String(repeating: "x", count: 500_000)
    let response = HTTPTransportResponse.status(
      200, body: #"{"rejected":[{"eventId":"\#(id)","reason":"\#(reason)"}]}"#)
    guard case .delivered(let rejected, _) = try answer(to: response), let kept = rejected.values.first
    else {
      Issue.record("nothing was rejected")
      return
    }
    #expect(kept.hasPrefix(#"\u001b]0;x\u0007\n::error::xxx"#) && kept.utf8.count < 700)
  }

  @Test("a flush whose time is up says that the server has not answered")
  func expiry() async throws {
    let bench = try Bench(
      ScriptedTransport { _ in
        let (silence, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        end.finish()
        return .failure(.cancelled)
      })
    bench.tracker.sendLog(name: "a", payload: [:])
    async let report = bench.tracker.flush(timeout: .seconds(1))
    while bench.transport.requests.isEmpty { await Task.yield() }
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(1))
    let obstacle = await report.obstacle
    expectNoDifference(obstacle, .failing(.transport(.timedOut)))
    await bench.tracker.shutdown(timeout: .zero)
  }

  @Test("a pause ends when the endpoint changes")
  func pauseEndsOnChange() async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(401))]))
    await send(["a"], bench)
    let url = try #require(URL(string: "http://other.test/"))
    await bench.tracker.setEndpoint(TrackingEndpoint(url: url, headers: ["Authorization": "new"]))
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
    #expect(bench.transport.requests.last?.headers["Authorization"] == "new")
  }

  @Test("a pause ends by itself after a long wait")
  func pauseEndsByItself() async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(403))]))
    let outcomes = bench.tracker.outcomes()
    await send(["a"], bench)
    await bench.clock.untilWaits(1)
    expectNoDifference(bench.clock.pendingWaits, [.seconds(3600)])
    bench.clock.advance(by: .seconds(3600))
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 1)
  }

  @Test(
    "what may pass is tried again after the back-off",
    arguments: [
      .success(.status(408)), .success(.status(425)), .success(.status(429)), .success(.status(500)),
      .success(.status(503)), .failure(.timedOut), .failure(.connectionFailed("refused")),
    ] as [ScriptedTransport.Answer])
  func retry(answer: ScriptedTransport.Answer) async throws {
    let bench = try Bench(ScriptedTransport([answer, answer]))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(5))
    for expected in [Duration.seconds(2), .seconds(4)] {
      let wait = await outcomes.first { if case .retry(_, let wait) = $0 { wait } else { nil } }
      expectNoDifference(wait, expected)
      await bench.clock.untilWaits(1)
      bench.clock.advance(by: expected)
    }
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 1)
    #expect(bench.transport.requests.count == 3)
    let keys = Set(bench.transport.requests.map { $0.headers["Idempotency-Key"] })
    #expect(keys.count == 1)
  }

  @Test(
    "Retry-After is honoured in both forms, at most an hour",
    arguments: [
      (["Retry-After": "120"], Duration.seconds(120)),
      (["Retry-After": "Thu, 01 Jan 2026 00:03:00 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"], .seconds(180)),
      (["Retry-After": "86400"], .seconds(3600)),
      (["Retry-After": "soon"], .seconds(2)),
    ])
  func retryAfter(headers: [String: String], expected: Duration) async throws {
    let bench = try Bench(ScriptedTransport([.success(.status(429, headers: headers))]))
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    bench.clock.advance(by: .seconds(5))
    let wait = await outcomes.first { if case .retry(_, let wait) = $0 { wait } else { nil } }
    expectNoDifference(wait, expected)
  }

  @Test("Retry-After holds across a restart, and a flush does not override it")
  func retryAfterPersists() async throws {
    let store = InMemoryTrackingDataStore()
    let first = try Bench(
      ScriptedTransport(then: .success(.status(503, headers: ["Retry-After": "600"]))), storage: .custom { store })
    await send(["a"], first, timeout: .zero)
    await first.tracker.shutdown(timeout: .zero)

    let second = try Bench(storage: .custom { store })
    async let report = second.tracker.flush(timeout: .seconds(1))
    await second.clock.untilWaits(2)
    second.clock.advance(by: .seconds(1))
    #expect(await report.pending == 1)
    #expect(second.transport.requests.isEmpty)
  }

  @Test(
    "Retry-After lasts as long after a relaunch as it would have, whatever the wall clock did in between",
    arguments: [Duration.seconds(-3600), .zero, .seconds(3600)])
  func retryAfterAndWallClock(jump: Duration) async throws {
    let store = InMemoryTrackingDataStore()
    let clock = ManualClock()
    let asking = ScriptedTransport(then: .success(.status(503, headers: ["Retry-After": "30"])))
    let first = try Bench(asking, storage: .custom { store }) { $0.time = clock.timeSource }
    first.tracker.sendLog(name: "a", payload: [:])
    async let flush = first.tracker.flush(timeout: .seconds(1))
    while clock.pendingWaits != [.seconds(1), .seconds(30)], !Task.isCancelled { await Task.yield() }
    clock.advance(by: .seconds(1))
    let asked = await flush
    expectNoDifference(asked.wait, Tracker.FlushReport.Wait(duration: .seconds(29), isAskedByServer: true))
    await first.tracker.shutdown(timeout: .zero)
    clock.jumpWall(by: jump)
    let second = try Bench(storage: .custom { store }) { $0.time = clock.timeSource }
    let report = await second.tracker.flush(timeout: .zero)
    expectNoDifference(report.obstacle, .failing(.askedToWait))
    expectNoDifference(report.wait, Tracker.FlushReport.Wait(duration: .seconds(29), isAskedByServer: true))
    clock.advance(by: .seconds(29))
    await second.tracker.flush()
    let ledger = await second.tracker.statistics.ledger
    expectNoDifference(ledger, TrackingLedger(accepted: 1, delivered: 1))
  }

  @Test(
    "Retry-After after a reboot is never longer than the server asked",
    arguments: [(.seconds(-3600), .seconds(30)), (.zero, .seconds(25)), (.seconds(3600), nil)]
      as [(Duration, Duration?)])
  func retryAfterAndReboot(jump: Duration, expected: Duration?) async throws {
    let store = InMemoryTrackingDataStore()
    let before = ManualClock()
    before.advance(by: .seconds(5))
    let asking = ScriptedTransport(then: .success(.status(503, headers: ["Retry-After": "30"])))
    let first = try Bench(asking, storage: .custom { store }) { $0.time = before.timeSource }
    first.tracker.sendLog(name: "a", payload: [:])
    _ = await first.tracker.flush(timeout: .zero)
    await before.untilWaits(1)
    await first.tracker.shutdown(timeout: .zero)
    let after = ManualClock(wallMilliseconds: before.timeSource.wallMilliseconds() + 5000)
    after.jumpWall(by: jump)
    let second = try Bench(storage: .custom { store }) { $0.time = after.timeSource }
    let report = await second.tracker.flush(timeout: .zero)
    expectNoDifference(report.wait?.duration, expected)
  }

  private func send(_ names: [String], _ bench: Bench, timeout: Duration) async {
    for name in names { bench.tracker.sendLog(name: name, payload: [:]) }
    async let report = bench.tracker.flush(timeout: .seconds(1))
    await bench.clock.untilWaits(2)
    bench.clock.advance(by: .seconds(1))
    _ = await report
  }

  @Test("the plain ladder stops by itself at its limit; the next flush starts it again")
  func ladder() async throws {
    let failure = ScriptedTransport.Answer.failure(.connectionFailed("refused"))
    let bench = try Bench(ScriptedTransport([failure, failure]), change: { $0.retry.backoff = .ladder(retryLimit: 0) })
    bench.tracker.sendLog(name: "a", payload: [:])
    let report = await bench.tracker.flush()
    expectNoDifference(report.obstacle, .failing(.transport(.connectionFailed("refused"))))
    #expect(bench.clock.pendingWaits.isEmpty)
    await bench.tracker.flush()
    await bench.tracker.flush()
    #expect(await bench.tracker.statistics.ledger == TrackingLedger(accepted: 1, delivered: 1))
  }
}
