import DualSendCore

/// Stores a small number of bytes across launches: the last valid rollout, or the installation's ID.
///
/// Use ``file(_:maximumBytes:)``, ``userDefaults(suiteName:key:)`` or, on Apple platforms, the keychain. For another storage,
/// pass closures.
public struct ByteStorage: Sendable {
  private let readBytes: @Sendable () throws -> [UInt8]?
  private let writeBytes: @Sendable ([UInt8]) throws -> Void
  private let deleteBytes: (@Sendable () throws -> Void)?

  /// Creates a storage from closures.
  ///
  /// - Parameters:
  ///   - read: returns the bytes written last; `nil` if there are none. Must throw if there may be bytes that cannot be read
  ///     now, such as on a locked device, so that it is not taken for a first launch.
  ///   - write: replaces the bytes atomically: a reader, even after a crash, finds the old bytes or the new ones.
  ///   - delete: deletes the bytes, so that `read` returns `nil`. Deleting missing bytes is not an error. Without this
  ///     closure, ``delete()`` throws.
  public init(
    read: @escaping @Sendable () throws -> [UInt8]?, write: @escaping @Sendable ([UInt8]) throws -> Void,
    delete: (@Sendable () throws -> Void)? = nil
  ) {
    readBytes = read
    writeBytes = write
    deleteBytes = delete
  }

  /// Stores the bytes in memory, for tests and for apps that must not store data.
  public static func memory(_ bytes: [UInt8]? = nil) -> ByteStorage {
    let kept = Locked(bytes)
    return ByteStorage {
      kept.current
    } write: { new in
      kept.withLock { $0 = new }
    } delete: {
      kept.withLock { $0 = nil }
    }
  }

  /// Returns the bytes written last; `nil` if there are none.
  public func read() throws -> [UInt8]? {
    try readBytes()
  }

  /// Replaces the bytes.
  public func write(_ bytes: [UInt8]) throws {
    try writeBytes(bytes)
  }

  /// Deletes the bytes; ``read()`` then returns `nil`.
  ///
  /// - Throws: the storage's error, or ``DeletionUnsupported`` if it has no `delete` closure. The bytes then remain.
  public func delete() throws {
    guard let deleteBytes else { throw DeletionUnsupported() }
    try deleteBytes()
  }

  /// The storage has no `delete` closure.
  public struct DeletionUnsupported: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line.
    public var description: String { "the storage was made without a closure that deletes" }
  }
}
