@_spi(Tools) import DualSendCore
import Foundation

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

/// Does the shares of some work on so many threads, the first of them on this one. All are under way at once, however many
/// processors there are, so that one share may wait for another.
///
/// - Throws: the error of the first share that has one, after all have ended.
func onThreads<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (WorkShare) throws -> Result
) throws -> [Result] {
  guard count > 1 else { return [try body(.all)] }
  let results = Locked([Swift.Result<Result, any Error>?](repeating: nil, count: count))
  let share = { @Sendable (number: Int) in
    let result = Swift.Result { try body(WorkShare(number: number, count: count)) }
    results.withLock { $0[number] = result }
  }
  let others = DispatchGroup()
  for number in 1..<count {
    others.enter()
    Thread.detachNewThread {
      share(number)
      others.leave()
    }
  }
  share(0)
  others.wait()
  return try results.current.compactMap { try $0?.get() }
}
