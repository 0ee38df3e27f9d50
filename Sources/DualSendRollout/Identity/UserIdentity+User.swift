import DualSendCore

extension UserIdentity {
  /// Who is signed in.
  public struct User: Sendable, Hashable {
    /// The identifier.
    public let id: String
    /// Whether it was made at a sign-out, and says nothing about anybody.
    public let isAnonymous: Bool

    /// Creates a value, to compare with.
    public init(id: String, isAnonymous: Bool) {
      self.id = id
      self.isAnonymous = isAnonymous
    }

    /// Whether both are the same; identifiers are if their UTF-8 bytes are.
    public static func == (left: User, right: User) -> Bool {
      left.isAnonymous == right.isAnonymous && left.id.isExactly(right.id)
    }
  }

  /// What went wrong. Never holds an identifier.
  public enum Problem: Sendable, Hashable {
    /// What was stored is damaged. It was set aside, and nobody is signed in.
    case damaged
    /// What was stored is damaged and could not be set aside, so it stays and nothing is stored; the system's own
    /// words.
    case notSetAside(String)
    /// The storage cannot be read now; the system's own words.
    case notReadable(String)
    /// What was set could not be stored. It holds for this process, and storing is tried again.
    case notStored(String)
    /// What the app kept elsewhere could not be had. It is asked for again.
    case notMigrated(String)
    /// Another one stored something since this one last did, and it was replaced by what was set here, which is later.
    case changedElsewhere
  }

  /// An identifier is empty or longer than 1,024 bytes.
  public struct InvalidIdentifier: Error, Sendable, Hashable, CustomStringConvertible {
    static let maximumBytes = 1_024

    /// One line, without the identifier.
    public var description: String { "an identifier has 1 to \(Self.maximumBytes) bytes" }
  }
}
