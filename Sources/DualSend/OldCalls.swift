import DualSendCore
import Foundation

/// The calls of an old logger that are under way, by their thread.
///
/// By the thread and not by the task: a task that the old logger starts is no part of its call, and may log the same event later.
final class OldCalls: Sendable {
  private struct Call: Sendable {
    let thread: ObjectIdentifier
    let name: String
  }

  private let underWay = Locked<[Call]>([])

  /// Runs a call of the old logger.
  func during(_ name: String, _ call: () -> Void) {
    let thread = ObjectIdentifier(Thread.current)
    underWay.withLock { $0.append(Call(thread: thread, name: name)) }
    call()
    underWay.withLock { calls in
      if let index = calls.lastIndex(where: { $0.thread == thread }) { calls.remove(at: index) }
    }
  }

  /// Whether this thread is in a call with this event.
  func contains(_ name: String) -> Bool {
    // Looking up the thread takes longer than this.
    guard underWay.withLock({ $0.contains { $0.name.isExactly(name) } }) else { return false }
    let thread = ObjectIdentifier(Thread.current)
    return underWay.withLock { $0.contains { $0.thread == thread && $0.name.isExactly(name) } }
  }
}
