import DualSendCore

/// How far a comparison has come.
package struct ParityProgress: Sendable, Hashable {
  /// Lines read from both streams.
  package internal(set) var linesRead = 0
  /// Lines that found their place in the report.
  package internal(set) var linesCompared = 0
}

/// Adds up what several threads have done.
final class ProgressMeter: Sendable {
  /// How many lines a thread goes on for before it says so.
  static let step = 16_384

  private let total = Locked(ParityProgress())
  private let report: @Sendable (ParityProgress) -> Void

  init(_ report: @escaping @Sendable (ParityProgress) -> Void) {
    self.report = report
  }

  func add(read: Int = 0, compared: Int = 0) {
    let total = total.withLock { total in
      total.linesRead += read
      total.linesCompared += compared
      return total
    }
    report(total)
  }
}
