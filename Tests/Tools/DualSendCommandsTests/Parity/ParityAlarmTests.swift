import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("The webhook of parity", .timeLimit(.minutes(5)))
struct ParityAlarmTests {
  private let folder: TemporaryFiles

  init() throws { folder = try TemporaryFiles() }

  /// The judgement of `pairs` pairs of an event with a limit of 1 %; `differing` of them differ, and `lost` more are lost.
  private func judgement(
    pairs: Int, differing: Int = 0, lost: Int = 0, name: String = "tap"
  ) throws -> ParityJudgement {
    let numbers = Array(0..<(pairs + lost))
    let olds = numbers.map { #"{"eventId":"\#($0)","name":"\#(name)","parameters":{"v":1}}"# }
    let news = numbers.prefix(pairs).map {
      #"{"eventId":"\#($0)","eventName":"\#(name)","payload":{"v":\#($0 < differing ? 2 : 1)}}"#
    }
    try folder.write("old.jsonl", olds.joined(separator: "\n"))
    try folder.write("new.jsonl", news.joined(separator: "\n"))
    let report = try ParityComparer(table: RemappingTable()).compare(
      old: URL(fileURLWithPath: folder.path("old.jsonl")), new: URL(fileURLWithPath: folder.path("new.jsonl")))
    return ParityGate(limit: .perMille, countsEvents: true).judgement(on: report)
  }

  private final class Hook: HTTPTransport {
    let status = Locked(200)
    let messages = Locked<[EventValue]>([])

    func send(_ request: HTTPTransportRequest) async -> HTTPTransportResponse {
      let message = (try? JSONReader().value(request.body ?? [])) ?? .null
      messages.withLock { $0.append(message) }
      return HTTPTransportResponse(status: status.current, headers: [:], body: [])
    }
  }

  @Test("tells once when a fault begins, again if that failed, and once when it ends")
  func changes() async throws {
    let hook = Hook()
    let terminal = RecordingTerminal(transport: hook).terminal
    let webhook = try #require(Webhook("https://u:p@hooks.example.com/x", on: terminal))
    var alarm = ParityAlarm()
    func tell(_ judgement: ParityJudgement) async throws -> [EventValue] {
      hook.messages.withLock { $0 = [] }
      try await alarm.tell(of: judgement, source: "streams", send: webhook.post)
      return hook.messages.current
    }
    #expect(try await tell(judgement(pairs: 10)).isEmpty, "too few pairs are no fault")
    hook.status.withLock { $0 = 503 }
    await #expect(throws: CommandError.self) { try await tell(judgement(pairs: 100, differing: 50, lost: 1)) }
    hook.status.withLock { $0 = 204 }
    let faulty = try judgement(pairs: 100, differing: 50, lost: 1)
    let begun = try #require(try await tell(faulty).first)
    #expect(begun.text("text") == "Parity: the gate is closed for 1 of 1 event, 1 with losses")
    #expect(begun.event?["before"] == [])
    #expect(begun.event?["after"] == ["lost", "closed"])
    #expect(try await tell(faulty).isEmpty)
    let ended = try #require(try await tell(judgement(pairs: 10)).first)
    #expect(ended.event?["after"] == [])
    #expect(try await tell(judgement(pairs: 10)).isEmpty)
  }

  @Test("posts what a comparison found, without names in the text, and fails if the address does")
  func verb() async throws {
    _ = try judgement(pairs: 4, lost: 1, name: "<!channel>")
    try folder.write("table.json", #"{"formatVersion":1,"events":{}}"#)
    let hook = Hook()
    func parity() async -> (CommandStatus, RecordingTerminal) {
      let terminal = RecordingTerminal(transport: hook)
      let arguments = [
        "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
        folder.path("table.json"), "--webhook", "https://hooks.example.com/x?token=secret",
      ]
      return (await DualSendCommand.run(arguments, on: terminal.terminal), terminal)
    }
    #expect(await parity().0 == .findings)
    let message = try #require(hook.messages.current.first)
    #expect(message.event?["name"] == "<!channel>")
    #expect(message.text("text")?.contains("channel") == false)
    hook.status.withLock { $0 = 404 }
    let (status, terminal) = await parity()
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("the webhook https://hooks.example.com/x answered with status 404"))
    #expect(terminal.results.contains("channel"), "the report is there all the same")
  }

  @Test("refuses what is no address", arguments: ["hooks.example.com", "file:///tmp/x", "https://"])
  func addresses(text: String) async {
    let terminal = RecordingTerminal()
    let arguments = ["parity", "--old", "a", "--new", "b", "--remap", "c", "--webhook", text]
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) != .clean)
    #expect(terminal.diagnostics.contains("--webhook must be an http or https address"))
  }
}

extension EventValue {
  fileprivate func text(_ key: String) -> String? {
    guard case .object(let members) = self, case .string(let text)? = members[key] else { return nil }
    return text
  }

  /// The first event of a message.
  fileprivate var event: [String: EventValue]? {
    guard case .object(let members) = self, case .array(let events)? = members["events"],
      case .object(let event)? = events.first
    else { return nil }
    return event
  }
}
