#if canImport(os)
  package import os
#elseif SANITIZE_THREAD
  import class Foundation.NSLock
  import Synchronization
#else
  package import Synchronization
#endif

/// A value protected by a lock. The only lock in the package.
///
/// Use it to swap a snapshot or to append to a queue. Release it before calling out. Inlinable, because looking up
/// metadata in unspecialised code takes longer than the lock.
package final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    @usableFromInline let lock: OSAllocatedUnfairLock<Value>
  #elseif SANITIZE_THREAD
    @usableFromInline let lock: ThreadMutex<Value>
  #else
    @usableFromInline let lock: Mutex<Value>
  #endif

  /// Creates a lock around a value.
  package init(_ value: Value) {
    #if canImport(os)
      lock = OSAllocatedUnfairLock(initialState: value)
    #elseif SANITIZE_THREAD
      lock = ThreadMutex(value)
    #else
      lock = Mutex(value)
    #endif
  }

  /// Runs `body` while no other thread has access to the value. Not reentrant.
  @inlinable @inline(__always)
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(os)
      lock.withLockUnchecked(body)
    #else
      lock.withLock { body(&$0) }
    #endif
  }

  /// A copy of the value as it is now.
  @inlinable package var current: Value {
    withLock { $0 }
  }
}

#if SANITIZE_THREAD && !canImport(os)
  /// The lock for ThreadSanitizer builds on Linux (`scripts/check tsan` sets the condition). The sanitizer does not
  /// recognise `Mutex` and reports every use as a race; it does recognise `NSLock`.
  @usableFromInline final class ThreadMutex<Value: Sendable>: Sendable {
    private let order = NSLock()
    private let value: Mutex<Value>

    init(_ value: Value) {
      self.value = Mutex(value)
    }

    @usableFromInline func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      order.withLock { value.withLock { body(&$0) } }
    }
  }
#endif
