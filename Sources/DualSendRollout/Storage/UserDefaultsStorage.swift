import Foundation

/// Keeps its bytes under one key of a `UserDefaults` suite.
///
/// The privacy manifest of this module names the reason for the app's own defaults (CA92.1). An app that hands in the
/// suite of an app group names that reason (1C8F.1) in its own manifest.
public struct UserDefaultsStorage: StateStorage {
  // `UserDefaults` is not Sendable everywhere; its name is.
  private let suiteName: String?
  private let key: String

  /// Names the suite and the key.
  ///
  /// - Parameter suiteName: `nil` for the app's standard defaults.
  public init(suiteName: String? = nil, key: String) {
    self.suiteName = suiteName
    self.key = key
  }

  private var defaults: UserDefaults {
    suiteName.flatMap { UserDefaults(suiteName: $0) } ?? .standard
  }

  /// The bytes under the key; `nil` if there is no such key.
  ///
  /// Text, which other code may have written, is taken as UTF-8; any other value counts as no bytes at all.
  public func read() -> [UInt8]? {
    switch defaults.object(forKey: key) {
    case nil: nil
    case let data as Data: Array(data)
    case let text as String: Array(text.utf8)
    default: []
    }
  }

  /// Replaces the value of the key.
  public func write(_ bytes: [UInt8]) {
    defaults.set(Data(bytes), forKey: key)
  }
}
