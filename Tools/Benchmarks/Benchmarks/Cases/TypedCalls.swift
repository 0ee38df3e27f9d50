import DualSend
import Foundation

/// What typed events and mutations cost the thread of the call site, beside the plain call.
enum TypedCalls: Benchmark {
  static let name = "typed"
  private static let callsARound = 500

  static func run() async throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    let plain = try adapter(folder.file("plain.sqlite"))
    let mutating = try adapter(folder.file("mutating.sqlite"), mutations: tenMutations)
    let subjects = [
      Subject("baseline: logEvents, a dictionary of 10 parameters") {
        plain.logEvents(name: Workload.eventName, sendableParameters: Workload.parameters(7))
      } afterRound: {
        await plain.persist()
      },
      Subject("log, a typed event of 10 parameters") {
        plain.log(Tap(number: 7))
      } afterRound: {
        await plain.persist()
      },
      Subject("log, an Encodable value of 10 properties") {
        plain.log(Workload.eventName, encoding: EncodableTap(number: 7))
      } afterRound: {
        await plain.persist()
      },
      Subject("logEvents with ten mutations") {
        mutating.logEvents(name: Workload.eventName, sendableParameters: Workload.parameters(7))
      } afterRound: {
        await mutating.persist()
      },
    ]
    let samples = await Measure.calls(subjects, callsARound: callsARound, rounds: 40)
    for adapter in [plain, mutating] {
      let reports = await adapter.shutdown(timeout: .seconds(30))
      guard reports.values.allSatisfy({ $0.pending == 0 && $0.dropped.isEmpty }) else {
        throw InvalidRun(description: "a sink dropped or kept events: \(reports)")
      }
    }

    var report = BenchmarkReport(
      "typed calls", "one event a call to both sinks; its making and the clock included",
      columns: ["p50 ns", "p99 ns", "ratio of p50"])
    let ratios = samples.map { $0.median / samples[0].median }
    for (index, subject) in subjects.enumerated() {
      report.add(subject.name, samples[index].median, samples[index].percentile(99), ratios[index])
    }
    report.promise(.atMost(1.2, "a typed event at most 1.2 times the dictionary", found: ratios[1]))
    report.promise(.atMost(1.05, "ten mutations cost the caller nothing: at most 1.05 times", found: ratios[3]))
    return report
  }

  private static func adapter(_ file: URL, mutations: [Mutation] = []) throws -> DualSendTracker {
    DualSendTracker(
      oldLogger: SilentLogger(),
      tracker: Tracker(
        configuration: TrackerConfiguration(
          endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/nowhere")), storage: .file(file),
          transport: AcceptingTransport())),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      unitID: { "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d" }, mutations: mutations)
  }

  private static let tenMutations: [Mutation] = [
    .device(), .session(), .timestamp(), .userID { "u-1" }, .redaction(of: ["*email*", "phone"]),
    .parameters(["app": "shop"]), .parameters(["build": 7]),
    Mutation("eight") { $0.parameters["eight"] = 8 }, Mutation("nine") { $0.parameters["nine"] = 9 },
    Mutation("ten") { $0.parameters["currency"] = nil },
  ]
}

private struct Tap: TypedEvent {
  let number: Int
  var name: String { Workload.eventName }
  var parameters: [String: any Sendable] { Workload.parameters(number) }
}

private struct EncodableTap: Encodable {
  var itemIdentifier: Int
  var screenNameShown = "home feed, recommended"
  var positionInList = 7
  var isLikedByUser = true
  var priceInCurrency = 12.75
  var currency = "JPY"
  var sessionIdentifier = "9b1deb4d-3b7d-4bad-9bdd"
  var experimentVariant = "control"
  var scrollDepthRatio = 0.4375
  var referrerEventName = "home.banner.view"

  init(number: Int) { itemIdentifier = number }
}
