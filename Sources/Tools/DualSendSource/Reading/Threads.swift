import Dispatch
import DualSendCore
import Foundation

/// Threads with a stack large enough for deeply nested trees.
package enum Threads {
  private static let stackBytes = 256 << 20

  /// Does the work for each number on several threads; the results are in order.
  package static func map<Value: Sendable>(
    _ threads: Int, _ count: Int, _ work: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Locked([Value?](repeating: nil, count: count))
    let next = Locked(0)
    let group = DispatchGroup()
    for _ in 0..<min(max(threads, 1), count) {
      group.enter()
      let thread = Thread {
        while let number = next.withLock({ next -> Int? in
          defer { next += 1 }
          return next < count ? next : nil
        }) {
          let value = work(number)
          results.withLock { $0[number] = value }
        }
        group.leave()
      }
      thread.stackSize = stackBytes
      thread.start()
    }
    group.wait()
    return results.current.compactMap { $0 }
  }
}
