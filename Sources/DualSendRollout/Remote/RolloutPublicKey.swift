import Foundation

/// A public key that verifies signed rollout documents: Ed25519 (RFC 8032), 32 bytes.
///
/// `dualsend keygen` creates a key pair. The app contains the public key.
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

  /// Parses the base64 text that `dualsend keygen` prints; `nil` for other text.
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
