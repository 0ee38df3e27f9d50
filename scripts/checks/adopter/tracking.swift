// The program of an adopter without an old logger: two sinks and a mutation with `DualSendTracking` alone, without a
// rollout and a unit.
import CallSites
import DualSendTracking
import Foundation
import Synchronization

/// A fake transport: stores the requests, and acknowledges them.
final class HouseTransport: HTTPTransport {
  private let received = Mutex<[[UInt8]]>([])

  var bodies: [[UInt8]] { received.withLock { $0 } }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    received.withLock { $0.append(request.body ?? []) }
    return HTTPTransportResponse(status: 200)
  }
}

/// Another SDK.
final class Archive: EventReceiver {
  private let received = Mutex<[String]>([])

  var names: [String] { received.withLock { $0 } }

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    received.withLock { $0 += events.map(\.name) }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) throws {
  guard found == expected else { throw Failure(description: "\(what): \(found), not \(expected)") }
}

guard let collector = URL(string: "https://events.example/v1") else { throw Failure(description: "no URL") }
let (transport, archive) = (HouseTransport(), Archive())
let tracker = Tracker(
  configuration: TrackerConfiguration(
    endpoint: TrackingEndpoint(url: collector), storage: .memory, transport: transport))

let stored = Sink.buffered("archive", to: archive) { $0.storage = .memory }
let logger = SinkGroup([.tracker("collector", tracker), stored], mutations: [.parameters(["app": "house"])])

visit(logger)
let reports = await logger.flush(timeout: .seconds(10))
try expect("delivered", reports.mapValues(\.sent), is: ["archive": 5, "collector": 5])
try expect("the archive has", archive.names, is: originalNames)
visit(tracker)
try expect("delivered by the tracker alone", await tracker.flush(timeout: .seconds(10)).sent, is: 5)

let events = try transport.bodies.flatMap { body in
  try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]] ?? []
}
try expect("the collector has", events.map { $0["eventName"] as? String }, is: originalNames + originalNames)
let payloads = events.map { $0["payload"] as? [String: Any] ?? [:] }
try expect("the mutation reached", payloads.count { $0["app"] as? String == "house" }, is: 5)
print("two sinks and a tracker alone have the same call sites' events, without an old logger")
