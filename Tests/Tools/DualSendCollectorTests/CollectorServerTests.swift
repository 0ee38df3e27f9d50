import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import Foundation
import Testing

@Suite("The collector", .timeLimit(.minutes(5)))
struct CollectorServerTests {
  @Test("stores a batch and answers how many events were new")
  func storesBatch() async throws {
    try await CollectorClient.with { client async throws in
      let batch = events("home.open", "item.tap")
      let answer = try await client.post(batch)
      #expect(answer.status == 200)
      #expect(answer.json == ["accepted": 2])
      #expect(await client.server.events == batch)
    }
  }

  @Test(
    "takes nothing from a web page, and answers to its own names alone",
    arguments: [
      (["Origin": "https://page.example"], 403), (["Origin": "null"], 403), (["Origin": "http://127.0.0.1"], 403),
      (["Host": "rebound.example"], 403), (["Host": "Tunnel.example:443"], 200), (["Host": "localhost"], 200),
      ([:], 200),
    ] as [([String: String], Int)])
  func webPage(headers: [String: String], status: Int) async throws {
    var configuration = CollectorConfiguration()
    configuration.hostNames = ["tunnel.example"]
    try await CollectorClient.with(configuration) { client async throws in
      await client.server.setDocument(Array("{}".utf8), at: "/rollout.json")
      #expect(try await client.post(events("home.open"), headers: headers).status == status)
      #expect(try await client.get("/rollout.json", headers: headers).status == status)
      #expect(await client.server.totals.accepted == (status == 200 ? 1 : 0))
    }
  }

  @Test("counts an event that comes again and stores it once")
  func dropsDuplicates() async throws {
    try await CollectorClient.with { client async throws in
      let batch = events("home.open", "item.tap")
      _ = try await client.post(batch)
      let again = try await client.post([batch[0]])
      #expect(again.json == ["accepted": 0, "duplicates": 1])
      #expect(await client.server.totals.duplicates == 1)
      #expect(await client.server.totals.conflicting == 0)
      #expect(await client.server.deliveries(of: batch[0].id) == 2)
      #expect(await client.server.receivedIDs == Set(batch.map(\.id)))
    }
  }

  @Test("names an event that repeats an id with other contents, within a batch and later, and keeps the first")
  func conflicts() async throws {
    try await CollectorClient.with { client async throws in
      let event = events("home.open")[0]
      let other = TrackingEvent(id: event.id, time: event.time, name: event.name, payload: ["button": "cart"])
      let id = EventValue.string(event.id.description)
      let together = try await client.post([event, other])
      #expect(together.json == ["accepted": 1, "duplicates": 1, "conflicting": [id]])
      let later = try await client.post([other, event])
      #expect(later.json == ["accepted": 0, "duplicates": 2, "conflicting": [id]])
      #expect(await client.server.totals.conflicting == 2)
      #expect(await client.server.events == [event])
    }
  }

  @Test("undoes the content coding", arguments: [Zlib.Format.deflate, .gzip])
  func decompresses(_ format: Zlib.Format) async throws {
    try await CollectorClient.with { client async throws in
      let body = try #require(Zlib.compress(wireBody(events("home.open")), as: format))
      let answer = try await client.post(body, headers: ["Content-Encoding": format.rawValue])
      #expect(answer.json == ["accepted": 1])
      #expect(await client.server.totals.bytes == body.count)
    }
  }

  @Test("refuses a body that unpacks to more than the limit")
  func refusesBomb() async throws {
    try await CollectorClient.with(CollectorConfiguration(maximumBodyBytes: 10_000)) { client async throws in
      let bomb = try #require(Zlib.compress(Array(repeating: 32, count: 1 << 20), as: .gzip))
      let answer = try await client.post(bomb, headers: ["Content-Encoding": "gzip"])
      #expect(answer.status == 413)
    }
  }

