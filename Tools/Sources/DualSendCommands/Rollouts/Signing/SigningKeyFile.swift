import DualSendCommandLine
package import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// A file with the secret key for signing documents.
package struct SigningKeyFile: Sendable {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// - Throws: ``CommandError`` if the file cannot be read, holds no key, or is readable by every user.
  package func signature(of document: [UInt8]) throws -> RolloutSignature {
    try checkSecrecy()
    guard let key = RolloutSigningKey(base64: String(decoding: try InputFile.bytes(path), as: UTF8.self)) else {
      throw CommandError("\(path) holds no secret key", help: "make one with `dualsend keygen`")
    }
    return try key.signature(of: document)
  }

  /// Refuses a key that every user of the machine may read.
  private func checkSecrecy() throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let permissions = attributes?[.posixPermissions] as? NSNumber, permissions.intValue & 0o004 != 0,
      attributes?[.type] as? FileAttributeType == .typeRegular
    else { return }
    throw CommandError(
      "every user of this machine may read the secret key \(path)",
      help: "restrict access with `chmod 600`; if others may have read it, generate a new one with `dualsend keygen`")
  }
}

extension RolloutSignature {
  /// The contents of the signature's file.
  package var fileBytes: [UInt8] { Array((description + "\n").utf8) }
}
