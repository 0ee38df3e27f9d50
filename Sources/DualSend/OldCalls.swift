import DualSendCore
import Foundation

/// The calls of old loggers that are under way on a thread.
///
/// By the thread and not by the task: a task that the old logger starts is no part of its call, and may log the same event later.
/// Kept in the thread's own storage, so that no call waits for one of another thread.
enum OldCalls {
  private struct Call {
    let adapter: ObjectIdentifier
    let name: String
    /// The call in which this one was made.
    let outer: UnsafeMutableRawPointer?
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Runs a call of an adapter's old logger.
  static func during(_ name: String, of adapter: DualSendTracker, _ call: () -> Void) {
    let outer = pthread_getspecific(key)
    var own = Call(adapter: ObjectIdentifier(adapter), name: name, outer: outer)
    withUnsafeMutablePointer(to: &own) { own in
      pthread_setspecific(key, own)
      call()
    }
    pthread_setspecific(key, outer)
  }

  /// Whether this thread is in a call of the adapter's old logger with this event.
  static func contains(_ name: String, of adapter: DualSendTracker) -> Bool {
    var next = pthread_getspecific(key)
    while let call = next?.assumingMemoryBound(to: Call.self).pointee {
      if call.adapter == ObjectIdentifier(adapter), call.name.isExactly(name) { return true }
      next = call.outer
    }
    return false
  }
}
