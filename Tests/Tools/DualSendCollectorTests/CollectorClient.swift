import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import Foundation
import Testing

/// One started collector and a real HTTP client for it.
struct CollectorClient {
  let server: CollectorServer
  private let transport = SystemTransport.make()

  /// Runs `body` against a collector on a free port and stops it afterwards.
  static func with(
    _ configuration: CollectorConfiguration = CollectorConfiguration(),
    _ body: (CollectorClient) async throws -> Void
  ) async throws {
    let client = CollectorClient(server: CollectorServer(configuration))
    try await client.server.start()
    do { try await body(client) } catch {
      await client.server.stop()
      throw error
    }
    await client.server.stop()
  }

  func post(_ body: [UInt8], headers: [String: String] = [:]) async throws -> HTTPTransportResponse {
    let url = try #require(await server.url())
    return try await transport.send(HTTPTransportRequest(method: "POST", url: url, headers: headers, body: body))
  }

  func post(_ events: [TrackingEvent], headers: [String: String] = [:]) async throws -> HTTPTransportResponse {
    try await post(wireBody(events), headers: headers)
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> HTTPTransportResponse {
    let url = try #require(await server.url(path))
    return try await transport.send(HTTPTransportRequest(method: "GET", url: url, headers: headers))
  }
}

/// Events of these names with ids that depend on their position only.
func events(_ names: String..., payload: [String: EventValue] = ["n": 1]) -> [TrackingEvent] {
  names.enumerated().map { index, name in
    TrackingEvent(id: eventID(index), time: 1_700_000_000_000, name: name, payload: payload)
  }
}

func eventID(_ number: Int) -> EventID {
  var random = SplitMix64(seed: UInt64(number))
  return EventID(milliseconds: 1_700_000_000_000, using: &random)
}

/// The JSON array that a tracker would send.
func wireBody(_ events: [TrackingEvent]) -> [UInt8] {
  .init(EventValue.array(events.map(wireElement)).canonicalJSON)
}

func wireElement(_ event: TrackingEvent) -> EventValue {
  [
    "eventId": .string(event.id.description), "eventName": .string(event.name), "eventTime": .int(event.time),
    "payload": .object(event.payload),
  ]
}

extension HTTPTransportResponse {
  var json: EventValue? {
    try? JSONReader().value(body)
  }
}
