import Foundation

extension ByteStorage {
  /// Keeps the bytes under one key of a `UserDefaults` suite.
  ///
  /// Text under the key, which other code may have written, is taken as UTF-8; any other value counts as no bytes at all.
  /// The privacy manifest of this module names the reason for the app's own defaults (CA92.1). An app that hands in the
  /// suite of an app group names that reason (1C8F.1) in its own manifest.
  ///
  /// - Parameter suiteName: `nil` for the app's standard defaults.
  public static func userDefaults(suiteName: String? = nil, key: String) -> ByteStorage {
    // `UserDefaults` is not Sendable everywhere; its name is.
    ByteStorage {
      switch defaults(suiteName).object(forKey: key) {
      case nil: nil
      case let data as Data: Array(data)
      case let text as String: Array(text.utf8)
      default: []
      }
    } write: { bytes in
      defaults(suiteName).set(Data(bytes), forKey: key)
    }
  }

  private static func defaults(_ suiteName: String?) -> UserDefaults {
    suiteName.flatMap { UserDefaults(suiteName: $0) } ?? .standard
  }
}
