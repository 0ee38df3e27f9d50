import DualSendCore

/// A document that an earlier run proved and compiled. Deciding does not need it, so it is read on first demand.
final class StoredDocument: Sendable {
  private let bytes: [UInt8]
  private let read = Locked<RolloutDocument?>(nil)

  /// - Parameter bytes: the JSON text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The document; `nil` only if these are bytes that no run can have proved.
  ///
  /// Read outside the lock, so two threads that ask at the same time may both read it; nobody waits for the other.
  var document: RolloutDocument? {
    if let document = read.current { return document }
    let document = try? RolloutDocument(proved: bytes)
    read.withLock { $0 = document }
    return document
  }
}
