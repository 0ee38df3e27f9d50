import DualSendWireFormats
import Foundation

@testable import DualSendCore
@testable import DualSendRollout
@testable import DualSendTracking

extension FuzzTarget {
  /// What servers answer: status, `Retry-After`, `Date`, signature, and a body that may be compressed.
  static let answer = FuzzTarget(name: "answer", mutation: .json) { input in
    let statuses = [200, 207, 400, 401, 408, 413, 422, 429, 503]
    let body = input.part(3)
    let response = HTTPTransportResponse(
      status: Int(input.text(0)) ?? statuses[input.part(0).count % statuses.count],
      headers: ["Retry-After": input.text(1), "Date": input.text(2)], body: body)
    for format in formats(key: input.text(2)) { read(response, format, input.part(3)) }
    for text in [input.text(1), input.text(2)] {
      if let time = HTTPDate.milliseconds(text) { _ = Timestamp.text(milliseconds: time) }
      if let id = EventID(text) { precondition(id.description == text.lowercased(), "an id reads back as another") }
      _ = RolloutSignature(base64: text)
      _ = RolloutPublicKey(base64: text)
    }
    inflate(input.bytes)
    if input.parts.count > 3 { inflate(Array(input.bytes.dropFirst(input.bytes.count - body.count))) }
  }

  private static func formats(key: String) -> [any WireFormat] {
    [
      .dualSend, SampleTrackerFormat(), SegmentFormat(writeKey: key), AmplitudeFormat(apiKey: key),
      PostHogFormat(apiKey: key), OTLPLogsFormat(serviceName: key), CloudEventsFormat(source: key),
    ]
  }

  /// What a format makes of an answer, and of an event whose body is anything.
  private static func read(_ response: HTTPTransportResponse, _ format: any WireFormat, _ body: [UInt8]) {
    let client = TrackingNetworkClient(
      endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/"), format: format), transport: NoTransport(),
      time: .system)
    let event = TrackingData(id: EventID(high: 1, low: 2), time: 3, name: "a", body: body)
    switch client.answer(response, to: [event, event]) {
    case .delivered(let rejected, _): precondition(rejected.count <= max(1, body.count / 36), "more ids than there are")
    case .rejected(let rejected): precondition(rejected.count <= 1, "events that were not sent")
    case .retry(_, let delay):
      precondition(delay.map { (.zero...RetryAfter.cap).contains($0) } ?? true, "a wait beyond the cap")
    case .tooLarge, .invalid, .refused: break
    }
    let request = format.request(for: [event], sentAt: 0)
    precondition(request.eventCount == 1, "an event is neither sent nor refused")
    if let payload = try? JSONReader().value(event.payloadJSON) {
      precondition(payload == .object(event.payload), "the payload's bytes are not its values")
    }
  }

  private struct NoTransport: HTTPTransport {
    func send(_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
      throw .notConnected
    }
  }

  private static func inflate(_ bytes: [UInt8]) {
    for limit in [0, 1000, 1 << 20] {
      guard let result = try? Zlib.decompress(bytes, limit: limit) else { continue }
      precondition(result.count <= limit, "more than the limit")
    }
    for format in [Zlib.Format.deflate, .gzip] {
      guard let compressed = Zlib.compress(bytes, as: format) else { continue }
      precondition((try? Zlib.decompress(compressed, limit: bytes.count)) == bytes, "compression loses something")
    }
  }
}
