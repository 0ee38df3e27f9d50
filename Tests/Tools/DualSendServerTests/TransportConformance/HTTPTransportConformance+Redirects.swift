import DualSendCollector
import DualSendCore
import Foundation

extension HTTPTransportConformance {
  /// Checks that redirects are followed, with a limit and only over HTTP.
  static let redirectChecks: [Check] = [
    Check("a redirect is followed") { bench in
      for status in [301, 302, 303, 307, 308] {
        await bench.serve("/old", fault: try await bench.redirect(status, toPath: "/new"))
        await bench.serve("/new", body: [7])
        let answer = try await bench.get("/old")
        try expect(answer.status, 200)
        try expect(answer.body, [7])
      }
    },
    Check("a chain of redirects is followed to its end") { bench in
      for step in 0..<5 {
        await bench.serve(
          "/\(step)", fault: try await bench.redirect(302, toPath: "/\(step + 1)"))
      }
      await bench.serve("/5", body: [5])
      try expect(try await bench.get("/0").body, [5])
    },
    Check("an endless chain of redirects is refused") { bench in
      await bench.serve("/loop", fault: try await bench.redirect(302, toPath: "/loop"))
      let error = try await bench.failure { try await bench.get("/loop") }
      guard case .redirectRefused(let redirect) = error, redirect.reason == .endless else {
        throw Violation(description: "expected an error for endless redirects, found \(error)")
      }
      let requests = await bench.server.documentRequests(at: "/loop").total
      try expect(requests <= 50, true)
    },
    Check("a redirect that would lose the body is refused, with its status and target") { bench in
      let place = try await bench.url("/login").absoluteString
      await bench.serve("/login", body: [200])
      let request = HTTPTransportRequest(
        method: "POST", url: try await bench.url(CollectorServer.eventsPath), body: [1])
      for status in [301, 302, 303] {
        await bench.server.setFaults([bench.redirect(status, to: place)])
        let error = try await bench.failure { try await bench.transport.send(request) }
        let target = String(place.dropLast("/login".count))
        try expect(
          error, .redirectRefused(HTTPTransportError.RefusedRedirect(.losesBody, status: status, target: target)))
      }
    },
    Check("a redirect that keeps the method keeps the body, in the same origin alone") { bench in
      let event = """
        [{"eventId":"018bcfe5-6800-7abc-8def-0123456789ab","eventName":"a","eventTime":1,"payload":{}}]
        """
      let same = try await bench.url(CollectorServer.eventsPath).absoluteString
      let other = same.replacing("127.0.0.1", with: "localhost")
      for status in [307, 308] {
        await bench.server.setFaults([CollectorFault(.status(status), .next(1), headers: ["Location": same])])
        try expect(try await bench.post(Array(event.utf8)).status, 200)
        try expect(await bench.server.receivedIDs.count, 1)
        let before = await bench.server.totals.requests
        await bench.server.setFaults([bench.redirect(status, to: other)])
        let error = try await bench.failure { try await bench.post(Array(event.utf8)) }
        guard case .redirectRefused(let redirect) = error, redirect.reason == .leavesOrigin else {
          throw Violation(description: "expected a refused redirect, found \(error)")
        }
        try expect(await bench.server.totals.requests, before + 1)
      }
    },
    Check("a redirect away from HTTP is refused") { bench in
      await bench.serve("/away", fault: bench.redirect(302, to: "ftp://127.0.0.1/away"))
      let error = try await bench.failure { try await bench.get("/away") }
      try expect(
        error,
        .redirectRefused(HTTPTransportError.RefusedRedirect(.leavesHTTP, status: 302, target: "ftp://127.0.0.1")))
    },
    Check("the error of a redirect contains no secrets of its URL") { bench in
      let place = "ftp://user:password@127.0.0.1/away?token=secret"
      await bench.serve("/away", fault: bench.redirect(301, to: place))
      let error = try await bench.failure { try await bench.get("/away") }
      for secret in ["user", "password", "token", "secret"] {
        try expect(error.description.contains(secret), false)
      }
    },
  ]
}

extension TransportBench {
  fileprivate func redirect(_ status: Int, toPath path: String) async throws -> CollectorFault {
    redirect(status, to: try await url(path).absoluteString)
  }

  fileprivate func redirect(_ status: Int, to place: String) -> CollectorFault {
    CollectorFault(.status(status), headers: ["Location": place])
  }
}
