import DualSendCore

/// The state that a fetcher stores for the next launch: the document, its entity tag, and how far it was checked.
///
/// The format is a line of JSON, then the document's own bytes, then the compiled rollout. The document needs no escapes that
/// way, and the next launch need not parse it. The record does not depend on the app's version or location.
struct RolloutRecord: Sendable, Equatable {
  /// Why bytes are not a record.
  struct Damage: Error {
    let reason: String
  }

  private static let formatVersion: Int64 = 2

  /// The last good document; `nil` if there was none, or if booleans decide.
  var text: VerifiedRollout.Text?
  /// Whether the document was proved by the checks that this version makes. An earlier version's proof does not count.
  var isProved = false
  /// The document's ``CompiledRollout/encoded`` form; `nil` if it is missing, damaged or of another version.
  ///
  /// If it is missing, the next launch compiles the document again (a few milliseconds). Decisions are unaffected, so this is
  /// not ``Damage``.
  var compiled: [UInt8]?
  /// The last two booleans of another delivery channel.
  var booleans: SinkDecision.Outcome?
  /// The trusted time when the record was written, in milliseconds since 1970-01-01T00:00:00Z.
  var trustedTime: Int64?
  /// The end of the server's `Retry-After`, by the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  var retryAt: Int64?
}

extension RolloutRecord {
  /// The record's text.
  var bytes: [UInt8] {
    var members: [String: EventValue] = ["formatVersion": .int(Self.formatVersion)]
    var rest: [UInt8] = []
    if let text {
      rest = text.bytes + (compiled ?? [])
      members["documentBytes"] = .int(Int64(text.bytes.count))
      members["checksum"] = .int(Self.checksum(text.bytes[...]))
      members["provedBy"] = .int(NeitherCheck.version)
      if let compiled {
        members["compiledBytes"] = .int(Int64(compiled.count))
        members["compiledBy"] = .int(CompiledRollout.codingVersion)
        members["compiledChecksum"] = .int(Self.checksum(rest[...]))
      }
      members["signature"] = text.signature.map { .string($0) }
      members["entityTag"] = text.entityTag.map { .string($0.text) }
      members["entityTagURL"] = text.entityTag.map { .string($0.url) }
    }
    members["booleans"] = booleans.map { .string($0.rawValue) }
    members["trustedTime"] = trustedTime.map { .int($0) }
    members["retryAt"] = retryAt.map { .int($0) }
    return EventValue.object(members).canonicalJSON + [UInt8(ascii: "\n")] + rest
  }

  /// Reads a record.
  init(reading bytes: [UInt8]) throws(Damage) {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let value: EventValue
    do throws(JSONError) { value = try JSONReader().value(bytes[..<end]) } catch {
      throw Damage(reason: error.description)
    }
    guard case .object(let members) = value else { throw Damage(reason: "it is not an object") }
    var document: [UInt8]?
    switch members["formatVersion"] {
    case .int(Self.formatVersion):
      let rest = bytes[end...].dropFirst()
      if let count = try Self.integer("documentBytes", in: members) {
        guard let count = Int(exactly: count), (0...rest.count).contains(count) else {
          throw Damage(reason: "the document is cut off")
        }
        document = Array(rest.prefix(count))
        compiled = Self.compiled(rest, behind: count, members)
      }
    default: throw Damage(reason: "it has another format")
    }
    if let document {
      // The checksum of the compiled form is that of both.
      guard compiled != nil || members["checksum"] == .int(Self.checksum(document[...])) else {
        throw Damage(reason: "the document's checksum is wrong")
      }
      text = VerifiedRollout.Text(bytes: document, signature: try Self.string("signature", in: members))
      if let tag = try Self.string("entityTag", in: members), let url = try Self.string("entityTagURL", in: members) {
        text?.entityTag = VerifiedRollout.EntityTag(tag, at: url)
      }
      isProved = members["provedBy"] == .int(NeitherCheck.version)
    }
    if let word = try Self.string("booleans", in: members) {
      guard let outcome = SinkDecision.Outcome(rawValue: word) else {
        throw Damage(reason: "`booleans` is not an outcome")
      }
      booleans = outcome
    }
    trustedTime = try Self.integer("trustedTime", in: members)
    retryAt = try Self.integer("retryAt", in: members)
  }

  /// The compiled form; `nil` if it is missing, damaged or of another version, or if the document before it is damaged.
  private static func compiled(
    _ bytes: ArraySlice<UInt8>, behind documentCount: Int, _ members: [String: EventValue]
  ) -> [UInt8]? {
    guard members["compiledBy"] == .int(CompiledRollout.codingVersion),
      members["compiledBytes"] == .int(Int64(bytes.count - documentCount)),
      members["compiledChecksum"] == .int(checksum(bytes))
    else { return nil }
    return Array(bytes.dropFirst(documentCount))
  }

  private static func string(_ key: String, in members: [String: EventValue]) throws(Damage) -> String? {
    switch members[key] {
    case nil: return nil
    case .string(let text): return text
    default: throw Damage(reason: "`\(key)` is not a string")
    }
  }

  private static func integer(_ key: String, in members: [String: EventValue]) throws(Damage) -> Int64? {
    switch members[key] {
    case nil: return nil
    case .int(let number): return number
    default: throw Damage(reason: "`\(key)` is not a whole number")
    }
  }

  /// Detects accidental damage, such as a flipped bit that turns 5 % into 7 %. Not a defence against tampering: signatures are.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var hash = Murmur3(seed: 0)
    bytes.withUnsafeBufferPointer { hash.combine($0) }
    return Int64(hash.finish())
  }
}
