import DualSendCore
import Testing

@Suite("An HTTP answer", .timeLimit(.minutes(5)))
struct HTTPResponseTests {
  @Test("finds a header field whatever its case", arguments: ["ETag", "etag", "ETAG"])
  func header(_ name: String) {
    #expect(HTTPTransportResponse(status: 200, headers: ["eTaG": "\"1\""]).header(name) == "\"1\"")
    #expect(HTTPTransportResponse(status: 200).header(name) == nil)
  }
}
