import DualSendCore

/// A place for a few bytes that outlive the process: the last known good rollout, or the installation's ID.
///
/// Use ``file(_:maximumBytes:)`` or ``userDefaults(suiteName:key:)``, on Apple platforms also the keychain; an app that keeps
/// such things elsewhere passes closures.
public struct ByteStorage: Sendable {
  private let readBytes: @Sendable () throws -> [UInt8]?
  private let writeBytes: @Sendable ([UInt8]) throws -> Void
  private let deleteBytes: (@Sendable () throws -> Void)?

  /// Creates a storage of the app's own.
  ///
  /// - Parameters:
  ///   - read: the bytes written last; `nil` if there never were any. Throws whatever keeps the bytes from being read now.
  ///     It must not throw where nothing was ever written: an error means that there may be bytes, so that nobody takes a
  ///     locked device for a first launch.
  ///   - write: replaces the bytes, all or nothing: a reader, even after a crash, finds the old ones or the new ones.
  ///   - delete: deletes the bytes, so that `read` returns `nil`. Deleting what is not there is no error. Without it
  ///     ``delete()`` throws.
  public init(
    read: @escaping @Sendable () throws -> [UInt8]?, write: @escaping @Sendable ([UInt8]) throws -> Void,
    delete: (@Sendable () throws -> Void)? = nil
  ) {
    readBytes = read
    writeBytes = write
    deleteBytes = delete
  }

  /// Keeps the bytes as long as the value and its copies live: for tests, and for apps that must leave nothing behind.
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

  /// The bytes written last; `nil` if there never were any.
  public func read() throws -> [UInt8]? {
    try readBytes()
  }

  /// Replaces the bytes.
  public func write(_ bytes: [UInt8]) throws {
    try writeBytes(bytes)
  }

  /// Deletes the bytes; ``read()`` then returns `nil`.
  ///
  /// - Throws: the storage's own error, and then the bytes are still there; ``DeletionUnsupported`` if it was made without a
  ///   closure for this.
  public func delete() throws {
    guard let deleteBytes else { throw DeletionUnsupported() }
    try deleteBytes()
  }

  /// The app's own storage was made without `delete`.
  public struct DeletionUnsupported: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line.
    public var description: String { "the storage was made without a closure that deletes" }
  }
}
