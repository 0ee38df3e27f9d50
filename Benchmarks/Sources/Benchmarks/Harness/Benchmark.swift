/// One question about speed or memory, and the way to its answer.
@MainActor
protocol Benchmark {
  /// What selects it on the command line.
  static var name: String { get }

  /// Measures; takes well below half a minute.
  static func run() async throws -> BenchmarkReport
}

/// A benchmark whose own bookkeeping failed: its figures would mean nothing.
struct InvalidRun: Error, CustomStringConvertible {
  let description: String
}
