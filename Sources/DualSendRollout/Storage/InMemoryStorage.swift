@_spi(Tools) import DualSendCore

/// Keeps its bytes as long as it lives: for tests, and for apps that must leave nothing on the device.
public final class InMemoryStorage: StateStorage {
  private let bytes: Locked<[UInt8]?>

  /// Creates a storage with these bytes in it.
  public init(_ bytes: [UInt8]? = nil) {
    self.bytes = Locked(bytes)
  }

  /// The bytes written last.
  public func read() -> [UInt8]? {
    bytes.current
  }

  /// Replaces the bytes.
  public func write(_ new: [UInt8]) {
    bytes.withLock { $0 = new }
  }
}
