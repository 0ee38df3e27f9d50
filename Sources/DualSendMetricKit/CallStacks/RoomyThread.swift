import Dispatch
import DualSendCore
import Foundation

/// Runs work that follows hundreds of nested values: the half megabyte of stack that background threads have is not
/// enough for it.
enum RoomyThread {
  /// Enough for 1,200 levels in a build without optimisation, three times over.
  private static let stackBytes = 16 << 20

  /// Runs the work on a thread of its own, and waits for it. The work must not wait for anything itself.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
    let result = Locked<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let value = work()
      result.withLock { $0 = value }
      isDone.signal()
    }
    thread.stackSize = stackBytes
    thread.qualityOfService = Thread.current.qualityOfService
    thread.start()
    isDone.wait()
    return result.current ?? work()
  }
}
