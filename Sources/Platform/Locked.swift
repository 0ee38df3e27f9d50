#if canImport(os)
  import os
#else
  import Synchronization
#endif

/// A value that threads share: the package's one lock.
///
/// Use it to swap a snapshot or to append to a queue, and call out only after it is released.
package final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>
  #else
    private let lock: Mutex<Value>
  #endif

  package init(_ value: Value) {
    #if canImport(os)
      lock = OSAllocatedUnfairLock(initialState: value)
    #else
      lock = Mutex(value)
    #endif
  }

  /// Runs `body` while no other thread holds the value. Must not be called from inside itself.
  @inline(__always)
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(os)
      lock.withLockUnchecked(body)
    #else
      lock.withLock { body(&$0) }
    #endif
  }

  /// A copy of the value as it is now.
  package var current: Value {
    withLock { $0 }
  }
}
