import struct Foundation.Data

extension URLSessionTransport {
  /// A certificate or a public key that a server must show, in addition to a certificate that the system trusts.
  ///
  /// ```sh
  /// openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
  /// ```
  ///
  /// Each connection must match one of a transport's pins. Also pin a backup key that is not in use yet: if the only
  /// pinned key is lost, shipped apps cannot reach the server any more.
  public struct Pin: Sendable, Hashable {
    private enum Subject: Sendable, Hashable {
      case certificate
      case publicKey
    }

    private let subject: Subject
    private let digest: [UInt8]

    /// Pins a public key, which stays the same when the certificate is renewed.
    ///
    /// - Parameter sha256: the hash of the key's SubjectPublicKeyInfo (RFC 7469, section 2.4), in base64 or as 64
    ///   hexadecimal digits. The initializer returns `nil` for other text.
    public init?(publicKeySHA256 sha256: String) {
      self.init(.publicKey, sha256)
    }

    /// Pins one certificate.
    ///
    /// - Parameter sha256: its fingerprint, in base64 or as 64 hexadecimal digits with or without colons. The
    ///   initializer returns `nil` for other text.
    public init?(certificateSHA256 sha256: String) {
      self.init(.certificate, sha256)
    }

    private init?(_ subject: Subject, _ text: String) {
      let digits = text.filter { $0 != ":" }
      guard let digest = Self.hexadecimal(digits) ?? Data(base64Encoded: text).map(Array.init), digest.count == 32
      else { return nil }
      self.subject = subject
      self.digest = digest
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
      guard text.utf8.count == 64 else { return nil }
      let digits = text.compactMap(\.hexDigitValue)
      guard digits.count == 64 else { return nil }
      var bytes: [UInt8] = []
      for place in stride(from: 0, to: 64, by: 2) { bytes.append(UInt8(digits[place] << 4 | digits[place + 1])) }
      return bytes
    }

    /// Whether a certificate matches the pin.
    ///
    /// - Parameters:
    ///   - certificate: in DER.
    ///   - sha256: computes a SHA-256 hash.
    public func accepts(_ certificate: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> Bool {
      switch subject {
      case .certificate: sha256(certificate) == digest
      case .publicKey: CertificateKey(of: certificate).map { sha256($0.bytes) == digest } ?? false
      }
    }
  }
}
