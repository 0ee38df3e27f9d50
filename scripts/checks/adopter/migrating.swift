// The program of the adopter in `scripts/check adopter`: an app with an old logger, its own transport, and modules whose
// names this package must not use.
import CallSites
import Collector
import DualSend
import EventModel
import Foundation
import Parity
import Platform
import Rollout
import Synchronization
import Tracking

/// The app's old logger.
final class HouseLogger: OldLogger {
  private let received = Mutex<[String]>([])

  var names: [String] { received.withLock { $0 } }

  func logEvents(name: String, parameters: [[String: Any]]) {
    received.withLock { $0.append("\(name) \(parameters.map { $0.keys.sorted().joined(separator: ",") })") }
  }
}

/// A fake transport: stores the requests, and acknowledges them.
final class HouseTransport: HTTPTransport {
  private let received = Mutex<[[UInt8]]>([])

  var bodies: [[UInt8]] { received.withLock { $0 } }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    received.withLock { $0.append(request.body ?? []) }
    return HTTPTransportResponse(status: 200)
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) throws {
  guard found == expected else { throw Failure(description: "\(what): \(found), not \(expected)") }
}

guard let endpoint = URL(string: "https://events.example/v1") else { throw Failure(description: "no URL") }
let logger = HouseLogger()
let transport = HouseTransport()
let tracker = Tracker(
  configuration: TrackerConfiguration(
    endpoint: TrackingEndpoint(url: endpoint), storage: .memory, transport: transport))
let table = """
  {"formatVersion": 1, "events": {"home.like_button.tap": {"name": "home.like.tap", "parameters": {"uid": "user_id"}}}}
  """
let dualSend = DualSendTracker(
  oldLogger: logger, tracker: tracker, remapping: try RemappingTable(reading: table.utf8),
  rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), unitID: { "unit-1" })

dualSend.logEvents(name: "home.like_button.tap", parameters: ["uid": 7])
let report = await tracker.flush(timeout: .seconds(10))
try expect("delivered", report.sent, is: 1)
try expect("the old logger has", logger.names, is: [#"home.like_button.tap ["uid"]"#])
try expect("requests", transport.bodies.count, is: 1)

let events = try JSONSerialization.jsonObject(with: Data(transport.bodies.joined())) as? [[String: Any]] ?? []
try expect("events in the request", events.map { $0["eventName"] as? String }, is: ["home.like.tap"])
try expect("the new payload", events.first?["payload"] as? [String: Int], is: ["user_id": 7])

let before = HouseLogger()
visit(SinkGroup(oldLogger: before))
try expect("before the migration", before.names.map { $0.prefix { $0 != " " } }, is: originalNames.map { $0[...] })
visit(dualSend)
try expect("during, the old logger has", logger.names.count, is: 6)
try expect("during, the new tracker sends", await tracker.flush(timeout: .seconds(10)).sent, is: 5)

let own = [tracking, platform, eventModel, rollout, parity, collector]
try expect("the adopter's own modules", own.count, is: 6)
print("one event reached both sinks, beside \(own.count) modules of the adopter's own")
