import DualSendCore

/// A document that an earlier launch proved and compiled. Decisions do not need it, so it is parsed on demand.
final class StoredDocument: Sendable {
  private let bytes: [UInt8]
  private let read = Locked<RolloutDocument?>(nil)

  /// - Parameter bytes: the JSON text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The document; `nil` only if the bytes are not a valid document.
  ///
  /// Parses outside the lock: two threads may both parse it, but neither waits.
  var document: RolloutDocument? {
    if let document = read.current { return document }
    let document = try? RolloutDocument(proved: bytes)
    read.withLock { $0 = document }
    return document
  }
}
