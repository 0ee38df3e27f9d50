import DualSendCore
public import Foundation

/// Stores a small number of bytes across launches: the last valid rollout, or the installation's ID.
///
/// Use ``file(_:maximumBytes:)`` or ``userDefaults(suiteName:key:)``. For another storage, such as the keychain, pass
/// closures.
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
  public struct DeletionUnsupported: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// One line.
    public var description: String { "the storage was made without a closure that deletes" }

    /// The same, for code that reports errors by their localized description.
    public var errorDescription: String? { description }
  }
}

// MARK: - Files

extension ByteStorage {
  /// Stores the bytes in a file that is readable by its owner only and replaced atomically. On a full disk, the old file is
  /// overwritten instead.
  ///
  /// The first write creates the file and its folder. On Apple platforms the file is left out of backups, and except on
  /// macOS it can be read and written from the first unlock of the device, also while it is locked.
  ///
  /// - Parameters:
  ///   - file: a file of the app's own, in a folder that the system does not empty (not the caches folder).
  ///   - maximumBytes: the size limit. Reading a longer file throws.
  public static func file(_ file: URL, maximumBytes: Int = 16 << 20) -> ByteStorage {
    ByteStorage {
      try read(file, maximumBytes: maximumBytes)
    } write: { bytes in
      try PrivateFile.replace(file, with: bytes)
      #if canImport(Darwin)
        // A device that is restored from another one's backup would have its installation ID.
        var url = file
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
      #endif
    } delete: {
      do { try FileManager.default.removeItem(at: file) } catch {
        if FileManager.default.fileExists(atPath: file.path) { throw error }
      }
    }
  }

  private static func read(_ file: URL, maximumBytes: Int) throws -> [UInt8]? {
    let handle: FileHandle
    do { handle = try FileHandle(forReadingFrom: file) } catch {
      if FileManager.default.fileExists(atPath: file.path) { throw error }
      return nil
    }
    defer { try? handle.close() }
    let bytes = try handle.read(upToCount: maximumBytes + 1) ?? Data()
    guard bytes.count <= maximumBytes else { throw CocoaError(.fileReadTooLarge) }
    return Array(bytes)
  }
}

// MARK: - User defaults

extension ByteStorage {
  /// Stores the bytes under a key of a `UserDefaults` suite.
  ///
  /// Text is stored as a `String`, which other code of the app can read with `string(forKey:)`; other bytes as `Data`.
  /// Reading accepts both. Any other value counts as empty bytes.
  ///
  /// Reading, writing and deleting throw ``SuiteUnavailable`` if the system does not open the suite. They never fall back to
  /// the standard defaults.
  ///
  /// The privacy manifest of this module declares the reason for the app's own defaults (CA92.1). An app that uses the suite
  /// of an app group declares that reason (1C8F.1) in its own manifest.
  ///
  /// - Parameter suiteName: `nil` for the app's standard defaults.
  public static func userDefaults(suiteName: String? = nil, key: String) -> ByteStorage {
    // `UserDefaults` is not Sendable everywhere; its name is.
    userDefaults(suiteName: suiteName, key: key) { UserDefaults(suiteName: $0) }
  }

  /// - Parameter open: opens a suite.
  static func userDefaults(
    suiteName: String?, key: String, open: @escaping @Sendable (String) -> UserDefaults?
  ) -> ByteStorage {
    let defaults: @Sendable () throws -> UserDefaults = {
      guard let suiteName else { return .standard }
      guard let suite = open(suiteName) else { throw SuiteUnavailable(suiteName: suiteName) }
      return suite
    }
    return ByteStorage {
      switch try defaults().object(forKey: key) {
      case nil: nil
      case let data as Data: Array(data)
      case let text as String: Array(text.utf8)
      default: []
      }
    } write: { bytes in
      try defaults().set(text(bytes) ?? Data(bytes) as Any, forKey: key)
    } delete: {
      try defaults().removeObject(forKey: key)
    }
  }

  /// Decodes the bytes as text; `nil` if they are not UTF-8 or contain control characters that property lists cannot hold.
  private static func text(_ bytes: [UInt8]) -> String? {
    guard let text = String(utf8: bytes) else { return nil }
    return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" } ? text : nil
  }

  /// The system does not open the suite: its name is the app's own identifier, or not an app group of the app.
  public struct SuiteUnavailable: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The suite's name.
    public let suiteName: String

    /// One line.
    public var description: String { "the user defaults suite \(suiteName) cannot be opened" }

    /// The same, for code that reports errors by their localized description.
    public var errorDescription: String? { description }
  }
}
