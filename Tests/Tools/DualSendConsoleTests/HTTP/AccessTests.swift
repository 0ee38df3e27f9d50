import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("Who is let in", .timeLimit(.minutes(5)))
struct AccessTests {
  @Test("the page, with header fields that let it load nothing but itself")
  func page() async throws {
    try await ConsoleBench.with { bench async throws in
      let answer = try await bench.get("")
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
      #expect(answer.header("Content-Security-Policy")?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.header("Referrer-Policy") == "no-referrer")
      #expect(answer.header("Cache-Control") == "no-store")
      #expect(try await bench.get("app.js").header("Content-Type") == "text/javascript; charset=utf-8")
      #expect(try await bench.get("nothing.js").status == 404)
    }
  }

  @Test("nobody without the token, wherever it differs")
  func token() async throws {
    try await ConsoleBench.with { bench async throws in
      let text = bench.address.absoluteString
      let token = bench.address.lastPathComponent
      #expect(token.count == 43)
      let other = token.hasPrefix("A") ? "B" : "A"
      let last = token.hasSuffix("A") ? "E" : "A"
      for wrong in [other + token.dropFirst(), token.dropLast() + last, token + "A", String(token.dropLast()), ""] {
        let url = try #require(URL(string: text.replacing(token, with: wrong) + "api/state"))
        let answer = try await bench.transport.send(HTTPTransportRequest(method: "GET", url: url))
        #expect(answer.status == 404)
        #expect(answer.header("Content-Security-Policy") != nil)
      }
    }
  }

  @Test("on both loopback addresses, where the machine has both")
  func bothAddresses() async throws {
    try await ConsoleBench.with { bench async throws in
      let text = bench.address.absoluteString.replacing("127.0.0.1", with: "[::1]")
      let url = try #require(URL(string: text + "api/state"))
      let answer: HTTPTransportResponse
      do { answer = try await bench.transport.send(HTTPTransportRequest(method: "GET", url: url)) } catch {
        try #require(!FileManager.default.fileExists(atPath: "/proc/net/if_inet6"), "\(error)")
        return
      }
      #expect(answer.status == 200)
      let foreign = try await bench.transport.send(
        HTTPTransportRequest(method: "GET", url: url, headers: ["Origin": bench.origin]))
      #expect(foreign.status == 403)
    }
  }

  @Test("the link for reading reads everything, and publishes, signs and brings nothing")
  func reading() async throws {
    try await ConsoleBench.with(hasDocument: true) { bench async throws in
      let state = try await bench.get("api/state").json
      guard case .object(let members)? = state, case .string(let token)? = members["reading"] else {
        Issue.record("no token for reading")
        return
      }
      let own = String(bench.address.path.split(separator: "/")[0])
      let reader = try #require(
        URL(string: bench.address.absoluteString.replacingOccurrences(of: own, with: token)))
      func ask(_ route: ConsoleRoute) async throws -> Int {
        let path = route.path.map { $0 == "*" ? "x" : String($0) }.joined(separator: "/")
        let headers = ["Content-Type": "application/json", "Origin": bench.origin]
        return try await bench.transport.send(
          HTTPTransportRequest(
            method: route.method.rawValue, url: reader.appendingPathComponent(path),
            headers: route.method == .post ? headers : [:], body: route.method == .post ? Array("{}".utf8) : nil)
        ).status
      }
      for route in ConsoleRoute.all where route.path.last != "stream" {
        #expect(try await (ask(route) == 403) == !route.onlyReads, "\(route.path)")
      }
      let acting = ConsoleRoute.all.filter { !$0.onlyReads }.map { $0.path.joined(separator: "/") }
      #expect(
        acting == [
          "events", "mirror", "api/rollout/sign", "api/rollout/publish", "api/rollout/stop", "api/rollout/rollback",
        ])
      let read = try await bench.transport.send(
        HTTPTransportRequest(method: "GET", url: reader.appendingPathComponent("api/state"))
      ).json
      guard case .object(let members)? = read else { return }
      #expect(members["reading"] == .null && members["can"] == ["publish": false, "sign": false, "rollback": false])
    }
  }

  @Test("two consoles have different tokens")
  func random() {
    let tokens = Set((0..<100).map { _ in AccessToken().text })
    #expect(tokens.count == 100)
  }

  @Test(
    "no name but the machine's own and those that were allowed",
    arguments: [
      ("127.0.0.1:80", true), ("localhost:80", true), ("LOCALHOST", true), ("[::1]:80", true), ("[::1]", true),
      ("tunnel.example:443", true), ("evil.example", false), ("127.0.0.1.evil.example:80", false), ("", false),
      ("evil.example:127", false), ("[::2]:80", false), ("127.0.0.1:80@evil.example", false),
      ("user@127.0.0.1:80", false),
    ])
  func host(_ host: String, isLetIn: Bool) throws {
    let entry = RequestGuard(token: AccessToken(), names: ["Tunnel.example"])
    let path = "/\(entry.token.text)/api/state"
    if isLetIn {
      let own = try entry.pathBelowToken(path, host: host, origin: nil)
      #expect(own.path == "api/state" && own.mayAct)
      let read = try entry.pathBelowToken("/\(entry.reader.text)/api/state", host: host, origin: nil)
      #expect(read.path == "api/state" && !read.mayAct)
    } else {
      #expect(throws: RequestGuard.Refusal.foreignHost) {
        try entry.pathBelowToken(path, host: host, origin: nil)
      }
    }
    #expect(throws: RequestGuard.Refusal.foreignHost) { try entry.pathBelowToken(path, host: nil, origin: nil) }
  }

  @Test(
    "no page of another site", arguments: ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
  func origin(_ origin: String) async throws {
    try await ConsoleBench.with { bench async throws in
      for path in ["", "api/state", "api/live/stream", "rollout.json"] {
        #expect(try await bench.get(path, headers: ["Origin": origin]).status == 403)
      }
      for path in ["events", "mirror", "api/echo"] {
        let answer = try await bench.send("POST", path, headers: ["Origin": origin], body: Array("[]".utf8))
        #expect(answer.status == 403)
      }
    }
  }

  @Test("apps without an origin, but not to the page's API")
  func apps() async throws {
    try await ConsoleBench.with { bench async throws in
      #expect(try await bench.post(events: [newEvent(1)]).status == 200)
      let json = ["Content-Type": "application/json"]
      #expect(try await bench.send("POST", "api/echo", headers: json, body: Array("{}".utf8)).status == 403)
      #expect(try await bench.post("api/echo", ["a": 1]).json == ["a": 1])
    }
  }

  @Test(
    "nothing leads out of the page's folder",
    arguments: ["..%2f..%2fetc%2fpasswd", ".hidden.js", "a//app.js", "%00.js"])
  func folder(_ path: String) async throws {
    try await ConsoleBench.with { bench async throws in
      #expect(try await bench.get(path).status == 404)
    }
  }
}
