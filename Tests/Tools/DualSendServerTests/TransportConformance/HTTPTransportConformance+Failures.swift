import DualSendCollector
import DualSendCore

extension HTTPTransportConformance {
  /// Checks that a request without a usable response ends once, with a reason.
  static let failureChecks: [Check] = [
    Check("a refused connection is a failed connection") { bench in
      let url = try await bench.url("/nobody")
      await bench.server.stop()
      let error = try await bench.failure {
        try await bench.transport.send(HTTPTransportRequest(method: "GET", url: url))
      }
      try expectFailedConnection(error)
    },
    Check("a connection that closes without an answer is told apart from other failures") { bench in
      await bench.serve("/drop", fault: CollectorFault(.drop))
      try expect(try await bench.failure { try await bench.get("/drop") }, .connectionClosed)
    },
    Check("a connection that closes in the middle of the body is a failed connection, not a short answer") { bench in
      await bench.serve("/cut", bytes: 100_000, fault: CollectorFault(.cut))
      try expectFailedConnection(try await bench.failure { try await bench.get("/cut") })
    },
    Check("after a failed connection the next request gets its answer") { bench in
      await bench.serve("/once", fault: CollectorFault(.drop, .next(1)))
      _ = try await bench.failure { try await bench.get("/once") }
      try expect(try await bench.get("/once").status, 200)
    },
    Check("cancelling the task ends the request") { bench in
      await bench.serve("/silent", fault: CollectorFault(.delay(.seconds(120))))
      let request = Task { try await bench.get("/silent", timeout: .seconds(60)) }
      try await bench.untilAsked(for: "/silent")
      request.cancel()
      try expect(try await bench.failure { try await request.value }, .cancelled)
    },
    Check("a task that is cancelled before it starts sends nothing") { bench in
      await bench.serve("/silent", fault: CollectorFault(.delay(.seconds(120))))
      let request = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await bench.get("/silent", timeout: .seconds(60))
      }
      try expect(try await bench.failure { try await request.value }, .cancelled)
    },
  ]

  private static func expectFailedConnection(_ error: HTTPTransportError) throws(Violation) {
    if case .connectionFailed(let reason) = error, !reason.isEmpty { return }
    throw Violation(description: "expected a failed connection and its reason, found \(error)")
  }
}
