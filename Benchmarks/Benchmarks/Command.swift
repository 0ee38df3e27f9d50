import Foundation

/// The command line: which benchmarks run, and how their results are printed.
struct Command {
  enum Format: String {
    case text
    case json
  }

  @MainActor static var usage: String {
    """
    usage: benchmarks [--format text|json] [NAME…]

    Names: \(names.joined(separator: ", ")).
    Without one, all run but \(named.joined(separator: ", ")).
    """
  }

  @MainActor private static let all: [any Benchmark.Type] = [
    CallerPath.self, PacedCaller.self, EndToEnd.self, Drain.self, Remapping.self, Decision.self, Proofs.self,
    StoreStages.self, Start.self, Launch.self, Battery.self, Backlog.self,
  ]
  /// A name may stand for several benchmarks, one after the other in the list.
  @MainActor private static var names: [String] {
    all.reduce(into: []) { names, benchmark in
      if names.last != benchmark.name { names.append(benchmark.name) }
    }
  }
  /// Those that run only where they are named.
  @MainActor private static var named: [String] { all.filter { !$0.runsByDefault }.map { $0.name } }

  private var format = Format.text
  private var selected: [String] = []

  /// `nil` if the arguments make no sense.
  @MainActor init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--format" {
        guard let format = rest.popFirst().flatMap({ Format(rawValue: $0) }) else { return nil }
        self.format = format
      } else if Self.names.contains(argument) {
        selected.append(argument)
      } else {
        return nil
      }
    }
  }

  /// Runs the benchmarks one after the other. Returns whether every promise was kept.
  @MainActor func run() async throws -> Bool {
    var reports: [BenchmarkReport] = []
    for benchmark in Self.all where selected.isEmpty ? benchmark.runsByDefault : selected.contains(benchmark.name) {
      let report = try await benchmark.run()
      if format == .text { print(report, terminator: "\n\n") }
      reports.append(report)
    }
    if format == .json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(reports), as: UTF8.self))
    }
    return reports.allSatisfy { $0.promises.allSatisfy(\.isKept) }
  }
}
