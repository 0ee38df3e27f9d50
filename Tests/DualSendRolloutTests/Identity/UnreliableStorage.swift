import DualSendCore
import DualSendRollout
import Foundation

/// Bytes in memory that cannot be read, or written, as long as that is said.
final class UnreliableStorage: Sendable {
  private struct Refusal: LocalizedError {
    let errorDescription: String?
  }

  let refusesReading = Locked(false)
  let refusesWriting = Locked(false)
  let inner: ByteStorage

  init(_ text: String? = nil) {
    inner = .memory(text.map { Array($0.utf8) })
  }

  var storage: ByteStorage {
    ByteStorage { [self] in
      if refusesReading.current { throw Refusal(errorDescription: "locked") }
      return try inner.read()
    } write: { [self] bytes in
      if refusesWriting.current { throw Refusal(errorDescription: "full") }
      try inner.write(bytes)
    }
  }

  var text: String? {
    get throws { try inner.read().map { String(decoding: $0, as: UTF8.self) } }
  }
}
