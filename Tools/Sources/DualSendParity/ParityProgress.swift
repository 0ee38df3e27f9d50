import DualSendCore

/// The progress of a comparison.
package struct ParityProgress: Sendable, Hashable {
  /// The number of lines read from both streams.
  package internal(set) var linesRead = 0
  /// The number of lines compared.
  package internal(set) var linesCompared = 0
}

/// Adds up the progress of several threads.
final class ProgressMeter: Sendable {
  /// The number of lines after which a thread reports progress.
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
