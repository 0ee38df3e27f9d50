import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import Foundation

/// The live document's text and signature, in a file or at an address.
actor LiveDocument {
  nonisolated let input: DocumentInput
  private let target: PublicationTarget
  private let terminal: Terminal
  /// The last text fetched from or published to an address; `nil` at first, and for a file, which is read each time.
  private var held: [UInt8]?
  private var heldSignature: [UInt8]?

  /// The document's name in messages.
  nonisolated var name: String { input.name }

  /// The file's path; `nil` for an address.
  nonisolated var path: String? { input.path }

  init(_ input: DocumentInput, _ target: PublicationTarget, on terminal: Terminal) {
    (self.input, self.target, self.terminal) = (input, target, terminal)
  }

  /// The live text.
  ///
  /// - Parameter again: whether to fetch a document at an address again.
  /// - Throws: ``CommandError`` if it cannot be read.
  func bytes(again: Bool = false) async throws -> [UInt8] {
    if let path { return try InputFile.exactBytes(path) }
    if let held, !again { return held }
    let live = try await target.read(on: terminal)
    guard let bytes = live.bytes else { throw CommandError("\(name) has no document", help: "check the address") }
    (held, heldSignature) = (bytes, live.signatureBytes)
    return bytes
  }

  /// The signature beside the file or the link's target, or the one that was read last.
  var signature: [UInt8]? {
    get throws { try path.map { try PublicationTarget.signature(beside: $0) } ?? heldSignature }
  }
}
