import CustomDump
import Foundation
import Testing

@testable import DualSendCore

@Suite("A redirect", .timeLimit(.minutes(5)))
struct RedirectTests {
  private static func next(
    _ method: String, from origin: String = "https://a.test/x", _ status: Int, to location: String
  ) throws -> HTTPTransportRequest? {
    let request = HTTPTransportRequest(
      method: method, url: try #require(URL(string: origin)),
      headers: ["Authorization": "key", "Content-Type": "text/plain", "X-App": "1", "Accept": "*/*"], body: [1])
    return try Redirect.next(after: status, location, to: request)
  }

  @Test("leads to a place named in full or from where the request went")
  func places() throws {
    expectNoDifference(try Self.next("GET", 302, to: "https://b.test/y")?.url.absoluteString, "https://b.test/y")
    expectNoDifference(try Self.next("GET", 302, to: "/y?z")?.url.absoluteString, "https://a.test/y?z")
  }

  @Test("is one of five statuses that name a place", arguments: [200, 300, 304, 305, 306, 400])
  func otherStatuses(status: Int) throws {
    #expect(try Self.next("GET", status, to: "/y") == nil)
  }

  @Test("takes a POST on with its body, or not at all", arguments: [301, 302, 303, 307, 308])
  func post(status: Int) throws {
    if status < 307 {
      let refusal = HTTPTransportError.RefusedRedirect(.losesBody, status: status, target: "https://a.test")
      #expect(throws: HTTPTransportError.redirectRefused(refusal)) { try Self.next("POST", status, to: "/y") }
    } else {
      let next = try #require(try Self.next("POST", status, to: "/y"))
      expectNoDifference(next.method, "POST")
      expectNoDifference(next.body, [1])
      expectNoDifference(next.headers["Content-Type"], "text/plain")
    }
  }

  @Test(
    "takes neither a body nor a key to another origin, whatever field has it",
    arguments: ["https://b.test/", "https://a.test:8443/", "//b.test/x"])
  func otherOrigin(place: String) throws {
    expectNoDifference(try Self.next("GET", 307, to: place)?.headers, ["Accept": "*/*"])
    for sameOrigin in ["/y", "https://A.test:443/y"] {
      expectNoDifference(try Self.next("GET", 307, to: sameOrigin)?.headers["X-App"], "1")
      expectNoDifference(try Self.next("POST", 308, to: sameOrigin)?.headers["Authorization"], "key")
    }
    for status in [307, 308] {
      #expect {
        try Self.next("POST", status, to: place)
      } throws: { error in
        guard case .redirectRefused(let redirect) = error as? HTTPTransportError else { return false }
        return redirect.reason == .leavesOrigin && redirect.status == status
      }
    }
  }

  @Test("is followed to its end, at most twenty times in a row")
  func chain() async throws {
    let start = HTTPTransportRequest(method: "GET", url: try #require(URL(string: "https://a.test/0")))
    for length in [20, 21] {
      let places = Locked<[String]>([])
      func follow() async throws -> Int {
        try await Redirect.followed(from: start, head: { ($0.status, $0.header("Location")) }) {
          request async throws(HTTPTransportError) -> HTTPTransportResponse in
          let number = places.withLock { places in
            places.append(request.url.path)
            return places.count
          }
          return number > length
            ? HTTPTransportResponse(status: 200)
            : HTTPTransportResponse(status: 302, headers: ["Location": "/\(number)"])
        }.status
      }
      if length == 20 {
        let status = try await follow()
        expectNoDifference(status, 200)
      } else {
        let refusal = HTTPTransportError.RefusedRedirect(.endless, status: 302, target: "https://a.test")
        await #expect(throws: HTTPTransportError.redirectRefused(refusal)) { try await follow() }
      }
      expectNoDifference(places.current.count, 21)
    }
  }

  @Test(
    "never leaves HTTP, nor HTTPS once it came by it, and says which",
    arguments: [
      ("http://a.test:8080/x", .leavesHTTPS, "http://a.test:8080"), ("HTTP://a.test/x", .leavesHTTPS, "HTTP://a.test"),
      ("ftp://user:password@a.test/x?token", .leavesHTTP, "ftp://a.test"),
      ("file:///etc/passwd", .leavesHTTP, "file://"), ("data:,x", .leavesHTTP, "data://"),
    ] as [(String, HTTPTransportError.RefusedRedirect.Reason, String)])
  func refused(place: String, reason: HTTPTransportError.RefusedRedirect.Reason, target: String) {
    let refusal = HTTPTransportError.RefusedRedirect(reason, status: 302, target: target)
    #expect(throws: HTTPTransportError.redirectRefused(refusal)) { try Self.next("GET", 302, to: place) }
    #expect(throws: HTTPTransportError.redirectRefused(refusal)) { try Self.next("POST", 302, to: place) }
  }

  @Test("that is refused says what happened in one line")
  func words() {
    let refusal = HTTPTransportError.RefusedRedirect(.losesBody, status: 302, target: "https://login.test")
    #expect(
      HTTPTransportError.redirectRefused(refusal).description
        == "the server redirects (302) to https://login.test, which would lose the request's body")
    #expect(
      HTTPTransportError.RefusedRedirect(.leavesHTTPS, status: 301, target: "http://a.test").description
        == "the server redirects (301) to http://a.test, from HTTPS to plain HTTP")
    #expect(
      HTTPTransportError.RefusedRedirect(.endless).description == "the server redirects, after too many redirects")
  }

  @Test("from HTTP may go on to either, however their names are written")
  func fromHTTP() throws {
    #expect(try Self.next("GET", from: "HTTPS://a.test/", 302, to: "HTTPS://b.test/") != nil)
    #expect(try Self.next("GET", from: "http://a.test/", 302, to: "http://b.test/") != nil)
    #expect(try Self.next("GET", from: "http://a.test/", 302, to: "https://b.test/") != nil)
  }
}
