import AppleCoreFoundation
import DualSendRollout
import Foundation
import Security
import Testing

// Identity: the keychain
struct KeychainError: Error, Equatable {
  let status: OSStatus
}

extension ByteStorage {
  /// A generic password item, readable after the first unlock, only on this device.
  static func keychain(service: String, account: String) -> ByteStorage {
    @Sendable func query(_ more: [String: Any] = [:]) -> CFDictionary {
      let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
      ]
      return item.merging(more) { _, new in new } as CFDictionary
    }
    return ByteStorage {
      var result: CFTypeRef?
      let status = SecItemCopyMatching(
        query([kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne]), &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = result as? Data else { throw KeychainError(status: status) }
      return Array(data)
    } write: { bytes in
      let values: [String: Any] = [
        kSecValueData as String: Data(bytes),
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query(), values as CFDictionary)
      if status == errSecItemNotFound { status = SecItemAdd(query(values), nil) }
      // Another process added it first.
      if status == errSecDuplicateItem { status = SecItemUpdate(query(), values as CFDictionary) }
      guard status == errSecSuccess else { throw KeychainError(status: status) }
    } delete: {
      let status = SecItemDelete(query())
      guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status: status) }
    }
  }
}
// Identity: the end

@Suite("The article's storage in the keychain", .serialized, .timeLimit(.minutes(5)))
struct KeychainTests {
  private let keychain = Keychain.shared
  private let storage = ByteStorage.keychain(service: "test.shop", account: "user-id")

  init() { keychain.reset() }

  @Test("is empty before the first write, and after a deletion")
  func notFound() throws {
    #expect(try storage.read() == nil)
    try storage.write([1])
    try storage.delete()
    try storage.delete()
    #expect(try storage.read() == nil)
  }

  @Test("is read as it was written, and replaced by the next write")
  func replaced() throws {
    try storage.write([1, 2])
    try storage.write([3])
    #expect(try storage.read() == [3])
    #expect(keychain.items.count == 1)
    #expect(keychain.items.first?.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
    #expect(try ByteStorage.keychain(service: "test.shop", account: "other").read() == nil)
  }

  @Test("cannot be read before the first unlock: an error, not an absence")
  func beforeFirstUnlock() throws {
    try storage.write([1])
    keychain.isUnlocked = false
    #expect(throws: KeychainError(status: errSecInteractionNotAllowed)) { try storage.read() }
    #expect(throws: KeychainError(status: errSecInteractionNotAllowed)) { try storage.write([2]) }
    keychain.isUnlocked = true
    #expect(try storage.read() == [1])
  }

  @Test("is written over an item that another process added meanwhile")
  func duplicate() throws {
    keychain.beforeNextAdd { try? ByteStorage.keychain(service: "test.shop", account: "user-id").write([9]) }
    try storage.write([1])
    #expect(try storage.read() == [1])
    #expect(keychain.items.count == 1)
  }

  @Test("holds an installation's ID: none is made up before the first unlock, and the old one is found after it")
  func installationID() throws {
    let id = try #require(StoredID.installation(storage).current)

    keychain.isUnlocked = false
    let relaunched = StoredID.installation(storage)
    #expect(relaunched.current == nil)
    keychain.isUnlocked = true
    #expect(relaunched.value() == id)
  }
}
