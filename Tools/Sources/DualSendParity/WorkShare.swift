import DualSendCore
import Foundation

/// One of several shares of some work.
package struct WorkShare: Sendable {
  package let number: Int
  package let count: Int

  package static let all = WorkShare(number: 0, count: 1)
}

/// Runs each share of some work on its own thread, the first one on the current thread.
///
/// All shares run concurrently, so one may wait for another.
///
/// - Throws: the error of the first share that fails, after all have ended.
package func onThreads<Result: Sendable>(
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
