#if canImport(Security)
  public import Foundation
  import Security

  extension ByteStorage {
    /// When a keychain item can be read.
    public enum KeychainAccess: Sendable, Hashable {
      /// After the first unlock since a restart, only on this device: for apps that run in the background.
      case afterFirstUnlockThisDeviceOnly
      /// While the device is unlocked, only on this device.
      case whenUnlockedThisDeviceOnly
      /// After the first unlock. Encrypted backups transfer the item to another device.
      case afterFirstUnlock

      fileprivate var attribute: CFString {
        switch self {
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        }
      }
    }

    /// Stores the bytes in a generic password item of the data protection keychain. The item survives the app's deletion.
    ///
    /// Reading, writing and deleting throw a ``KeychainError``; while the device is locked its status is `-25308`
    /// (`errSecInteractionNotAllowed`). On macOS the app needs an entitlement for the keychain, else it is `-34018`.
    ///
    /// - Parameters:
    ///   - service: the item's service, such as the app's bundle identifier.
    ///   - account: the item's account, such as `user-id`.
    ///   - accessGroup: the group of apps that share the item; `nil` for this app only.
    ///   - access: when the item can be read. Each write sets it again.
    public static func keychain(
      service: String, account: String, accessGroup: String? = nil,
      access: KeychainAccess = .afterFirstUnlockThisDeviceOnly
    ) -> ByteStorage {
      let item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
      return ByteStorage {
        try item.read()
      } write: { bytes in
        try item.write(bytes, access: access.attribute)
      } delete: {
        try item.delete()
      }
    }
  }

  /// One generic password item.
  private struct KeychainItem: Sendable {
    let service: String
    let account: String
    let accessGroup: String?

    private var query: [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    func read() throws -> [UInt8]? {
      var query = query
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = result as? Data else {
        throw ByteStorage.KeychainError(operation: .read, status: status)
      }
      return Array(data)
    }

    func write(_ bytes: [UInt8], access: CFString) throws {
      let values: [String: Any] = [kSecValueData as String: Data(bytes), kSecAttrAccessible as String: access]
      var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(query.merging(values) { _, new in new } as CFDictionary, nil)
        // Another process was first.
        if status == errSecDuplicateItem { status = SecItemUpdate(query as CFDictionary, values as CFDictionary) }
      }
      guard status == errSecSuccess else { throw ByteStorage.KeychainError(operation: .write, status: status) }
    }

    func delete() throws {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw ByteStorage.KeychainError(operation: .delete, status: status)
      }
    }
  }

  extension ByteStorage {
    /// An error of the keychain.
    public struct KeychainError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
      /// A keychain operation.
      public enum Operation: String, Sendable, Hashable {
        case read, write, delete
      }

      /// The operation that failed.
      public let operation: Operation
      /// The result code, an `OSStatus`.
      public let status: Int32

      /// Creates an error.
      public init(operation: Operation, status: Int32) {
        self.operation = operation
        self.status = status
      }

      /// The operation, the system's message and the status.
      public var description: String {
        let words = SecCopyErrorMessageString(status, nil) as String? ?? "no message"
        return "keychain \(operation.rawValue): \(words) (OSStatus \(status))"
      }

      /// The same, for code that reports errors by their localized description.
      public var errorDescription: String? { description }
    }
  }
#endif
