import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#elseif SwiftCrypto
  import Crypto
#endif

/// A key that rollout documents are signed for: Ed25519 (RFC 8032), 32 bytes.
///
/// `dualsend keygen` makes a pair; the app holds this half.
public struct RolloutPublicKey: Sendable, Hashable, CustomStringConvertible {
  /// The key's own form.
  public let bytes: [UInt8]

  /// Takes a key; `nil` for anything but 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Takes the bytes of a key that the cryptography made.
  public init(ed25519 bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a key as `dualsend keygen` prints it, in base64; `nil` for other text.
  public init?(base64 text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self.init(bytes: Array(data))
  }

  /// The key in base64.
  public var description: String { Data(bytes).base64EncodedString() }

  /// Whether these exact bytes were signed with the other half of this key.
  ///
  /// Never, where the package is built without anything that could tell.
  public func accepts(_ signature: RolloutSignature, of document: [UInt8]) -> Bool {
    #if canImport(CryptoKit) || SwiftCrypto
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(bytes)) else { return false }
      return key.isValidSignature(Data(signature.bytes), for: Data(document))
    #else
      return false
    #endif
  }
}

/// A detached signature: 64 bytes, in base64 in the header field ``headerField`` or in a file of its own.
public struct RolloutSignature: Sendable, Hashable, CustomStringConvertible {
  /// The field of the document's own answer that carries the signature.
  public static let headerField = "X-Rollout-Signature"
  /// What the signature's file has behind the document's name.
  public static let fileExtension = "sig"
  /// No signature's text is longer, white space included.
  public static let maximumTextBytes = 256

  /// The signature's own form: 64 bytes.
  public let bytes: [UInt8]

  /// Takes the bytes of a signature that was made or read.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads base64 with white space around it; `nil` for other text.
  public init?(base64 text: String) {
    guard let data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)), data.count == 64
    else { return nil }
    bytes = Array(data)
  }

  /// The signature in base64.
  public var description: String { Data(bytes).base64EncodedString() }
}
