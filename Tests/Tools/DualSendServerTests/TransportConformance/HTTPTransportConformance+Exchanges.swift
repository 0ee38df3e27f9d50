import DualSendCollector
import DualSendCore

extension HTTPTransportConformance {
  /// Checks that requests and responses arrive complete.
  static let exchangeChecks: [Check] = [
    Check("the body and the header fields of a request reach the server") { bench in
      let event = """
        [{"eventId":"018bcfe5-6800-7abc-8def-0123456789ab","eventName":"a","eventTime":1,"payload":{}}]
        """
      guard let packed = Zlib.compress(Array(event.utf8), as: .gzip) else { throw Violation(description: "no memory") }
      // The server can read this body only with its `Content-Encoding`.
      let answer = try await bench.post(packed, headers: ["Content-Encoding": "gzip"])
      try expect(answer.status, 200)
      try expect(await bench.server.totals.accepted, 1)
    },
    Check("a long body arrives whole, in both directions") { bench in
      let body = TransportBench.noise(900_000)
      await bench.serve("/long", body: body)
      try expect(try await bench.get("/long").body == body, true)
      try expect(try await bench.post(body).status, 400)
      try expect(await bench.server.totals.bytes, body.count)
    },
    Check("an empty body is an answer") { bench in
      await bench.serve("/empty", body: [])
      await bench.serve("/compressed", body: [], headers: ["Content-Encoding": "gzip"])
      try expect(try await bench.get("/compressed").body, [])
      let answer = try await bench.get("/empty")
      try expect(answer.status, 200)
      try expect(answer.body, [])
    },
    Check("a response with any status is not an error") { bench in
      for status in [201, 299, 400, 401, 404, 413, 422, 429, 500, 503, 599] {
        await bench.serve("/status", fault: CollectorFault(.status(status)))
        try expect(try await bench.get("/status").status, status)
      }
    },
    Check("304 is returned to the caller") { bench in
      await bench.serve("/tagged", headers: ["ETag": "\"tag\""])
      try expect(try await bench.get("/tagged").header("etag"), "\"tag\"")
      let second = try await bench.get("/tagged", headers: ["If-None-Match": "\"tag\""])
      try expect(second.status, 304)
      try expect(second.body, [])
    },
    Check("a document is fetched again each time: no cache answers in the server's place") { bench in
      await bench.serve("/fresh", body: [1], headers: ["Cache-Control": "max-age=3600"])
      try expect(try await bench.get("/fresh").body, [1])
      await bench.serve("/fresh", body: [2], headers: ["Cache-Control": "max-age=3600"])
      try expect(try await bench.get("/fresh").body, [2])
    },
    Check("an answer's header fields are found whatever their case") { bench in
      let fault = CollectorFault(.status(429), retryAfter: .seconds(7))
      await bench.serve("/wait", fault: fault)
      let answer = try await bench.get("/wait")
      try expect([answer.header("Retry-After"), answer.header("retry-after")], ["7", "7"])
      try expect(answer.header("X-Not-There"), nil)
    },
    Check("a compressed body is decompressed") { bench in
      let text = [UInt8](repeating: UInt8(ascii: "a"), count: 5000)
      guard let packed = Zlib.compress(text, as: .gzip) else { throw Violation(description: "no memory") }
      await bench.serve("/packed", body: packed, headers: ["Content-Encoding": "gzip"])
      try expect(try await bench.get("/packed").body, text)
    },
    Check("requests at the same time each get their own answer") { bench in
      for number in 0..<20 { await bench.serve("/\(number)", body: [UInt8(number)]) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { try expect(try await bench.get("/\(number)").body, [UInt8(number)]) }
        }
        try await group.waitForAll()
      }
    },
  ]
}
