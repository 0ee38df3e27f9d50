import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@Suite("The console's way to publish at an address", .timeLimit(.minutes(5)))
struct ConsolePublishTests {
  private static let text = #"{"formatVersion": 1, "revision": 4, "salt": "test", "shouldSendLogToNewTracker": 5}"#
  private static let raised = text.replacing(": 5}", with: ": 25}")

  /// A config server that takes what is put, or refuses it.
  private final class ConfigServer: Sendable {
    private let document = Locked(Array(ConsolePublishTests.text.utf8))
    private let status: Int

    init(status: Int) { self.status = status }

    var text: String { String(decoding: document.current, as: UTF8.self) }

    func transport() -> ScriptedTransport {
      ScriptedTransport { request in
        if request.url.pathExtension == "sig" { return .success(HTTPTransportResponse(status: 404)) }
        if request.method == "GET" { return .success(HTTPTransportResponse(status: 200, body: self.document.current)) }
        if self.status == 200 { self.document.withLock { $0 = request.body ?? [] } }
        return .success(HTTPTransportResponse(status: self.status))
      }
    }
  }

  private static let arguments = [
    "http://config.example/rollout.json", "--publish", "http://config.example/rollout.json?token=secret", "--header",
    "X-Team: ops",
  ]

  @Test("puts the document with its header fields, and apps get it from the console too")
  func put() async throws {
    let server = ConfigServer(status: 200)
    let transport = server.transport()
    let status = try await ConsolePage.with(Self.arguments, on: RecordingTerminal(transport: transport)) {
      page async throws in
      func count() -> Int { transport.requests.count { $0.method == "GET" && $0.url.pathExtension == "json" } }
      let reads = count()
      #expect(try await page.post("api/rollout/publish", ["text": .string(Self.raised)]).json.at("revision") == 5)
      #expect(
        count() == reads + 6,
        "to decide, before the PUT, twice after it, as a device with the document of before, and for apps")
      #expect(server.text == Self.raised.replacing("\"revision\": 4", with: "\"revision\": 5"))
      let request = try #require(transport.requests.last { $0.method == "PUT" })
      #expect(request.headers["X-Team"] == "ops")
      #expect(request.headers["Content-Type"] == "application/json")
      #expect(request.url.query == "token=secret")
      #expect(try await page.get("rollout.json").json.at("revision") == 5)
    }
    #expect(status == .clean)
  }

  @Test("a server that refuses leaves everything as it was, and its address is shown without its secret")
  func refused() async throws {
    let server = ConfigServer(status: 403)
    let terminal = RecordingTerminal(transport: server.transport())
    _ = try await ConsolePage.with(Self.arguments, on: terminal) { page async throws in
      let answer = try await page.post("api/rollout/publish", ["text": .string(Self.raised)])
      #expect(answer.status == 500)
      #expect(
        answer.json.at("error.message")?.text
          == "http://config.example/rollout.json refused the document: status 403")
      #expect(server.text == Self.text)
    }
  }

  @Test("an address alone can be looked at and proved, not published")
  func readOnly() async throws {
    let terminal = RecordingTerminal(transport: ConfigServer(status: 200).transport())
    _ = try await ConsolePage.with(["http://config.example/rollout.json"], on: terminal) { page async throws in
      #expect(try await page.get("api/state").json.at("can.publish") == false)
      #expect(try await page.post("api/rollout/publish", ["text": .string(Self.raised)]).status == 409)
      #expect(
        try await page.post("api/rollout/check", ["text": .string(Self.raised)]).json.at("plan.moves.0.share") == 20)
    }
  }
}
