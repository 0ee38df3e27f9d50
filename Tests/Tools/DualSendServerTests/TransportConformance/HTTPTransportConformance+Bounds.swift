import DualSendCollector
import DualSendCore

extension HTTPTransportConformance {
  /// Checks that responses respect the time and size limits of their requests.
  static let boundChecks: [Check] = [
    Check("a request without a response ends at its timeout") { bench in
      await bench.serve("/silent", fault: CollectorFault(.delay(.seconds(120))))
      let error = try await bench.failure { try await bench.get("/silent", timeout: .milliseconds(300)) }
      try expect(error, .timedOut)
    },
    Check("a server that accepts a body without responding is a timeout") {
      bench in
      await bench.server.setFaults([CollectorFault(.delay(.seconds(120)))])
      let error = try await bench.failure { try await bench.post(Array("[]".utf8), timeout: .milliseconds(500)) }
      try expect(error, .timedOut)
    },
    Check("a connection that hangs ends at the timeout") { bench in
      let place = try UnansweredPort()
      let request = HTTPTransportRequest(method: "POST", url: place.url, body: [1], timeout: .milliseconds(500))
      try expect(try await bench.failure { try await bench.transport.send(request) }, .timedOut)
    },
    Check("the timeout includes the last byte, even if bytes arrive steadily") { bench in
      // Each pause is far below the timeout, but their sum is far above it.
      await bench.serve("/drip", bytes: 600, fault: CollectorFault(.drip(.milliseconds(50))))
      let error = try await bench.failure { try await bench.get("/drip", timeout: .milliseconds(500)) }
      try expect(error, .timedOut)
    },
    Check("a slow body within the timeout is a response") { bench in
      await bench.serve("/drip", bytes: 40, fault: CollectorFault(.drip(.milliseconds(1))))
      try expect(try await bench.get("/drip").body, TransportBench.noise(40))
    },
    Check("a body of exactly the limit is accepted, one byte more is refused") { bench in
      await bench.serve("/body", bytes: 100_000)
      try expect(try await bench.get("/body", maximumBytes: 100_000).body.count, 100_000)
      let error = try await bench.failure { try await bench.get("/body", maximumBytes: 99_999) }
      try expect(error, .responseTooLarge(limit: 99_999))
    },
    Check("the error has the given limit, however many parts the body has") { bench in
      await bench.serve("/drip", bytes: 300, fault: CollectorFault(.drip(.milliseconds(1))))
      let error = try await bench.failure { try await bench.get("/drip", maximumBytes: 100) }
      try expect(error, .responseTooLarge(limit: 100))
    },
    Check("the limit applies to the decompressed body") { bench in
      guard let bomb = Zlib.compress([UInt8](repeating: 0, count: 32 << 20), as: .gzip) else {
        throw Violation(description: "no memory")
      }
      await bench.serve("/bomb", body: bomb, headers: ["Content-Encoding": "gzip"])
      let error = try await bench.failure { try await bench.get("/bomb", maximumBytes: 1 << 20) }
      try expect(error, .responseTooLarge(limit: 1 << 20))
    },
    Check("a body beyond the limit is truncated on request, compressed or not") { bench in
      let bytes = TransportBench.noise(100_000)
      guard let packed = Zlib.compress(bytes, as: .gzip) else { throw Violation(description: "no memory") }
      await bench.serve("/body", bytes: 100_000)
      await bench.serve("/packed", body: packed, headers: ["Content-Encoding": "gzip"])
      for path in ["/body", "/packed"] {
        let whole = try await bench.get(path, maximumBytes: 200_000, cutsLongResponse: true)
        try expect(whole.isCut, false)
        let start = try await bench.get(path, maximumBytes: 40_000, cutsLongResponse: true)
        try expect(start.status, 200)
        try expect(start.isCut, true)
        try expect(start.body, path == "/body" ? Array(bytes.prefix(40_000)) : Array(bytes.prefix(start.body.count)))
      }
    },
    Check("a refused response does not affect the next request") { bench in
      await bench.serve("/body", bytes: 100_000)
      _ = try await bench.failure { try await bench.get("/body", maximumBytes: 10) }
      try expect(try await bench.get("/body").status, 200)
    },
  ]
}
