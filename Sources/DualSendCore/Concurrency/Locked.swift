#if canImport(os)
  import os
#elseif SANITIZE_THREAD
  import Glibc
#else
  import Synchronization
#endif

/// A value that threads share: the package's one lock.
///
/// Use it to swap a snapshot or to append to a queue, and call out only after it is released.
@_spi(Tools) public final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>
  #elseif SANITIZE_THREAD
    private let lock: ThreadMutex<Value>
  #else
    private let lock: Mutex<Value>
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
  @inline(__always)
  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(os)
      lock.withLockUnchecked(body)
    #else
      lock.withLock { body(&$0) }
    #endif
  }

  /// A copy of the value as it is now.
  public var current: Value {
    withLock { $0 }
  }
}

#if SANITIZE_THREAD && !canImport(os)
  /// The lock of a build for ThreadSanitizer on Linux (`scripts/test-tsan` sets the condition): the sanitizer sees
  /// pthread's mutex, but not the one in `Synchronization`, whose every use would look like a race to it.
  private final class ThreadMutex<Value: Sendable>: Sendable {
    // Never changes, and what it points to is made to be shared by threads.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Touched only while the mutex is held.
    nonisolated(unsafe) private var value: Value

    init(_ value: Value) {
      self.value = value
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value)
    }
  }
#endif
