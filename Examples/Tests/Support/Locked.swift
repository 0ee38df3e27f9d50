import Foundation

/// A value protected by a lock, for test doubles.
public final class Locked<Value: Sendable>: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var value: Value

  /// Creates a lock around a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Runs `body` while no other thread has access to the value.
  public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }

  /// A copy of the value as it is now.
  public var current: Value { withLock { $0 } }
}
