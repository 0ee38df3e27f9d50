public import Foundation

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
    let text = String(decoding: bytes, as: UTF8.self)
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
    return isPlain && text.utf8.elementsEqual(bytes) ? text : nil
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
