import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("An app's debug mirror", .timeLimit(.minutes(5)))
struct DebugMirrorConsoleTests {
  @Test("stands on the console with its unit, its decision and both sides")
  func shown() async throws {
    try await ConsoleBench.with(showsValues: true) { bench async throws in
      let mirror = DebugMirror(console: bench.address, transport: bench.transport)
      let (_, news) = try #require(await bench.pairs.follow())
      mirror.show(
        DebugMirror.Event(
          id: eventID(1), time: 5, unitID: "my device", old: DebugMirror.Side(name: "launch", values: ["uid": "u"]),
          new: DebugMirror.Side(name: "open", values: ["user": "u"]), outcome: .both, reason: "the top level"))
      for await _ in news where await bench.pairs.newest > 0 { break }
      let page = try #require(try await bench.get("api/live?unit=my%20device").json)
      #expect(page["found"] == 1)
      let detail = try #require(try await bench.get("api/live/\(eventID(1))").json)
      #expect(detail["old"] == ["uid": "u"])
      #expect(detail["new"] == ["user": "u"])
      #expect(detail["reason"] == "the top level")
    }
  }
}
