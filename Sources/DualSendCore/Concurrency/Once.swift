/// A value that several threads need and one of them makes: the first that comes to it.
///
/// The value is made inside a lock, so that nobody makes it twice: making it must not ask for the same value.
public final class Once<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)

  /// Creates a value that is not made yet.
  public init() {}

  /// Makes the value, unless it is made or another thread is at it; never waits.
  public func prepare(_ make: () -> Value) {
    _ = value.withLockIfAvailable { Self.value(&$0, make) }
  }

  /// The value, made here if it is not yet; waits for a thread that is at it.
  public func callAsFunction(_ make: () -> Value) -> Value {
    value.withLock { Self.value(&$0, make) }
  }

  private static func value(_ value: inout Value?, _ make: () -> Value) -> Value {
    if let value { return value }
    let made = make()
    value = made
    return made
  }
}
