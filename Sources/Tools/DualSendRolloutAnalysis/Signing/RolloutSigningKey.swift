package import DualSendRollout
package import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The private key of a ``RolloutPublicKey``, for `dualsend sign`. Never part of an app.
package struct RolloutSigningKey: Sendable {
  private let seed: [UInt8]
  package let publicKey: RolloutPublicKey

  /// Creates a key pair with the system's random generator.
  package init() {
    self.init(Curve25519.Signing.PrivateKey())
  }

  /// Parses ``base64`` with white space around it; `nil` for other text.
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

  /// The secret key, for a file that is readable by its owner only. Not called `description`, so that it is never logged.
  package var base64: String { Data(seed).base64EncodedString() }

  /// Signs these exact bytes.
  ///
  /// - Throws: an error of the cryptography library, not expected for a valid key.
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

extension RolloutSignatureVerifier {
  /// The command's verifier. An app's is `.ed25519` of DualSendSignatures, which needs a trait outside of Apple's systems.
  package static let ofTools = RolloutSignatureVerifier { signature, document, key in
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(key.bytes)) else { return false }
    return key.isValidSignature(Data(signature.bytes), for: Data(document))
  }
}

// MARK: - Document hash

/// The SHA-256 hash of a document's bytes, as `shasum -a 256` prints it.
package enum DocumentHash {
  package static func text(of bytes: [UInt8]) -> String { text(of: SHA256.hash(data: Data(bytes))) }

  /// Of all that a handle has, read in parts.
  ///
  /// - Throws: what reading throws.
  package static func text(reading handle: FileHandle) throws -> String {
    var hash = SHA256()
    while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty { hash.update(data: part) }
    return text(of: hash.finalize())
  }

  private static func text(of digest: SHA256Digest) -> String {
    digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
