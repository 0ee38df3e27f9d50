import DualSendCore
import Foundation

/// The calls of an old logger that are under way, by their thread.
///
/// By the thread and not by the task: a task that the old logger starts is no part of its call, and may log the same event later.
final class OldCalls: Sendable {
  private struct Call: Sendable {
    let thread: UInt
    let name: String
  }

  private let underWay = Locked<[Call]>([])

  /// The calling thread. Platforms have it as a number or as a pointer; `Thread.current` takes longer than the rest of a call.
  private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

  /// Runs a call of the old logger.
  func during(_ name: String, _ call: () -> Void) {
    let thread = Self.thread
    underWay.withLock { $0.append(Call(thread: thread, name: name)) }
    call()
    underWay.withLock { calls in
      if let index = calls.lastIndex(where: { $0.thread == thread }) { calls.remove(at: index) }
    }
  }

  /// Whether this thread is in a call with this event.
  func contains(_ name: String) -> Bool {
    let thread = Self.thread
    return underWay.withLock { $0.contains { $0.thread == thread && $0.name.isExactly(name) } }
  }
}
