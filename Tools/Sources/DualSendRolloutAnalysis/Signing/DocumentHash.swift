import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The SHA-256 hash of a document's bytes, as `shasum -a 256` prints it.
package enum DocumentHash {
  package static func text(of bytes: [UInt8]) -> String {
    SHA256.hash(data: Data(bytes)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
