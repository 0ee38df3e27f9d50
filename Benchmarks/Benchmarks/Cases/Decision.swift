import DualSend
import DualSendRollout

/// One decision for a unit whose bucket is known, with and without 500 rules that name other events.
enum Decision: Benchmark {
  static let name = "decision"

  static func run() async throws -> BenchmarkReport {
    let names = Dictionary(uniqueKeysWithValues: (0..<500).map { ("screen\($0).tap", $0) })
    let lookup = Subject("a dictionary of 500 names, asked for one") { keep(names[Workload.eventName]) }
    let subjects = [
      lookup, try subject("1 rule", otherRules: 0), try subject("500 rules on other events", otherRules: 500),
    ]
    let samples = await Measure.loops(subjects, callsARound: 20_000, rounds: 61)
    var report = BenchmarkReport(
      "decision", "one event of a unit whose bucket is known", columns: ["CPU ns", "allocations", "ratio"])
    for (subject, times) in zip(subjects, samples) {
      report.add(subject.name, times.median, Measure.allocations(subject), times.median / samples[0].median)
    }
    report.promise(
      .atMost(
        2, "at most 2 times one look into a dictionary (50 ns), beside 500 rules",
        found: samples[2].median / samples[0].median))
    if let allocations = Measure.allocations(subjects[2]) {
      report.promise(.atMost(0, "no allocation", found: allocations))
    }
    return report
  }

  private static func subject(_ name: String, otherRules: Int) throws -> Subject {
    let others = (0..<otherRules).map { number in
      ",\n{\"match\": {\"events\": [\"screen\(number).*\"]}, \"shouldSendLogToNewTracker\": 50}"
    }
    let document = """
      {"formatVersion": 1, "revision": 1, "salt": "tracker-2025", "shouldSendLogToNewTracker": 5, "rules": [
      {"match": {"events": ["home.*"], "platform": ["iOS"], "appVersion": ">=25.4.10"},
      "shouldSendLogToNewTracker": 25}\(others.joined())]}
      """
    let snapshot = RolloutSnapshot(try RolloutDocument(reading: document.utf8))
    let unit = snapshot.subject(
      DecisionContext(
        unitID: "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", appVersion: DecisionContext.AppVersion("25.4.11"),
        platform: "iOS"))
    return Subject(name) { keep(snapshot.decision(for: Workload.eventName, subject: unit)) }
  }
}
