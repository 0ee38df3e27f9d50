import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import Foundation

/// The live document's text and signature, in a file or at an address.
actor LiveDocument {
  nonisolated let input: DocumentInput
  private let terminal: Terminal
  /// The last text fetched from or published to an address; `nil` at first, and for a file, which is read each time.
  private var held: [UInt8]?
  private var heldSignature: [UInt8]?

  /// The document's name in messages.
  nonisolated var name: String { input.name }

  /// The file's path; `nil` for an address.
  nonisolated var path: String? { input.path }

  init(_ input: DocumentInput, on terminal: Terminal) {
    (self.input, self.terminal) = (input, terminal)
  }

  /// The live text.
  ///
  /// - Parameter again: whether to fetch a document at an address again.
  /// - Throws: ``CommandError`` if it cannot be read.
  func bytes(again: Bool = false) async throws -> [UInt8] {
    if let path { return try InputFile.exactBytes(path) }
    if let held, !again { return held }
    let bytes = try await input.bytes(on: terminal)
    held = bytes
    return bytes
  }

  /// The signature beside the file, or the last published one.
  var signature: [UInt8]? {
    guard let path else { return heldSignature }
    return try? InputFile.exactBytes(path + "." + RolloutSignature.fileExtension)
  }

  /// Stores the text that was published to an address.
  func hold(_ bytes: [UInt8], signature: [UInt8]?) {
    (held, heldSignature) = (bytes, signature)
  }
}
