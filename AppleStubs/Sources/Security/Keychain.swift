import AppleCoreFoundation
public import Foundation

/// A keychain in memory: generic passwords by service and account, readable after the first unlock.
public final class Keychain: @unchecked Sendable {
  public static let shared = Keychain()

  public struct Item: Sendable {
    public let service: String
    public let account: String
    public internal(set) var accessible: String
    public internal(set) var data: Data
  }

  private let mutex = NSLock()
  private var state: (isUnlocked: Bool, items: [Item], beforeAdd: (@Sendable () -> Void)?) = (true, [], nil)

  /// Empties the keychain and unlocks the device.
  public func reset() {
    mutex.withLock { state = (true, [], nil) }
  }

  /// Whether the device was unlocked since it started.
  public var isUnlocked: Bool {
    get { mutex.withLock { state.isUnlocked } }
    set { mutex.withLock { state.isUnlocked = newValue } }
  }

  public var items: [Item] { mutex.withLock { state.items } }

  /// Runs once before the next item is added: another process that is faster.
  public func beforeNextAdd(_ action: @escaping @Sendable () -> Void) {
    mutex.withLock { state.beforeAdd = action }
  }

  func copy(_ query: NSDictionary) -> (OSStatus, Data?) {
    mutex.withLock {
      guard let index = index(of: query) else { return (errSecItemNotFound, nil) }
      guard state.isUnlocked else { return (errSecInteractionNotAllowed, nil) }
      guard query[kSecReturnData] as? Bool == true else { return (errSecSuccess, nil) }
      return (errSecSuccess, state.items[index].data)
    }
  }

  func add(_ attributes: NSDictionary) -> OSStatus {
    mutex.withLock {
      defer { state.beforeAdd = nil }
      return state.beforeAdd
    }?()
    return mutex.withLock {
      guard index(of: attributes) == nil else { return errSecDuplicateItem }
      guard attributes[kSecClass] as? String == kSecClassGenericPassword as String,
        let service = attributes[kSecAttrService] as? String, let account = attributes[kSecAttrAccount] as? String
      else { return errSecItemNotFound }
      guard state.isUnlocked else { return errSecInteractionNotAllowed }
      state.items.append(
        Item(
          service: service, account: account, accessible: attributes[kSecAttrAccessible] as? String ?? "",
          data: attributes[kSecValueData] as? Data ?? Data()))
      return errSecSuccess
    }
  }

  func update(_ query: NSDictionary, _ attributes: NSDictionary) -> OSStatus {
    mutex.withLock {
      guard let index = index(of: query) else { return errSecItemNotFound }
      guard state.isUnlocked else { return errSecInteractionNotAllowed }
      if let data = attributes[kSecValueData] as? Data { state.items[index].data = data }
      if let accessible = attributes[kSecAttrAccessible] as? String { state.items[index].accessible = accessible }
      return errSecSuccess
    }
  }

  func delete(_ query: NSDictionary) -> OSStatus {
    mutex.withLock {
      guard let index = index(of: query) else { return errSecItemNotFound }
      state.items.remove(at: index)
      return errSecSuccess
    }
  }

  private func index(of query: NSDictionary) -> Int? {
    state.items.firstIndex { item in
      item.service == query[kSecAttrService] as? String && item.account == query[kSecAttrAccount] as? String
    }
  }
}
