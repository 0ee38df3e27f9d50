import Foundation

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
