import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import Foundation
import Testing

@Suite("A collector that is told to misbehave", .timeLimit(.minutes(5)))
struct CollectorFaultTests {
  /// The statuses of so many posts of the same event.
  private func statuses(_ count: Int, under faults: [CollectorFault], seed: UInt64 = 1) async throws -> [Int] {
    var statuses: [Int] = []
    try await CollectorClient.with(CollectorConfiguration(faults: faults, seed: seed)) { client async throws in
      for _ in 0..<count { statuses.append(try await client.post(events("a")).status) }
    }
    return statuses
  }

  @Test("answers the next n requests with a status, then well")
  func next() async throws {
    #expect(try await statuses(4, under: [CollectorFault(.status(503), .next(2))]) == [503, 503, 200, 200])
  }

  @Test("goes through its faults in order")
  func inOrder() async throws {
    let faults = [CollectorFault(.status(503), .next(1)), CollectorFault(.status(401), .next(2))]
    #expect(try await statuses(4, under: faults) == [503, 401, 401, 200])
  }

  @Test("answers each k-th request with a status")
  func every() async throws {
    #expect(try await statuses(6, under: [CollectorFault(.status(500), .every(3))]) == [200, 200, 500, 200, 200, 500])
  }

  @Test("strikes the same random requests for the same seed")
  func random() async throws {
    let faults = [CollectorFault(.status(500), .random(0.5))]
    let first = try await statuses(30, under: faults, seed: 7)
    #expect(try await statuses(30, under: faults, seed: 7) == first)
    #expect(Set(first) == [200, 500])
  }

  @Test("stores nothing of a request that it answers with a status")
  func storesNothing() async throws {
    try await CollectorClient.with(CollectorConfiguration(faults: [CollectorFault(.status(500))])) {
      client async throws in
      _ = try await client.post(events("a"))
      #expect(await client.server.totals.accepted == 0)
      #expect(await client.server.totals.faults == 1)
    }
  }

  @Test(
    "asks to wait in both forms of Retry-After",
    arguments: [CollectorFault.RetryAfter.seconds(120), .date(secondsFromNow: 120)])
  func retryAfter(_ form: CollectorFault.RetryAfter) async throws {
    let faults = [CollectorFault(.status(429), retryAfter: form)]
    try await CollectorClient.with(CollectorConfiguration(faults: faults)) { client async throws in
      let answer = try await client.post(events("a"))
      #expect(answer.status == 429)
      // No clock of the device is needed: the date form counts from the answer's own date.
      #expect(RetryAfter.delay(in: answer, wallMilliseconds: 0) == .seconds(120))
    }
  }

  @Test(
    "names selected events in `rejected` and stores the others",
    arguments: [EventSelector.id(eventID(1)), .name("b"), .name("b*")])
  func rejects(_ selector: EventSelector) async throws {
    try await CollectorClient.with(CollectorConfiguration(faults: [CollectorFault(.reject(selector))])) {
      client async throws in
      let batch = events("a", "b")
      let answer = try await client.post(batch)
      #expect(answer.status == 200)
      let rejected: EventValue = [
        ["eventId": .string(batch[1].id.description), "reason": "rejected by a configured fault"]
      ]
      #expect(answer.json == ["accepted": 1, "rejected": rejected])
      #expect(await client.server.receivedIDs == [batch[0].id])
    }
  }

  @Test("refuses a whole batch with a poisonous event and takes one without", arguments: [400, 422])
  func poison(_ status: Int) async throws {
    let faults = [CollectorFault(.poison(.payloadKey("bad"), status: status))]
    try await CollectorClient.with(CollectorConfiguration(faults: faults, readsPayloads: false)) {
      client async throws in
      #expect(try await client.post(events("a", payload: ["bad": nil])).status == status)
      #expect(await client.server.totals.accepted == 0)
      #expect(try await client.post(events("a")).status == 200)
    }
  }

  @Test("answers 413 to a body above its limit")
  func limit() async throws {
    let (small, large) = (events("a"), events("a", "b", "c"))
    let faults = [CollectorFault(.limit(bytes: wireBody(small).count))]
    try await CollectorClient.with(CollectorConfiguration(faults: faults)) { client async throws in
      #expect(try await client.post(large).status == 413)
      #expect(try await client.post(small).status == 200)
    }
  }

  @Test(
    "closes the connection, with the events stored or not",
    arguments: zip([CollectorFault.Effect.drop, .lose, .cut], [0, 1, 1]))
  func closes(_ effect: CollectorFault.Effect, _ accepted: Int) async throws {
    try await CollectorClient.with(CollectorConfiguration(faults: [CollectorFault(effect, .next(1))])) {
      client async throws in
      await #expect(throws: HTTPTransportError.self) { try await client.post(events("a")) }
      #expect(await client.server.totals.accepted == accepted)
      #expect(try await client.post(events("a")).status == 200)
    }
  }

  @Test(
    "holds the answer back, or lets it drip",
    arguments: [CollectorFault.Effect.delay(.seconds(60)), .drip(.seconds(60))])
  func delays(_ effect: CollectorFault.Effect) async throws {
    try await CollectorClient.with(CollectorConfiguration(faults: [CollectorFault(effect)])) { client async throws in
      let url = try #require(await client.server.url())
      let request = HTTPTransportRequest(method: "POST", url: url, body: wireBody(events("a")), timeout: .seconds(5))
      await #expect(throws: HTTPTransportError.timedOut) { try await SystemTransport.make().send(request) }
      #expect(await client.server.totals.accepted == 1)
    }
  }

  @Test("brings a whole body when the pauses are short")
  func drips() async throws {
    let faults = [CollectorFault(.drip(.microseconds(1)))]
    try await CollectorClient.with(CollectorConfiguration(faults: faults)) { client async throws in
      #expect(try await client.post(events("a")).json == ["accepted": 1])
    }
  }

  @Test("behaves again once its faults are taken away")
  func replaced() async throws {
    try await CollectorClient.with(CollectorConfiguration(faults: [CollectorFault(.status(401))])) {
      client async throws in
      #expect(try await client.post(events("a")).status == 401)
      await client.server.setFaults([])
      #expect(try await client.post(events("a")).status == 200)
    }
  }
}
