package import DualSendRollout
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The secret half of a ``RolloutPublicKey``, for `dualsend sign`. An app never holds one.
package struct RolloutSigningKey: Sendable {
  private let seed: [UInt8]
  /// The other half.
  package let publicKey: RolloutPublicKey

  /// Makes a pair with the system's generator.
  package init() {
    self.init(Curve25519.Signing.PrivateKey())
  }

  /// Reads a key as ``base64`` gives it, with white space around it; `nil` for other text.
  package init?(base64 text: String) {
    guard let data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: data)
    else { return nil }
    self.init(key)
  }

  private init(_ key: Curve25519.Signing.PrivateKey) {
    seed = Array(key.rawRepresentation)
    publicKey = RolloutPublicKey(key.publicKey)
  }

  /// The secret, to be kept in a file that nobody else reads. Deliberately not called `description`.
  package var base64: String { Data(seed).base64EncodedString() }

  /// Signs these exact bytes.
  ///
  /// - Throws: what the cryptography says; a key that could be read can sign.
  package func signature(of document: [UInt8]) throws -> RolloutSignature {
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(seed))
    return RolloutSignature(bytes: Array(try key.signature(for: Data(document))))
  }
}

extension RolloutPublicKey {
  fileprivate init(_ key: Curve25519.Signing.PublicKey) {
    self.init(ed25519: Array(key.rawRepresentation))
  }
}
