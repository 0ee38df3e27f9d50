import DualSendCommandLine
package import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// A file with the secret key that documents are signed with.
package struct SigningKeyFile: Sendable {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Signs these exact bytes.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read, holds no key, or is no secret.
  package func signature(of document: [UInt8]) throws -> RolloutSignature {
    try checkSecrecy()
    guard let key = RolloutSigningKey(base64: String(decoding: try InputFile.bytes(path), as: UTF8.self)) else {
      throw CommandError("\(path) holds no secret key", help: "make one with `dualsend keygen`")
    }
    return try key.signature(of: document)
  }

  /// A key that every user of the machine may read is no secret.
  private func checkSecrecy() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let permissions = attributes?[.posixPermissions] as? NSNumber, permissions.intValue & 0o004 != 0,
      attributes?[.type] as? FileAttributeType == .typeRegular
    else { return }
    throw CommandError(
      "everybody on this machine may read the secret key \(path)",
      help: "keep it to yourself with `chmod 600`; if others may have read it, make a new one with `dualsend keygen`")
  }
}

extension RolloutSignature {
  /// The signature as a file beside the document holds it.
  package var fileBytes: [UInt8] { Array((description + "\n").utf8) }
}
