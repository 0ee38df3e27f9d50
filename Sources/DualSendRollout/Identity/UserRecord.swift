import DualSendCore

/// The record that a ``UserIdentity`` stores:
/// `{"formatVersion":1,"hasMigrated":true,"id":"u-42","isAnonymous":false,"revision":3}`.
struct UserRecord: Sendable {
  /// The result of reading stored bytes.
  enum Reading {
    case record(UserRecord)
    /// The format of a later version. It must not be replaced.
    case newerFormat
    case damaged
  }

  private static let formatVersion: Int64 = 1

  var user: UserIdentity.User?
  /// Whether the app's own identifier was read, or was superseded.
  var hasMigrated = false
  /// Counts the changes of all writers.
  var revision: Int64 = 0

  var bytes: [UInt8] {
    EventValue.object([
      "formatVersion": .int(Self.formatVersion), "hasMigrated": .bool(hasMigrated),
      "id": user.map { .string($0.id) } ?? .null, "isAnonymous": .bool(user?.isAnonymous ?? false),
      "revision": .int(revision),
    ]).canonicalJSON
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    guard case .object(let members)? = try? JSONReader(maximumDepth: 8).value(bytes),
      case .int(let version)? = members.value(exactly: "formatVersion")
    else { return .damaged }
    if version > formatVersion { return .newerFormat }
    guard version == formatVersion, case .bool(let hasMigrated)? = members.value(exactly: "hasMigrated"),
      case .bool(let isAnonymous)? = members.value(exactly: "isAnonymous"),
      case .int(let revision)? = members.value(exactly: "revision"), (0..<Int64.max / 2).contains(revision)
    else { return .damaged }
    var record = UserRecord(hasMigrated: hasMigrated, revision: revision)
    switch members.value(exactly: "id") {
    case .null?: break
    case .string(let id)? where !id.isEmpty: record.user = UserIdentity.User(id: id, isAnonymous: isAnonymous)
    default: return .damaged
    }
    return .record(record)
  }
}
