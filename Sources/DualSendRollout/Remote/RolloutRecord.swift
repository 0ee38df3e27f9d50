import DualSendCore

/// What a fetcher stores for the next launch: the rollout with its source text, and what else it has to remember.
///
/// The format is a line of JSON, then the document's own bytes, which need no escapes that way. The record does not depend on
/// the app's version or location. A storage that several fetchers share has one record after the other.
struct RolloutRecord: Sendable {
  /// Why bytes are not a record.
  struct Damage: Error {
    let reason: String
  }

  private static let formatVersion: Int64 = 1

  /// The last good rollout; `nil` if there was none.
  var rollout: VerifiedRollout?
  /// The trusted time when the record was written, in milliseconds since 1970-01-01T00:00:00Z.
  var trustedTime: Int64?
  /// The end of the server's `Retry-After`, by the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  var retryAt: Int64?
}

extension RolloutRecord {
  /// The record's text.
  ///
  /// - Parameter address: the address and the public keys that all of this belongs to; see
  ///   ``RemoteConfigFetcher/Options/identity``.
  func bytes(at address: String) -> [UInt8] {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "address": .string(address),
    ]
    if let text = rollout?.text {
      members["documentBytes"] = .int(Int64(text.bytes.count))
      members["checksum"] = .int(Self.checksum(text.bytes))
      members["signature"] = text.signature.map { .string($0) }
      members["entityTag"] = text.entityTag.map { .string($0.text) }
      members["entityTagURL"] = text.entityTag.map { .string($0.url) }
    } else {
      members["booleans"] = rollout?.snapshot.booleans.map { .string($0.rawValue) }
    }
    members["trustedTime"] = trustedTime.map { .int($0) }
    members["retryAt"] = retryAt.map { .int($0) }
    return EventValue.object(members).canonicalJSON + [UInt8(ascii: "\n")] + (rollout?.text?.bytes ?? [])
  }

  /// The record of an earlier launch; an empty one, after a report, if it cannot be read.
  init(
    in storage: ByteStorage, at address: String, validator: RolloutValidator,
    report: (RemoteConfigFetcher.Problem) -> Void
  ) {
    self.init()
    let stored: [UInt8]?
    do { stored = try storage.read() } catch {
      report(.cacheNotReadable(String(describing: error)))
      return
    }
    guard let stored else { return }
    do throws(Damage) { self = try Self(reading: stored, at: address, validator: validator) } catch {
      report(.cacheDamaged(error.reason))
    }
  }

  /// Reads a record. Its document passes the same checks as a fetched one, including its signature.
  ///
  /// A record of another address is as none: it serves nothing and binds nothing.
  init(reading bytes: [UInt8], at address: String, validator: RolloutValidator) throws(Damage) {
    var rest = bytes[...]
    var (members, document) = try Self.next(in: &rest)
    while members["address"] != .string(address) {
      if rest.isEmpty { return }
      (members, document) = try Self.next(in: &rest)
    }
    trustedTime = try Self.integer("trustedTime", in: members)
    if let word = try Self.string("booleans", in: members) {
      guard let outcome = SinkDecision.Outcome(rawValue: word), validator.publicKeys.isEmpty else {
        throw Damage(reason: "`booleans` is not an outcome, or has no signature")
      }
      rollout = VerifiedRollout(RolloutSnapshot(outcome), source: .cached)
    } else if let text = try Self.text(in: members, document) {
      do throws(RemoteConfigFetcher.Failure) {
        rollout = VerifiedRollout(try validator.snapshot(of: text, at: trustedTime), text: text, source: .cached)
      } catch {
        throw Damage(reason: error.description)
      }
    }
    retryAt = try Self.integer("retryAt", in: members)
  }

  /// The records of other addresses in a storage: the three that were written last.
  static func others(in bytes: [UInt8], than address: String) -> [UInt8] {
    var (rest, others) = (bytes[...], [ArraySlice<UInt8>]())
    while !rest.isEmpty, others.count < 3 {
      let start = rest
      guard let (members, _) = try? next(in: &rest) else { break }
      if members["address"] != .string(address) { others.append(start[..<rest.startIndex]) }
    }
    return Array(others.joined())
  }

  /// Takes the next record of a storage: what its line says, and its document.
  private static func next(
    in bytes: inout ArraySlice<UInt8>
  ) throws(Damage) -> (members: [String: EventValue], document: ArraySlice<UInt8>) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let value: EventValue
    do throws(JSONError) { value = try JSONReader().value(line) } catch { throw Damage(reason: error.description) }
    guard case .object(let members) = value else { throw Damage(reason: "it is not an object") }
    guard members["formatVersion"] == .int(formatVersion) else { throw Damage(reason: "it has another format") }
    guard try string("address", in: members) != nil else { throw Damage(reason: "it has no address") }
    let document = bytes.dropFirst(line.count + 1)
    guard let count = Int(exactly: try integer("documentBytes", in: members) ?? 0), 0...document.count ~= count else {
      throw Damage(reason: "the document is cut off")
    }
    bytes = document.dropFirst(count)
    return (members, document.prefix(count))
  }

  private static func text(
    in members: [String: EventValue], _ slice: ArraySlice<UInt8>
  ) throws(Damage) -> VerifiedRollout.Text? {
    guard members["documentBytes"] != nil else { return nil }
    let document = Array(slice)
    guard members["checksum"] == .int(checksum(document)) else {
      throw Damage(reason: "the document's checksum is wrong")
    }
    var text = VerifiedRollout.Text(bytes: document, signature: try string("signature", in: members))
    if let tag = try string("entityTag", in: members), let url = try string("entityTagURL", in: members) {
      text.entityTag = VerifiedRollout.EntityTag(tag, at: url)
    }
    return text
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
