import DualSendCore

/// A place for a few bytes that outlive the process: the last known good rollout, or the installation's ID.
///
/// Apps that keep such things elsewhere (a keychain, an encrypted container) pass two closures; everybody else uses
/// ``file(_:maximumBytes:)`` or ``userDefaults(suiteName:key:)``.
public struct ByteStorage: Sendable {
  private let readBytes: @Sendable () throws -> [UInt8]?
  private let writeBytes: @Sendable ([UInt8]) throws -> Void

  /// Creates a storage of the app's own.
  ///
  /// - Parameters:
  ///   - read: the bytes written last; `nil` if there never were any. Throws whatever keeps the bytes from being read now.
  ///     It must not throw where nothing was ever written: an error means that there may be bytes, so that nobody takes a
  ///     locked device for a first launch.
  ///   - write: replaces the bytes, all or nothing: whoever reads, even after a crash, finds the old ones or the new ones.
  public init(
    read: @escaping @Sendable () throws -> [UInt8]?, write: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    readBytes = read
    writeBytes = write
  }

  /// Keeps the bytes as long as the value and its copies live: for tests, and for apps that must leave nothing behind.
  public static func memory(_ bytes: [UInt8]? = nil) -> ByteStorage {
    let kept = Locked(bytes)
    return ByteStorage {
      kept.current
    } write: { new in
      kept.withLock { $0 = new }
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
}
