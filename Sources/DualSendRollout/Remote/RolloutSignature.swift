import Foundation

/// A public key that verifies signed rollout documents: Ed25519 (RFC 8032), 32 bytes.
///
/// `dualsend sign new` creates a key pair. The app contains the public key.
public struct RolloutPublicKey: Sendable, Hashable, CustomStringConvertible {
  /// The raw key.
  public let bytes: [UInt8]

  /// Creates a key; `nil` unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Creates a key from the 32 bytes of a valid key.
  public init(ed25519 bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses the base64 text that `dualsend sign new` prints; `nil` for other text.
  public init?(base64 text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self.init(bytes: Array(data))
  }

  /// The key in base64.
  public var description: String { Data(bytes).base64EncodedString() }
}

/// A detached signature: 64 bytes, in base64 in the header field ``headerField`` or in a file of its own.
public struct RolloutSignature: Sendable, Hashable, CustomStringConvertible {
  /// The header field of the document's response that contains the signature.
  public static let headerField = "X-Rollout-Signature"
  /// The extension that the signature's file adds to the document's name.
  public static let fileExtension = "sig"
  /// The size limit of a signature's text, including white space.
  public static let maximumTextBytes = 256

  /// The raw signature: 64 bytes.
  public let bytes: [UInt8]

  /// Creates a signature from its 64 bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses base64 with white space around it; `nil` for other text.
  public init?(base64 text: String) {
    guard let data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)), data.count == 64
    else { return nil }
    bytes = Array(data)
  }

  /// The signature in base64.
  public var description: String { Data(bytes).base64EncodedString() }
}

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// Verifies the signatures of rollout documents (Ed25519, RFC 8032).
///
/// Apple's systems have one: ``system``. Elsewhere, a server enables the package's trait `SwiftCrypto` and passes
/// `.ed25519` of the product `DualSendSignatures`. The verifier is a module of its own, so that an app that checks no
/// signatures does not build a cipher.
public struct RolloutSignatureVerifier: Sendable {
  private let isValid: @Sendable (RolloutSignature, [UInt8], RolloutPublicKey) -> Bool

  /// Creates a verifier from a function that tells whether a signature of these exact bytes is valid for a key.
  public init(_ isValid: @escaping @Sendable (RolloutSignature, [UInt8], RolloutPublicKey) -> Bool) {
    self.isValid = isValid
  }

  /// Whether the signature of these exact bytes is valid for this key.
  public func accepts(_ signature: RolloutSignature, of document: [UInt8], by key: RolloutPublicKey) -> Bool {
    isValid(signature, document, key)
  }

  /// The verifier over CryptoKit; `nil` on systems without it.
  public static var system: RolloutSignatureVerifier? {
    #if canImport(CryptoKit)
      RolloutSignatureVerifier { signature, document, key in
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(key.bytes)) else { return false }
        return key.isValidSignature(Data(signature.bytes), for: Data(document))
      }
    #else
      nil
    #endif
  }
}
