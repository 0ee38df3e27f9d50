import AppleCoreFoundation
public import Foundation

/// A keychain in memory: generic passwords by service, account and access group.
public final class Keychain: @unchecked Sendable {
  public static let shared = Keychain()

  /// What the device's owner has done since it started.
  public enum Lock: Sendable {
    case neverUnlocked, locked, unlocked
  }

  public struct Item: Sendable {
    public let service: String
    public let account: String
    public let accessGroup: String?
    public internal(set) var accessible: String
    public internal(set) var data: Data
  }

  private let mutex = NSLock()
  private var state: (lock: Lock, items: [Item], answers: [OSStatus], beforeAdd: (@Sendable () -> Void)?) =
    (.unlocked, [], [], nil)

  /// Empties the keychain and unlocks the device.
  public func reset() {
    mutex.withLock { state = (.unlocked, [], [], nil) }
  }

  public var lock: Lock {
    get { mutex.withLock { state.lock } }
    set { mutex.withLock { state.lock = newValue } }
  }

  public var items: [Item] { mutex.withLock { state.items } }

  /// What the next calls answer instead of doing anything.
  public func answer(_ statuses: OSStatus...) {
    mutex.withLock { state.answers += statuses }
  }

  /// Runs once before the next item is added: another process that is faster.
  public func beforeNextAdd(_ action: @escaping @Sendable () -> Void) {
    mutex.withLock { state.beforeAdd = action }
  }

  func copy(_ query: NSDictionary) -> (OSStatus, Data?) {
    mutex.withLock {
      if !state.answers.isEmpty { return (state.answers.removeFirst(), nil) }
      guard let index = index(of: query) else { return (errSecItemNotFound, nil) }
      guard isReadable(state.items[index]) else { return (errSecInteractionNotAllowed, nil) }
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
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      guard index(of: attributes) == nil else { return errSecDuplicateItem }
      guard attributes[kSecClass] as? String == kSecClassGenericPassword as String,
        let service = attributes[kSecAttrService] as? String, let account = attributes[kSecAttrAccount] as? String
      else { return errSecItemNotFound }
      let item = Item(
        service: service, account: account, accessGroup: attributes[kSecAttrAccessGroup] as? String,
        accessible: attributes[kSecAttrAccessible] as? String ?? "",
        data: attributes[kSecValueData] as? Data ?? Data())
      guard isReadable(item) else { return errSecInteractionNotAllowed }
      state.items.append(item)
      return errSecSuccess
    }
  }

  func update(_ query: NSDictionary, _ attributes: NSDictionary) -> OSStatus {
    mutex.withLock {
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      guard let index = index(of: query) else { return errSecItemNotFound }
      guard isReadable(state.items[index]) else { return errSecInteractionNotAllowed }
      if let data = attributes[kSecValueData] as? Data { state.items[index].data = data }
      if let accessible = attributes[kSecAttrAccessible] as? String { state.items[index].accessible = accessible }
      return errSecSuccess
    }
  }

  func delete(_ query: NSDictionary) -> OSStatus {
    mutex.withLock {
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      guard let index = index(of: query) else { return errSecItemNotFound }
      state.items.remove(at: index)
      return errSecSuccess
    }
  }

  private func index(of query: NSDictionary) -> Int? {
    state.items.firstIndex { item in
      item.service == query[kSecAttrService] as? String && item.account == query[kSecAttrAccount] as? String
        && item.accessGroup == query[kSecAttrAccessGroup] as? String
    }
  }

  /// https://developer.apple.com/documentation/security/restricting-keychain-item-accessibility
  private func isReadable(_ item: Item) -> Bool {
    switch state.lock {
    case .neverUnlocked: false
    case .locked: item.accessible != kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
    case .unlocked: true
    }
  }
}
