#if canImport(os)
  public import os
#elseif SANITIZE_THREAD
  import class Foundation.NSLock
  import Synchronization
#else
  public import Synchronization
#endif

/// A value that threads share: the package's one lock.
///
/// Use it to swap a snapshot or to append to a queue, and call out only after it is released. Inlinable, because a call
/// that is not specialised looks its metadata up each time, which takes longer than the lock.
public final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    @usableFromInline let lock: OSAllocatedUnfairLock<Value>
  #elseif SANITIZE_THREAD
    @usableFromInline let lock: ThreadMutex<Value>
  #else
    @usableFromInline let lock: Mutex<Value>
  #endif

  /// Creates a lock around a value.
  public init(_ value: Value) {
    #if canImport(os)
      lock = OSAllocatedUnfairLock(initialState: value)
    #elseif SANITIZE_THREAD
      lock = ThreadMutex(value)
    #else
      lock = Mutex(value)
    #endif
  }

  /// Runs `body` while no other thread holds the value. Must not be called from inside itself.
  @inlinable @inline(__always)
  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(os)
      lock.withLockUnchecked(body)
    #else
      lock.withLock { body(&$0) }
    #endif
  }

  /// Runs `body` if no other thread holds the value; returns `nil`, without a wait, if one does.
  package func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
    #if canImport(os)
      lock.withLockIfAvailableUnchecked(body)
    #else
      lock.withLockIfAvailable { body(&$0) }
    #endif
  }

  /// A copy of the value as it is now.
  @inlinable public var current: Value {
    withLock { $0 }
  }
}

#if SANITIZE_THREAD && !canImport(os)
  /// The lock of a build for ThreadSanitizer on Linux (`scripts/check tsan` sets the condition): the sanitizer does not
  /// see `Mutex`, whose every use would look like a race to it. `NSLock` is pthread's mutex, which it does see.
  @usableFromInline final class ThreadMutex<Value: Sendable>: Sendable {
    private let order = NSLock()
    private let value: Mutex<Value>

    init(_ value: Value) {
      self.value = Mutex(value)
    }

    @usableFromInline func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
      order.withLock { value.withLock { body(&$0) } }
    }

    func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
      guard order.try() else { return nil }
      defer { order.unlock() }
      return value.withLock { body(&$0) }
    }
  }
#endif
