import DualSend
import DualSendRolloutAnalysis
import Foundation

/// Proving a document of 500 rules over four dimensions, and comparing two such.
enum Proofs: Benchmark {
  static let name = "proofs"
  /// Unrelated documents differ in how many cases they tell apart; the slowest pair counts.
  private static let seeds: ClosedRange<UInt64> = 1...8

  static func run() async throws -> BenchmarkReport {
    var report = BenchmarkReport(
      "proofs", "500 rules over event, version, platform and country", columns: ["CPU seconds"])
    let (before, after) = (document(percentage: 50), document(percentage: 60))
    var documents: [RolloutDocument] = []
    let reading = try Measure.processorSeconds {
      documents.append(try RolloutDocument(proving: before.utf8))
      keep(try RolloutCoverage(of: documents[0]))
    }
    documents.append(try RolloutDocument(proving: after.utf8))
    let comparing = try Measure.processorSeconds { keep(try RolloutPlan(from: documents[0], to: documents[1])) }
    report.add("read and prove one", reading)
    report.add("compare two", comparing)
    let unrelated = try slowestUnrelated()
    report.add("compare two unrelated, slowest of \(seeds.count)", unrelated)
    let baseline = try Measure.readingAsJSON(Data(before.utf8))
    report.add("JSONSerialization reads one", baseline)
    report.promise(
      .atMost(300, "proof in 300 times what JSONSerialization reads it in (1 s)", found: reading / baseline))
    report.promise(
      .atMost(
        600, "comparison in 600 times that (2 s)", found: max(comparing, unrelated) / baseline))
    return report
  }

  private static func slowestUnrelated() throws -> Double {
    var slowest = 0.0
    for seed in seeds {
      var rules = RandomRules(seed: seed)
      let (before, after) = (try rules.document(revision: 1), try rules.document(revision: 2))
      slowest = max(slowest, try Measure.processorSeconds { keep(try RolloutPlan(from: before, to: after)) })
    }
    return slowest
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
