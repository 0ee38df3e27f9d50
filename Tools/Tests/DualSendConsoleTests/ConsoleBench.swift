import DualSend
import DualSendCore
import DualSendHTTPClient
import DualSendTesting
import Foundation
import Testing

@testable import DualSendConsole

/// A started console with a page of one file, and a real HTTP client for it.
struct ConsoleBench {
  let pairs: LivePairs
  let workbench: StubWorkbench
  let address: URL
  let transport = SystemTransport.make()

  /// Runs `body` against a console on a free port and stops it afterwards.
  static func with(
    showsValues: Bool = false, limits: LiveLimits = LiveLimits(),
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
    let pairs = LivePairs(
      limits: limits, hasOldLog: true, maximumStreams: configuration.maximumStreams,
      timeSource: configuration.timeSource)
    let workbench = StubWorkbench()
    let server = ConsoleServer(configuration, pairs: pairs, workbench: workbench, showsValues: showsValues)
    let bench = ConsoleBench(pairs: pairs, workbench: workbench, address: try await server.start())
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

/// Answers `echo` with what it was asked, and has no document until it is given one.
actor StubWorkbench: ConsoleWorkbench {
  private var document: [UInt8]?

  func setDocument(_ text: String) { document = Array(text.utf8) }

  func state() -> [String: EventValue] { ["document": .null] }

  func liveRollout() -> (document: [UInt8], signature: [UInt8]?)? {
    document.map { ($0, Array("c2ln\n".utf8)) }
  }

  func answer(_ request: ConsoleRequest) throws -> ConsoleAnswer? {
    switch request.route {
    case "POST echo": .json(.object(request.members))
    case "GET fail": throw ConsoleFailure(409, "no", help: "yes", members: ["needs": ["evictions"]])
    default: nil
    }
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
