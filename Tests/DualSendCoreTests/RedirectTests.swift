import CustomDump
import Foundation
import Testing

@testable import DualSendCore

@Suite("A redirect")
struct RedirectTests {
  private static func next(
    _ method: String, from origin: String = "https://a.test/x", _ status: Int, to location: String
  ) throws -> HTTPTransportRequest? {
    let request = HTTPTransportRequest(
      method: method, url: try #require(URL(string: origin)),
      headers: ["Authorization": "key", "Content-Type": "text/plain", "X-App": "1"], body: [1])
    return try Redirect.next(after: HTTPTransportResponse(status: status, headers: ["Location": location]), to: request)
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

  @Test("does not take an authorization to another origin", arguments: ["https://b.test/", "https://a.test:8443/"])
  func otherOrigin(place: String) throws {
    expectNoDifference(try Self.next("GET", 307, to: place)?.headers["Authorization"], nil)
    expectNoDifference(try Self.next("GET", 307, to: "/y")?.headers["Authorization"], "key")
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
