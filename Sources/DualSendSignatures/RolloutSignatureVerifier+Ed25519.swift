public import DualSendRollout

#if !canImport(CryptoKit) && SwiftCrypto
  import Crypto
  import Foundation
#endif

extension RolloutSignatureVerifier {
  #if canImport(CryptoKit)
    /// The system's verifier.
    public static var ed25519: RolloutSignatureVerifier? { .system }
  #elseif SwiftCrypto
    /// The verifier over swift-crypto.
    public static var ed25519: RolloutSignatureVerifier? {
      RolloutSignatureVerifier { signature, document, key in
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(key.bytes)) else { return false }
        return key.isValidSignature(Data(signature.bytes), for: Data(document))
      }
    }
  #else
    /// Needs the trait `SwiftCrypto`.
    @available(*, unavailable, message: "enable the trait SwiftCrypto of DualSend to check signatures on this system")
    public static var ed25519: RolloutSignatureVerifier? { nil }
  #endif
}
