#if canImport(Security)
  public import Foundation
  import Security

  extension ByteStorage {
    /// Why the keychain did not give or take an item.
    public struct KeychainError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
      /// What was tried.
      public enum Operation: String, Sendable, Hashable {
        case read, write, delete
      }

      /// What was tried.
      public let operation: Operation
      /// The keychain's answer, an `OSStatus`.
      public let status: Int32

      /// Creates an error.
      public init(operation: Operation, status: Int32) {
        self.operation = operation
        self.status = status
      }

      /// What was tried, the status, and the system's words for it.
      public var description: String {
        let words = SecCopyErrorMessageString(status, nil) as String? ?? "no message"
        return "keychain \(operation.rawValue): \(words) (OSStatus \(status))"
      }

      /// The same, for code that reports errors by their localized description.
      public var errorDescription: String? { description }
    }
  }
#endif
