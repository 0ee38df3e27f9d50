import DualSend

/// A table's 10 renames of a 12-key payload, beside the chain of assignments that it replaces.
enum Remapping: Benchmark {
  static let name = "remapping"
  private static let renames = 10

  static func run() async throws -> BenchmarkReport {
    let small = try RemappingTable(reading: table(events: 1))
    let large = try RemappingTable(reading: table(events: 5000))
    let payload = payload()
    let subjects = [
      Subject("hand-written chain") { keep(handWritten(payload)) },
      Subject("table of 1 event") { keep(small.apply(to: "event0", payload: payload)) },
      Subject("table of 5,000 events") { keep(large.apply(to: "event4321", payload: payload)) },
    ]
    let samples = await Measure.loops(subjects, callsARound: 1000, rounds: 61)
    let chain = samples[0].median
    var report = BenchmarkReport(
      "remapping", "\(renames) renames of a payload of \(payload.count) keys",
      columns: ["CPU ns", "times the chain"])
    for (subject, samples) in zip(subjects, samples) {
      report.add(subject.name, samples.median, samples.median / chain)
    }
    report.promise(.atMost(1, "at most as long as the chain (1 \u{B5}s)", found: samples[2].median / chain))
    return report
  }

  private static func table(events: Int) -> [UInt8] {
    let rows = (0..<renames).map { "\"old_parameter_\($0)\": \"new_parameter_\($0)\"" }.joined(separator: ", ")
    let entries = (0..<events).map { "\"event\($0)\": {\"parameters\": {\(rows)}}" }.joined(separator: ",\n")
    return Array("{\"formatVersion\": 1, \"events\": {\(entries)}}".utf8)
  }

  private static func payload() -> [String: EventValue] {
    var payload: [String: EventValue] = ["currency": "JPY", "session_identifier": "9b1deb4d-3b7d-4bad-9bdd"]
    for number in 0..<renames { payload["old_parameter_\(number)"] = .int(Int64(number)) }
    return payload
  }

  /// What a developer writes for this one event.
  private static func handWritten(_ old: [String: EventValue]) -> [String: EventValue] {
    var new = [String: EventValue](minimumCapacity: old.count)
    new["new_parameter_0"] = old["old_parameter_0"]
    new["new_parameter_1"] = old["old_parameter_1"]
    new["new_parameter_2"] = old["old_parameter_2"]
    new["new_parameter_3"] = old["old_parameter_3"]
    new["new_parameter_4"] = old["old_parameter_4"]
    new["new_parameter_5"] = old["old_parameter_5"]
    new["new_parameter_6"] = old["old_parameter_6"]
    new["new_parameter_7"] = old["old_parameter_7"]
    new["new_parameter_8"] = old["old_parameter_8"]
    new["new_parameter_9"] = old["old_parameter_9"]
    new["currency"] = old["currency"]
    new["session_identifier"] = old["session_identifier"]
    return new
  }
}
