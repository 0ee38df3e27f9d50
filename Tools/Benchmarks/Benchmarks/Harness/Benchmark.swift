/// One question about speed or memory, and the way to its answer.
@MainActor
protocol Benchmark {
  /// What selects it on the command line.
  static var name: String { get }

  /// Whether it runs where no benchmark is named.
  static var runsByDefault: Bool { get }

  /// Measures; takes well below half a minute, unless it runs only where it is named.
  static func run() async throws -> BenchmarkReport
}

extension Benchmark {
  static var runsByDefault: Bool { true }
}

/// A benchmark whose own bookkeeping failed: its figures would mean nothing.
struct InvalidRun: Error, CustomStringConvertible {
  let description: String
}
