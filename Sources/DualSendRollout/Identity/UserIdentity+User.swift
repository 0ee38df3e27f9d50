import DualSendCore

extension UserIdentity {
  /// The signed-in user.
  public struct User: Sendable, Hashable {
    /// The identifier.
    public let id: String
    /// Whether the identifier was generated at a sign-out.
    public let isAnonymous: Bool

    /// Creates a value, for comparisons.
    public init(id: String, isAnonymous: Bool) {
      self.id = id
      self.isAnonymous = isAnonymous
    }

    /// Compares identifiers by their UTF-8 bytes.
    public static func == (left: User, right: User) -> Bool {
      left.isAnonymous == right.isAnonymous && left.id.isExactly(right.id)
    }
  }

  /// A problem with the storage. Never contains an identifier. Texts are the system's messages.
  public enum Problem: Sendable, Hashable {
    /// The stored record is damaged. It was set aside, and no user is signed in.
    case damaged
    /// The stored record is damaged and could not be set aside. It stays, and nothing is stored.
    case notSetAside(String)
    /// The storage cannot be read now.
    case notReadable(String)
    /// The identifier could not be stored. It is valid for this process, and storing is tried again.
    case notStored(String)
    /// The app's own identifier could not be read. Reading is tried again.
    case notMigrated(String)
    /// Another writer changed the storage. The newer identifier of this actor replaced that change.
    case changedElsewhere
  }

  /// An identifier is empty or longer than 1,024 bytes.
  public struct InvalidIdentifier: Error, Sendable, Hashable, CustomStringConvertible {
    static let maximumBytes = 1_024

    /// One line, without the identifier.
    public var description: String { "an identifier has 1 to \(Self.maximumBytes) bytes" }
  }
}
