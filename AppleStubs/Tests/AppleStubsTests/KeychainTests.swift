import DualSendRollout
import Foundation
import Security
import Testing

@Suite("Bytes in the keychain", .serialized)
struct KeychainTests {
  private let keychain = Keychain.shared
  private let storage = ByteStorage.keychain(service: "test.shop", account: "user-id")

  init() { keychain.reset() }

  @Test("are none before the first write, and no error")
  func notFound() throws {
    #expect(try storage.read() == nil)
  }

  @Test("are read as they were written, and replaced by the next write")
  func replaced() throws {
    try storage.write([1, 2])
    try storage.write([3])
    #expect(try storage.read() == [3])
    #expect(keychain.items.count == 1)
    #expect(keychain.items.first?.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
  }

  @Test("belong to their service, account and group")
  func separate() throws {
    try storage.write([1])
    let shared = ByteStorage.keychain(service: "test.shop", account: "user-id", accessGroup: "group.test")
    #expect(try ByteStorage.keychain(service: "test.shop", account: "other").read() == nil)
    #expect(try shared.read() == nil)
    try shared.write([2])
    #expect(try storage.read() == [1])
    #expect(keychain.items.map(\.accessGroup) == [nil, "group.test"])
  }

  @Test(
    "get the accessibility that the app asks for, with every write",
    arguments: [
      (ByteStorage.KeychainAccess.whenUnlockedThisDeviceOnly, "aku"), (.afterFirstUnlock, "ck"),
      (.afterFirstUnlockThisDeviceOnly, "cku"),
    ])
  func accessibility(access: ByteStorage.KeychainAccess, attribute: String) throws {
    try storage.write([1])
    try ByteStorage.keychain(service: "test.shop", account: "user-id", access: access).write([2])
    #expect(keychain.items.map(\.accessible) == [attribute])
  }

  @Test("cannot be read before the first unlock: an error, not an absence")
  func beforeFirstUnlock() throws {
    try storage.write([1])
    keychain.lock = .neverUnlocked
    let error = #expect(throws: ByteStorage.KeychainError.self) { try storage.read() }
    #expect(error == ByteStorage.KeychainError(operation: .read, status: errSecInteractionNotAllowed))
    #expect(error?.description == "keychain read: User interaction is not allowed. (OSStatus -25308)")
    #expect(throws: ByteStorage.KeychainError(operation: .write, status: -25308)) { try storage.write([2]) }
    keychain.lock = .unlocked
    #expect(try storage.read() == [1])
  }

  @Test("for the background are read while the device is locked again, and others are not")
  func locked() throws {
    let foreground = ByteStorage.keychain(service: "test.shop", account: "a", access: .whenUnlockedThisDeviceOnly)
    try storage.write([1])
    try foreground.write([2])
    keychain.lock = .locked
    #expect(try storage.read() == [1])
    #expect(throws: ByteStorage.KeychainError(operation: .read, status: -25308)) { try foreground.read() }
  }

  @Test("are written over an item that another process added meanwhile")
  func duplicate() throws {
    keychain.beforeNextAdd { try? ByteStorage.keychain(service: "test.shop", account: "user-id").write([9]) }
    try storage.write([1])
    #expect(try storage.read() == [1])
    #expect(keychain.items.count == 1)
  }

  @Test("that the system has no words about are reported with the status")
  func missingEntitlement() {
    keychain.answer(errSecMissingEntitlement)
    let error = #expect(throws: ByteStorage.KeychainError.self) { try storage.read() }
    #expect(error?.errorDescription == "keychain read: no message (OSStatus -34018)")
  }

  @Test("hold an installation's ID: none is made up before the first unlock, and the old one is found after it")
  func installationID() async throws {
    let first = InstallationID(storage: storage)
    let id = try #require(await first.value())

    keychain.lock = .neverUnlocked
    let relaunched = InstallationID(storage: storage)
    #expect(await relaunched.value() == nil)
    keychain.lock = .locked
    #expect(await relaunched.value() == id)
  }
}
