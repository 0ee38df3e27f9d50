import DualSendCollector
import NIOCore
import NIOPosix
import Testing

@Suite("A server for this machine, and rude clients", .timeLimit(.minutes(5)))
struct HTTPServerTests {
  /// Talks to a server with raw bytes.
  private struct Client {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Connects, and runs `body` with what reads and what writes.
    static func with<Result>(
      port: UInt16,
      _ body: (inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, (String) async throws -> Void) async throws
        -> Result
    ) async throws -> Result {
      let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: "127.0.0.1", port: Int(port)) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      var result: Result?
      do {
        try await channel.executeThenClose { inbound, outbound in
          var iterator = inbound.makeAsyncIterator()
          result = try await body(&iterator) { text in try await outbound.write(ByteBuffer(string: text)) }
        }
      } catch {
        // The server may have closed the connection first.
        guard result != nil else { throw error }
      }
      return try #require(result)
    }

    /// Sends a text and returns everything that comes until the server closes the connection.
    static func exchange(port: UInt16, _ text: String) async throws -> String {
      try await with(port: port) { inbound, send async throws in
        // The server may have enough before all is sent.
        try? await send(text)
        var answer = ""
        while let part = try? await inbound.next() { answer += String(buffer: part) }
        return answer
      }
    }
  }

  private func with(
    limits: HTTPServerLimits = HTTPServerLimits(),
    respond: @escaping HTTPServer.Respond = { request in
      HTTPServerAnswer(status: 200, body: .bytes(request.body ?? Array("too long".utf8)))
    },
    _ body: (UInt16) async throws -> Void
  ) async throws {
    let server = HTTPServer(limits: limits, bodyLimit: { _ in 1000 }, respond: respond)
    let port = try await server.listen(on: "127.0.0.1", port: 0)
    do { try await body(port) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("a request, with its body, and another on the same connection")
  func keptAlive() async throws {
    try await with { port async throws in
      let first = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
      let second = "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 2\r\n\r\nde"
      let answer = try await Client.exchange(port: port, first + second)
      #expect(answer.ranges(of: "HTTP/1.1 200 OK").count == 2)
      #expect(answer.contains("\r\n\r\nabcHTTP/1.1") && answer.hasSuffix("\r\n\r\nde"))
    }
  }

  @Test("a body that is longer than it may be is read to its end and not kept")
  func longBody() async throws {
    try await with { port async throws in
      let body = String(repeating: "x", count: 200_000)
      let answer = try await Client.exchange(
        port: port, "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 200000\r\n\r\n" + body)
      #expect(answer.hasSuffix("\r\n\r\ntoo long"))
    }
  }

  @Test("bodies that are too large together end their connection, and leave room for those that follow")
  func heldBodies() async throws {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 900
    try await with(limits: limits) { port async throws in
      func post(_ count: Int) -> String {
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
      }
      for _ in 0..<3 {
        #expect(try await Client.exchange(port: port, post(901)).isEmpty)
        // Each is released when it is answered, so that together they may be more.
        let answers = try await Client.exchange(port: port, post(800) + post(800) + post(901))
        #expect(answers.ranges(of: "HTTP/1.1 200 OK").count == 2)
      }
    }
  }

  @Test("a request line and a header up to 16 KiB, and no endless ones", arguments: ["line", "field", "fields"])
  func longHead(_ part: String) async throws {
    try await with { port async throws in
      func head(_ size: Int) -> String {
        let text = String(repeating: "a", count: size)
        switch part {
        case "line": return "GET /\(text) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        case "field": return "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX-Long: \(text)\r\n\r\n"
        default:
          let fields = (0..<(size / 100)).map { "X-\($0): " + String(repeating: "b", count: 90) + "\r\n" }
          return "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + fields.joined() + "\r\n"
        }
      }
      #expect(try await Client.exchange(port: port, head(15_000)).hasPrefix("HTTP/1.1 200"))
      #expect(try await Client.exchange(port: port, head(20_000)).hasPrefix("HTTP/1.1 400"))
      // Ten megabytes cost what they bring: a reader that began anew with every byte would not come back.
      let endless = try await Client.exchange(port: port, head(10_000_000))
      #expect(endless.isEmpty || endless.hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test(
    "whoever says nothing, or goes on too slowly, is not waited for",
    arguments: ["", "GET / HT", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab"])
  func idle(_ beginning: String) async throws {
    var limits = HTTPServerLimits()
    limits.idleTime = .milliseconds(50)
    try await with(limits: limits) { port async throws in
      #expect(try await Client.exchange(port: port, beginning).isEmpty)
    }
  }

  @Test("an answer may take longer than a request may")
  func slowAnswer() async throws {
    var limits = HTTPServerLimits()
    // Long enough for a busy machine to read the request.
    limits.idleTime = .seconds(4)
    let respond: HTTPServer.Respond = { _ in
      try await Task.sleep(for: .milliseconds(4500))
      return HTTPServerAnswer(status: 200, body: .bytes(Array("late".utf8)))
    }
    try await with(limits: limits, respond: respond) { port async throws in
      let answer = try await Client.exchange(port: port, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(answer.hasSuffix("late"))
    }
  }

  @Test("a client that leaves is not worked for any longer")
  func left() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let respond: HTTPServer.Respond = { _ in
      begin.yield()
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        end.yield(true)
        throw error
      }
      return nil
    }
    try await with(respond: respond) { port async throws in
      try await Client.with(port: port) { _, send in
        try await send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        for await _ in begins { break }
      }
      for await isCancelled in ends {
        #expect(isCancelled)
        break
      }
    }
  }

  @Test("a stream ends with its client, and with the server")
  func stream() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let respond: HTTPServer.Respond = { _ in
      HTTPServerAnswer(
        status: 200,
        body: .parts(length: nil) { write in
          defer { end.yield() }
          try await write(Array("first".utf8))
          try await Task.sleep(for: .seconds(3600))
        })
    }
    try await with(respond: respond) { port async throws in
      let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
      func read(
        _ send: (String) async throws -> Void, _ inbound: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
      ) async throws {
        try await send(request)
        var text = ""
        while !text.contains("first"), let part = try await inbound.next() { text += String(buffer: part) }
        #expect(text.contains("Transfer-Encoding: chunked") || text.contains("transfer-encoding: chunked"))
      }
      try await Client.with(port: port) { inbound, send in try await read(send, &inbound) }
      for await _ in ends { break }
    }
  }

  @Test("no more connections at once than there may be")
  func connections() async throws {
    var limits = HTTPServerLimits()
    limits.connections = 1
    try await with(limits: limits) { port async throws in
      try await Client.with(port: port) { inbound, send async throws in
        try await send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await inbound.next()
        #expect(try await Client.exchange(port: port, "GET / HTTP/1.1\r\nHost: h\r\n\r\n").isEmpty)
      }
    }
  }

  @Test("connections that come while it stops are closed like the others")
  func stopping() async throws {
    for _ in 0..<50 {
      let server = HTTPServer(bodyLimit: { _ in 0 }) { _ in HTTPServerAnswer(status: 200, body: .bytes([])) }
      let port = try await server.listen(on: "127.0.0.1", port: 0)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { _ = try? await Client.exchange(port: port, "GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
        }
        group.addTask { await server.stop() }
      }
    }
  }

  @Test("a port that is taken is said so")
  func taken() async throws {
    try await with { port async throws in
      let other = HTTPServer(bodyLimit: { _ in 0 }) { _ in nil }
      await #expect(throws: HTTPServer.Failure.self) { try await other.listen(on: "127.0.0.1", port: port) }
    }
  }
}
