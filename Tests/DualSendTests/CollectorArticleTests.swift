import DualSend
import DualSendTesting
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

private func segment(collectorURL: URL) -> Tracker {
  // TheWireFormat: the line
  let endpoint = TrackingEndpoint(url: collectorURL, format: .segment(writeKey: "WRITE_KEY"))
  let tracker = Tracker(configuration: TrackerConfiguration(endpoint: endpoint))
  // TheWireFormat: the end
  return tracker
}

private func identified(installationID: String) -> AmplitudeFormat {
  // TheWireFormat: the identity
  let identity = IdentityParameters(
    user: ["member"], session: ["visit"], fallbackUnit: installationID)
  let format = AmplitudeFormat(apiKey: "API_KEY", identity: identity)
  // TheWireFormat: the end
  return format
}

private func change(_ tracker: Tracker, collectorURL: URL) async throws {
  // TheWireFormat: the change
  await tracker.setEndpoint(TrackingEndpoint(url: collectorURL, format: .postHog(apiKey: "API_KEY")))
  try await tracker.retryDeadLetters()
  // TheWireFormat: the end
}

// TheWireFormat: a format
struct LineFormat: WireFormat {
  func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest {
    WireRequest(
      of: events, limits: WireRequest.Limits(bytes: 1_000_000), headers: ["Content-Type": "application/x-ndjson"],
      opening: [], separator: Array("\n".utf8), closing: []
    ) { event in event.payloadJSON }
  }
}
// TheWireFormat: the end

@Suite("The article about collectors", .timeLimit(.minutes(5)))
struct CollectorArticleTests {
  private static let examples = ["the line", "the identity", "the change", "a format"].map {
    DocumentedExample(document: "Sources/DualSend/DualSend.docc/TheWireFormat.md", name: $0)
  }

  @Test("shows its examples as they are compiled here", arguments: examples)
  func verbatim(example: DocumentedExample) throws {
    try example.check(in: #filePath)
  }

  @Test("has a format of an app's own that sends a line an event, and events that wait go to the next collector")
  func formats() async throws {
    let transport = ScriptedTransport([.success(HTTPTransportResponse(status: 401))])
    let url = try #require(URL(string: "http://collector.test/"))
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url, format: LineFormat()), storage: .memory, transport: transport))
    tracker.sendLog(name: "a", payload: ["user_id": "user-42"])
    await tracker.flush()
    #expect(transport.requests.first?.body == Array(#"{"user_id":"user-42"}"#.utf8))
    try await change(tracker, collectorURL: url)
    #expect(await tracker.flush().pending == 0)
    let body = String(decoding: transport.requests.last?.body ?? [], as: UTF8.self)
    #expect(body.hasPrefix(#"{"api_key":"API_KEY","batch":[{"distinct_id":"user-42""#))
  }

  @Test("names an installation where the payload names no one")
  func fallback() {
    let event = TrackingData(
      TrackingEvent(id: EventID(high: 1, low: 2), time: 0, name: "a", payload: ["visit": 7]))
    let body = String(
      decoding: identified(installationID: "installation-1").request(for: [event], sentAt: 0).body, as: UTF8.self)
    #expect(body.contains(#""device_id":"installation-1""#) && body.contains(#""session_id":7"#))
  }
}
