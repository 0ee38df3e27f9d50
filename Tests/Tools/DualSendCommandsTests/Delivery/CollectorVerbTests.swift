import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendHTTPClient
import DualSendTool
import Foundation
import Testing

@Suite("dualsend collector", .timeLimit(.minutes(5)))
struct CollectorVerbTests {
  private let recording = RecordingTerminal()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("collector-verb-\(UUID())")

  /// Runs the verb until `body` is done, as if somebody pressed ^C then.
  private func collecting(_ arguments: [String], _ body: (URL) async throws -> Void) async throws -> CommandStatus {
    let run = Task { [recording] in
      defer { recording.finish() }
      return await DualSendCommand.run(["collector"] + arguments, on: recording.terminal)
    }
    let line = try #require(await recording.nextResult()?.dropLast())
    var address = String(line)
    if case .object(let members)? = try? JSONReader().value(line.utf8), case .string(let text)? = members["address"] {
      address = text
    }
    try await body(try #require(URL(string: address)))
    run.cancel()
    return await run.value
  }

  private func post(to url: URL) async throws -> Int {
    let event: EventValue = [
      "eventId": "018bcfe5-6800-7000-8000-000000000000", "eventName": "home.open", "eventTime": 1, "payload": [:],
    ]
    let request = HTTPTransportRequest(method: "POST", url: url, body: EventValue.array([event]).canonicalJSON)
    return try await SystemTransport.make().send(request).status
  }

  @Test("prints its address, collects, and prints its totals at the end")
  func collects() async throws {
    let status = try await collecting([]) { url in
      #expect(url.path == "/events")
      let statuses = [try await post(to: url), try await post(to: url)]
      #expect(statuses == [200, 200])
    }
    #expect(status == .clean)
    #expect(recording.results.contains("accepted         1\nduplicates       1\nconflicting      0\n"))
  }

  @Test("prints its totals as JSON when asked to")
  func json() async throws {
    _ = try await collecting(["--format", "json", "--fault", "503*1"]) { url in
      let status = try await post(to: url)
      #expect(status == 503)
    }
    #expect(recording.results.hasPrefix(#"{"address":"http://127.0.0.1:"#))
    let totals = try #require(recording.results.split(separator: "\n").last)
    #expect(
      totals.replacing(#/"bytes":\d+/#, with: #""bytes":N"#)
        == #"{"accepted":0,"bytes":N,"conflicting":0,"duplicates":0,"faults":1,"malformed":0,"rejected":0,"requests":1}"#
    )
  }

  @Test("speaks the format that it is told, beside the form of its results")
  func otherFormat() async throws {
    _ = try await collecting(["--wire-format", "segment", "--format", "json"]) { url in
      #expect(url.path == "/v1/batch")
      let status = try await post(to: url)
      #expect(status == 415)
    }
    #expect(recording.results.hasPrefix(#"{"address":"http://127.0.0.1:"#))
  }

  @Test("refuses a wire format that there is not, and one as the form of the results")
  func wrongFormat() async {
    for arguments in [["--wire-format", "xml"], ["--wire-format", "json"], ["--format", "segment"]] {
      #expect(await DualSendCommand.run(["collector"] + arguments, on: recording.terminal) == .usage)
    }
  }

  @Test("hands out a file and stores what it gets")
  func filesInAndOut() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (document, output) = (folder.appendingPathComponent("r.json"), folder.appendingPathComponent("out.jsonl"))
    try Data("{}".utf8).write(to: document)
    _ = try await collecting(["--output", output.path, "--config", "/r.json=" + document.path]) { url in
      _ = try await post(to: url)
      let configURL = url.deletingLastPathComponent().appendingPathComponent("r.json")
      let answer = try await SystemTransport.make().send(HTTPTransportRequest(method: "GET", url: configURL))
      #expect(answer.body == Array("{}".utf8))
    }
    let stored = try String(contentsOf: output, encoding: .utf8)
    #expect(
      stored == #"{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"home.open","#
        + #""eventTime":1,"payload":{}}"# + "\n")
    try FileManager.default.removeItem(at: folder)
  }
}
