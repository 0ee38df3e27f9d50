import DualSendCore

/// What a fetcher keeps from one run to the next, as one text, so that a document and its entity tag never part.
///
/// A line of JSON, behind it the document's own bytes, which therefore need no escapes and are not parsed twice, and behind
/// those the compiled rollout, which spares the next run to parse at all.
/// Nothing in it depends on the app's version or place, so an upgrade finds it again.
struct RolloutRecord: Sendable, Hashable {
  /// Why bytes are not a record.
  struct Damage: Error {
    let reason: String
  }

  private static let formatVersion: Int64 = 2
  /// Room for a document of format 1, which stood inside the JSON, and whose every byte may need an escape.
  private static let reader = JSONReader(maximumBytes: 64 << 20)

  /// The last good document; `nil` if there was none, or if booleans decide.
  var text: VerifiedRollout.Text?
  /// Whether the document was proved by the checks that this version makes. An earlier version's proof does not count.
  var isProved = false
  /// What ``CompiledRollout/encoded`` made of the document; `nil` if it is not there, damaged or of another version.
  ///
  /// Its loss costs the next start a few milliseconds and nobody a decision, so it is no ``Damage``: there is nothing to be
  /// done about it that the fetcher does not do by writing the record again.
  var compiled: [UInt8]?
  /// What two booleans from another delivery channel said last.
  var booleans: SinkDecision.Outcome?
  /// The trusted time when the record was written, in milliseconds since 1970-01-01T00:00:00Z.
  var trustedTime: Int64?
  /// Until when the server asked to be left alone, by the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
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
    do throws(JSONError) { value = try Self.reader.value(bytes[..<end]) } catch {
      throw Damage(reason: error.description)
    }
    guard case .object(let members) = value else { throw Damage(reason: "it is not an object") }
    var document: [UInt8]?
    switch members["formatVersion"] {
    case .int(1): document = try Self.string("document", in: members).map { Array($0.utf8) }
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

  /// The compiled form, if it is whole, and was made of the very document that stands before it.
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

  /// Finds damage, such as a flipped bit that turns 5 % into 7 %; against malice there are signatures.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var hash = Murmur3(seed: 0)
    bytes.withUnsafeBufferPointer { hash.combine($0) }
    return Int64(hash.finish())
  }
}
