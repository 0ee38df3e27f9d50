import DualSendCore

/// The state that a fetcher stores for the next launch: the document, its entity tag, and what else it has to remember.
///
/// The format is a line of JSON, then the document's own bytes, which need no escapes that way. The record does not depend on
/// the app's version or location.
struct RolloutRecord: Sendable, Equatable {
  /// Why bytes are not a record.
  struct Damage: Error {
    let reason: String
  }

  private static let formatVersion: Int64 = 2

  /// The last good document; `nil` if there was none, or if booleans decide.
  var text: VerifiedRollout.Text?
  /// The last two booleans of another delivery channel.
  var booleans: SinkDecision.Outcome?
  /// The trusted time when the record was written, in milliseconds since 1970-01-01T00:00:00Z.
  var trustedTime: Int64?
  /// The end of the server's `Retry-After`, by the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  var retryAt: Int64?
  /// The address and the public keys that all of this belongs to; see ``RemoteConfigFetcher/Options/identity``.
  var address: String?
}

extension RolloutRecord {
  /// The record's text.
  var bytes: [UInt8] {
    var members: [String: EventValue] = ["formatVersion": .int(Self.formatVersion)]
    var rest: [UInt8] = []
    if let text {
      rest = text.bytes
      members["documentBytes"] = .int(Int64(rest.count))
      members["checksum"] = .int(Self.checksum(rest))
      members["signature"] = text.signature.map { .string($0) }
      members["entityTag"] = text.entityTag.map { .string($0.text) }
      members["entityTagURL"] = text.entityTag.map { .string($0.url) }
    }
    members["booleans"] = booleans.map { .string($0.rawValue) }
    members["trustedTime"] = trustedTime.map { .int($0) }
    members["retryAt"] = retryAt.map { .int($0) }
    members["address"] = address.map { .string($0) }
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
    guard members["formatVersion"] == .int(Self.formatVersion) else { throw Damage(reason: "it has another format") }
    if let count = try Self.integer("documentBytes", in: members) {
      let document = Array(bytes[end...].dropFirst())
      guard count == Int64(document.count) else { throw Damage(reason: "the document is cut off") }
      guard members["checksum"] == .int(Self.checksum(document)) else {
        throw Damage(reason: "the document's checksum is wrong")
      }
      text = VerifiedRollout.Text(bytes: document, signature: try Self.string("signature", in: members))
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
    address = try Self.string("address", in: members)
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
  private static func checksum(_ bytes: [UInt8]) -> Int64 {
    var hash = Murmur3(seed: 0)
    bytes.withUnsafeBufferPointer { hash.combine($0) }
    return Int64(hash.finish())
  }
}

/// The state that an earlier launch stored, after validation.
struct CachedState: Sendable {
  private(set) var rollout: VerifiedRollout?
  private(set) var clock = TrustedClock()
  /// The rest of the server's `Retry-After`.
  private(set) var retryAfter: Duration?

  /// Reads the storage. A stored document passes the same checks as a fetched one, including its signature.
  init(
    _ storage: ByteStorage, validator: RolloutValidator, address: String, time: TimeSource,
    report: (RemoteConfigFetcher.Problem) -> Void
  ) {
    let stored: [UInt8]?
    do { stored = try storage.read() } catch {
      report(.cacheNotReadable(String(describing: error)))
      return
    }
    guard let stored else { return }
    do throws(RolloutRecord.Damage) {
      try resume(try RolloutRecord(reading: stored), validator: validator, address: address, time: time)
    } catch {
      report(.cacheDamaged(error.reason))
    }
  }

  private mutating func resume(
    _ record: RolloutRecord, validator: RolloutValidator, address: String, time: TimeSource
  ) throws(RolloutRecord.Damage) {
    let isForeign = record.address != address
    if !isForeign {
      if let trustedTime = record.trustedTime { clock.resume(trustedTime, at: time.uptime()) }
      retryAfter = record.retryAt.map { .milliseconds($0 - time.wallMilliseconds()) }
    }
    if let booleans = record.booleans {
      rollout = VerifiedRollout(RolloutSnapshot(booleans), source: .cached)
      return
    }
    do throws(RemoteConfigFetcher.Failure) {
      guard let snapshot = try validator.readStored(record) else { return }
      rollout = VerifiedRollout(snapshot, text: record.text, source: .cached)
      // It serves until the first good fetch, and binds nothing.
      if isForeign { rollout?.foreignAddress = record.address ?? "" }
    } catch {
      throw RolloutRecord.Damage(reason: error.description)
    }
  }
}
