import ArgumentParser
import DualSend
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendHTTPClient
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

/// A started console with a page of one file, and a real HTTP client for it.
struct ConsoleBench {
  let pairs: LiveComparison
  /// The file of the live document.
  let document: URL
  let address: URL
  let transport = SystemTransport.make()

  static let emptyRollout = #"{"formatVersion": 1, "revision": 1, "salt": "test"}"#

  /// Answers `echo` with what it was asked, and refuses `fail`.
  private static let routes = [
    ConsoleRoute(.page, .post, "api/echo") { .json(.object($1.members)) },
    ConsoleRoute(.page, .get, "api/fail") { _, _ in
      throw ConsoleFailure(409, "no", help: "yes", members: ["needs": ["evictions"]])
    },
  ]

  /// Runs `body` against a console on a free port and stops it afterwards.
  static func with(
    showsValues: Bool = false, hasDocument: Bool = false, limits: LiveLimits = LiveLimits(),
    _ change: (inout ConsoleConfiguration) -> Void = { _ in },
    _ body: (ConsoleBench) async throws -> Void
  ) async throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("console-page-\(UUID())")
    try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: page) }
    try Data("<!doctype html><title>page</title>".utf8).write(to: page.appendingPathComponent("index.html"))
    try Data("export {}".utf8).write(to: page.appendingPathComponent("app.js"))
    var configuration = ConsoleConfiguration()
    configuration.pageFolder = page
    change(&configuration)
    let document = page.appendingPathComponent("rollout")
    try Data(Self.emptyRollout.utf8).write(to: document)
    let pairs = LiveComparison(limits: limits, hasOldLog: true, timeSource: configuration.timeSource)
    let pages = try await ConsolePages(
      document: hasDocument ? DocumentInput(argument: document.path) : nil,
      options: try ConsoleOptions.parse(showsValues ? ["--show-values"] : []), pairs: pairs,
      configuration: configuration, terminal: RecordingTerminal().terminal)
    let server = ConsoleServer(configuration, pairs: pairs, pages: pages, routes: ConsoleRoute.all + Self.routes)
    let bench = ConsoleBench(pairs: pairs, document: document, address: try await server.start())
    do { try await body(bench) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  var origin: String { "http://127.0.0.1:\(address.port ?? 0)" }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> HTTPTransportResponse {
    try await send("GET", path, headers: headers)
  }

  /// Posts as the page does.
  func post(_ path: String, _ members: [String: EventValue]) async throws -> HTTPTransportResponse {
    try await send(
      "POST", path, headers: ["Content-Type": "application/json", "Origin": origin],
      body: EventValue.object(members).canonicalJSON)
  }

  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> HTTPTransportResponse {
    let url = try #require(URL(string: address.absoluteString + path))
    return try await transport.send(
      HTTPTransportRequest(method: method, url: url, headers: headers, body: body, maximumResponseBytes: 64 << 20))
  }

  func post(events: [TrackingEvent]) async throws -> HTTPTransportResponse {
    try await send("POST", "events", body: EventValue.array(events.map(wireElement)).canonicalJSON)
  }
}

extension HTTPTransportResponse {
  var json: EventValue? { try? JSONReader().value(body) }
}

func eventID(_ number: Int) -> EventID {
  EventID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
}

func wireElement(_ event: TrackingEvent) -> EventValue {
  [
    "eventId": .string(event.id.description), "eventName": .string(event.name), "eventTime": .int(event.time),
    "payload": .object(event.payload),
  ]
}

func newEvent(_ number: Int, _ name: String = "open", _ payload: [String: EventValue] = ["user": "u"]) -> TrackingEvent
{
  TrackingEvent(id: eventID(number), time: 1_700_000_000_000 + Int64(number), name: name, payload: payload)
}

func oldEvent(
  _ number: Int, _ name: String = "launch", _ parameters: [String: EventValue] = ["uid": "u"], unit: String?? = "unit-1"
) -> LiveOldEvent {
  LiveOldEvent(
    id: eventID(number), time: 1_700_000_000_000 + Int64(number), name: name, parameters: parameters, unit: unit)
}