  @Test(
    "refuses a body that is not a JSON array of events",
    arguments: zip(
      ["", "[", "{}", "[1,2,]", #"[{"a":1,"a":2}]"#, "\u{FEFF}"], [400, 400, 400, 400, 400, 400]))
  func refusesBadBody(_ body: String, _ status: Int) async throws {
    try await CollectorClient.with { client async throws in
      #expect(try await client.post(Array(body.utf8)).status == status)
      #expect(await client.server.totals.malformed == 1)
    }
  }

  @Test("refuses a content coding that it does not know, or that the body does not have")
  func refusesBadCoding() async throws {
    try await CollectorClient.with { client async throws in
      #expect(try await client.post(events("a"), headers: ["Content-Encoding": "br"]).status == 415)
      #expect(try await client.post(events("a"), headers: ["Content-Encoding": "gzip"]).status == 400)
    }
  }

  @Test(
    "counts an element that is not an event and stores the others",
    arguments: [
      #"1"#, #"{}"#,
      #"{"eventId":"x","eventName":"a","eventTime":1,"payload":{}}"#,
      #"{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"","eventTime":1,"payload":{}}"#,
      #"{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"a","eventTime":1.5,"payload":{}}"#,
      #"{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"a","eventTime":1,"payload":[]}"#,
      #"{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"a","eventTime":1,"payload":{},"x":1}"#,
    ])
  func countsMalformed(_ element: String) async throws {
    try await CollectorClient.with { client async throws in
      let good = wireElement(events("home.open")[0]).canonicalText
      let answer = try await client.post(Array("[\(element),\(good)]".utf8))
      #expect(answer.json == ["accepted": 1])
      #expect(await client.server.totals.malformed == 1)
    }
  }

  @Test("keeps no more events in memory than it was told to")
  func boundsMemory() async throws {
    try await CollectorClient.with(CollectorConfiguration(keptEvents: 1)) { client async throws in
      _ = try await client.post(events("a", "b"))
      #expect(await client.server.events.map(\.name) == ["a"])
      #expect(await client.server.totals.accepted == 2)
    }
  }

  @Test("counts ids alone when payloads need not be read")
  func countsIDs() async throws {
    try await CollectorClient.with(CollectorConfiguration(readsPayloads: false)) { client async throws in
      let batch = events("a", "b", payload: ["text": "]}\"\\", "list": [["x": 1]]])
      #expect(try await client.post(batch).json == ["accepted": 2])
      #expect(try await client.post(batch).json == ["accepted": 0, "duplicates": 2])
      #expect(await client.server.receivedIDs == Set(batch.map(\.id)))
      #expect(await client.server.events.isEmpty)
    }
  }

  @Test("takes requests again after a body that it refused, on the same connection")
  func survivesRefusal() async throws {
    try await CollectorClient.with { client async throws in
      _ = try await client.post(Array("nonsense".utf8))
      #expect(try await client.post(events("a")).status == 200)
    }
  }

  @Test("answers 405 to a GET of the events and to a POST elsewhere")
  func refusesMethods() async throws {
    try await CollectorClient.with { client async throws in
      #expect(try await client.get("/events").status == 405)
      let url = try #require(await client.server.url("/rollout.json"))
      let answer = try await SystemTransport.make().send(HTTPTransportRequest(method: "POST", url: url, body: [1]))
      #expect(answer.status == 405)
    }
  }

  @Test("says so when its port is taken")
  func portTaken() async throws {
    try await CollectorClient.with { client async throws in
      let port = try #require(await client.server.port)
      let second = CollectorServer(CollectorConfiguration(port: port))
      await #expect(throws: CollectorServer.Failure.self) { try await second.start() }
    }
  }

  @Test("cannot be reached once it is stopped, and can be started again")
  func stops() async throws {
    let server = CollectorServer()
    try await server.start()
    let url = try #require(await server.url())
    await server.stop()
    #expect(await server.url() == nil)
    let request = HTTPTransportRequest(method: "POST", url: url, body: [], timeout: .seconds(60))
    await #expect(throws: HTTPTransportError.self) { try await SystemTransport.make().send(request) }
    try await server.start()
    await server.stop()
  }
}
