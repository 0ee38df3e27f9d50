import DualSend

/// Proving a document of 500 rules over four dimensions, and comparing two such.
enum Proofs: Benchmark {
  static let name = "proofs"

  static func run() async throws -> BenchmarkReport {
    var report = BenchmarkReport(
      "proofs", "500 rules over event, version, platform and country", columns: ["seconds"])
    let (before, after) = (document(percentage: 50), document(percentage: 60))
    var documents: [RolloutDocument] = []
    let reading = try await Measure.seconds {
      documents.append(try RolloutDocument(reading: before.utf8))
      keep(try RolloutCoverage(of: documents[0]))
    }
    documents.append(try RolloutDocument(reading: after.utf8))
    let comparing = try await Measure.seconds { keep(try RolloutPlan(from: documents[0], to: documents[1])) }
    report.add("read and prove one", reading)
    report.add("compare two", comparing)
    report.promise(.atMost(1, "proof below 1 s", found: reading))
    report.promise(.atMost(2, "comparison below 2 s", found: comparing))
    return report
  }

  private static func document(percentage: Int) -> String {
    let rules = (0..<500).map { number in
      """
      {"match": {"events": ["screen\(number % 50).*"], "appVersion": ">=\(20 + number % 6).\(number % 10) <27",
      "platform": ["\(["iOS", "tvOS", "macOS"][number % 3])"],
      "attributes": {"country": ["c\(number % 20)", "c\(number * 7 % 20)"]}},
      "shouldSendLogToNewTracker": \(percentage + number % 40)}
      """
    }
    return """
      {"formatVersion": 1, "revision": \(percentage), "salt": "tracker-2025", "shouldSendLogToNewTracker": 5,
      "rules": [\(rules.joined(separator: ",\n"))]}
      """
  }
}
