public import AppleCoreFoundation
public import Foundation

// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
@available(iOS 2, macOS 10.6, tvOS 9, watchOS 2, visionOS 1, *)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  let (status, data) = Keychain.shared.copy(query)
  if let data { result?.pointee = NSData(data: data) }
  return status
}

// https://developer.apple.com/documentation/security/secitemadd(_:_:)
@available(iOS 2, macOS 10.6, tvOS 9, watchOS 2, visionOS 1, *)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  Keychain.shared.add(attributes)
}

// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
@available(iOS 2, macOS 10.6, tvOS 9, watchOS 2, visionOS 1, *)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  Keychain.shared.update(query, attributesToUpdate)
}

// https://developer.apple.com/documentation/security/secitemdelete(_:)
@available(iOS 2, macOS 10.6, tvOS 9, watchOS 2, visionOS 1, *)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  Keychain.shared.delete(query)
}

// https://developer.apple.com/documentation/security/security-framework-result-codes
public var errSecSuccess: OSStatus { 0 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }

// https://developer.apple.com/documentation/security/item-class-keys-and-values
nonisolated(unsafe) public let kSecClass: CFString = "class"
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
// https://developer.apple.com/documentation/security/item-attribute-keys-and-values
nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
@available(iOS 4, macOS 10.9, tvOS 9, watchOS 2, visionOS 1, *)
nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
@available(iOS 4, macOS 10.9, tvOS 9, watchOS 2, visionOS 1, *)
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
// https://developer.apple.com/documentation/security/item-return-result-keys
nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
// https://developer.apple.com/documentation/security/search-attribute-keys-and-values
nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
