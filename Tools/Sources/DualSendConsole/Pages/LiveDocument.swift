import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import Foundation

/// The document that is live: where it stands, and what stood there last.
actor LiveDocument {
  private let input: DocumentInput
  private let console: Console
  /// What an address handed out or took last; `nil` before that, and for a file, which is read each time.
  private var held: [UInt8]?
  private var heldSignature: [UInt8]?

  /// What messages call it.
  nonisolated var name: String { input.name }

  /// The file that it is; `nil` for an address.
  nonisolated var path: String? { input.path }

  init(_ input: DocumentInput, on console: Console) {
    (self.input, self.console) = (input, console)
  }

  /// What is live now.
  ///
  /// - Throws: ``CommandError`` if it cannot be read.
  func bytes() async throws -> [UInt8] {
    if let path { return try InputFile.exactBytes(path) }
    if let held { return held }
    return try await refresh()
  }

  /// What is live now, asked for again where it is an address.
  @discardableResult
  func refresh() async throws -> [UInt8] {
    let bytes = try await input.bytes(on: console)
    held = bytes
    return bytes
  }

  /// The signature beside the file, or the one that was published last.
  var signature: [UInt8]? {
    guard let path else { return heldSignature }
    return try? InputFile.exactBytes(path + "." + RolloutSignature.fileExtension)
  }

  /// Notes what an address has taken.
  func hold(_ bytes: [UInt8], signature: [UInt8]?) {
    (held, heldSignature) = (bytes, signature)
  }
}
