import ArgumentParser
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendConsole
import DualSendCore
import DualSendHTTPClient
import Foundation
import Testing

/// `dualsend` with the console, and the verbs that its tests hold it against.
struct ConsoleCommand: CommandRoot {
  static let configuration = CommandConfiguration(
    commandName: "dualsend", subcommands: [consoleVerb] + DualSendVerbs.rollouts)
}

/// A running `dualsend console`, asked as its page asks.
struct ConsolePage {
  let address: URL
  private let transport = SystemTransport.make()

  /// Runs the verb until `body` is done, as if somebody pressed ^C then.
  static func with(
    _ arguments: [String], on recording: RecordingTerminal = RecordingTerminal(),
    _ body: (ConsolePage) async throws -> Void
  ) async throws -> CommandStatus {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("console-\(UUID())")
    try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: page) }
    try Data("<!doctype html>".utf8).write(to: page.appendingPathComponent("index.html"))
    let run = Task {
      defer { recording.finish() }
      return await ConsoleCommand.run(["console", "--page", page.path] + arguments, on: recording.terminal)
    }
    if let line = await recording.nextResult() {
      let address = try #require(URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)))
      do { try await body(ConsolePage(address: address)) } catch {
        run.cancel()
        _ = await run.value
        throw error
      }
    }
    run.cancel()
    return await run.value
  }

  func get(_ path: String) async throws -> (status: Int, json: EventValue) {
    try await send("GET", path, [:], nil)
  }

  func post(_ path: String, _ members: [String: EventValue]) async throws -> (status: Int, json: EventValue) {
    let origin = "http://127.0.0.1:\(address.port ?? 0)"
    return try await send(
      "POST", path, ["Content-Type": "application/json", "Origin": origin], EventValue.object(members).canonicalJSON)
  }

  /// Posts as an app does.
  func post(events: [EventValue]) async throws -> Int {
    try await send("POST", "events", [:], EventValue.array(events).canonicalJSON).status
  }

  private func send(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?
  ) async throws -> (status: Int, json: EventValue) {
    let url = try #require(URL(string: address.absoluteString + path))
    let answer = try await transport.send(
      HTTPTransportRequest(method: method, url: url, headers: headers, body: body))
    return (
      answer.status, (try? JSONReader().value(answer.body)) ?? .string(String(decoding: answer.body, as: UTF8.self))
    )
  }
}

extension EventValue {
  /// A member of an object, or an element of an array, along a path of keys and positions.
  func at(_ path: String) -> EventValue? {
    path.split(separator: ".").reduce(self as EventValue?) { value, step in
      switch value {
      case .object(let members)?: members[String(step)]
      case .array(let elements)?: Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: nil
      }
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var list: [EventValue] { if case .array(let list) = self { list } else { [] } }
}
