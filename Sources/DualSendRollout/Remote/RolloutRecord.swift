@_spi(Tools) import DualSendCore

/// What a fetcher keeps from one run to the next, as one JSON text, so that a document and its entity tag never part.
///
/// Nothing in it depends on the app's version or place, so an upgrade finds it again.
struct RolloutRecord: Sendable, Hashable {
  /// Why bytes are not a record.
  struct Damage: Error {
    let reason: String
  }

  private static let formatVersion: Int64 = 1
  /// Room for a document whose every byte needs an escape.
  private static let reader = JSONReader(maximumBytes: 64 << 20)

  /// The last good document; `nil` if there was none, or if booleans decide.
  var text: VerifiedRollout.Text?
  /// What two booleans from another delivery channel said last.
  var booleans: SinkDecision.Outcome?
  /// The trusted time when the record was written, in milliseconds since 1970-01-01T00:00:00Z.
  var trustedTime: Int64?
  /// Until when the server asked to be left alone, by the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  var retryAt: Int64?
}

extension RolloutRecord {
  /// The record as canonical JSON.
  var bytes: [UInt8] {
    var members: [String: EventValue] = ["formatVersion": .int(Self.formatVersion)]
    if let text {
      members["document"] = .string(String(decoding: text.bytes, as: UTF8.self))
      members["checksum"] = .int(Self.checksum(text.bytes))
      members["signature"] = text.signature.map { .string($0) }
      members["entityTag"] = text.entityTag.map { .string($0.text) }
      members["entityTagURL"] = text.entityTag.map { .string($0.url) }
    }
    members["booleans"] = booleans.map { .string($0.rawValue) }
    members["trustedTime"] = trustedTime.map { .int($0) }
    members["retryAt"] = retryAt.map { .int($0) }
    return Array(EventValue.object(members).canonicalJSON)
  }

  /// Reads a record.
  init(reading bytes: [UInt8]) throws(Damage) {
    let value: EventValue
    do throws(JSONError) { value = try Self.reader.value(bytes) } catch { throw Damage(reason: error.description) }
    guard case .object(let members) = value else { throw Damage(reason: "it is not an object") }
    guard members["formatVersion"] == .int(Self.formatVersion) else { throw Damage(reason: "it has another format") }
    if let document = try Self.string("document", in: members) {
      let bytes = Array(document.utf8)
      guard members["checksum"] == .int(Self.checksum(bytes)) else {
        throw Damage(reason: "the document's checksum is wrong")
      }
      text = VerifiedRollout.Text(bytes: bytes, signature: try Self.string("signature", in: members))
      if let tag = try Self.string("entityTag", in: members), let url = try Self.string("entityTagURL", in: members) {
        text?.entityTag = VerifiedRollout.EntityTag(tag, at: url)
      }
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
  private static func checksum(_ bytes: [UInt8]) -> Int64 {
    var hash = Murmur3(seed: 0)
    bytes.withUnsafeBufferPointer { hash.combine($0) }
    return Int64(hash.finish())
  }
}
