import DualSendCore

/// What a breaker keeps from launch to launch: one small file.
public struct BreakerRecord: Sendable, Equatable {
  /// What a launch runs with. The breaker counts per pair, and closes when another pair comes.
  public struct Situation: Sendable, Equatable {
    /// The app's version and build, as the app names them.
    public let appVersion: String
    /// The rollout's revision in force; `nil` where none is known.
    public var revision: Int64?

    /// Creates a situation.
    public init(appVersion: String, revision: Int64?) {
      self.appVersion = appVersion
      self.revision = revision
    }

    /// Whether `now` still is this situation: the same app version, and no other revision.
    ///
    /// A launch that knows no revision does not count as another one: the stored rollout may just be unreadable, as before
    /// a device's first unlock.
    public func continues(in now: Situation) -> Bool {
      appVersion.isExactly(now.appVersion) && (now.revision == nil || now.revision == revision)
    }
  }

  /// The situation that the rest is about.
  public var situation: Situation
  /// How many launches in a row ended early.
  public var earlyEnds = 0
  /// How many dead letters the ledger had when this situation began; `nil` while the store was not opened in it.
  public var deadLettersBefore: Int64?
  /// Why the new side is off; `nil` while the breaker is closed.
  public var opening: BreakerOpening?
  /// An opening that the new tracker has not reported yet. Outlives the opening itself.
  public var unreported: BreakerOpening?

  /// Creates the record of a situation in which nothing happened yet.
  public init(_ situation: Situation) {
    self.situation = situation
  }

  /// The record in a situation. Another one than before closes the breaker and begins to count at 0; what is still to be
  /// reported is kept.
  public func entered(_ situation: Situation) -> BreakerRecord {
    if self.situation.continues(in: situation) { return self }
    var record = BreakerRecord(situation)
    record.unreported = unreported
    return record
  }

  /// Closes the breaker by hand.
  ///
  /// - Parameter deadLetters: how many dead letters the ledger counts now; `nil` if that is not known.
  public mutating func close(deadLetters: Int64?) {
    opening = nil
    earlyEnds = 0
    deadLettersBefore = deadLetters
  }

  /// Opens the breaker.
  public mutating func open(_ cause: BreakerOpening.Cause, _ detail: String, at time: Int64) {
    let opening = BreakerOpening(
      cause: cause, detail: detail, appVersion: situation.appVersion, revision: situation.revision, time: time)
    self.opening = opening
    unreported = opening
  }
}

extension BreakerRecord {
  private static let formatVersion: Int64 = 1

  /// The record's text.
  public var bytes: [UInt8] {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "appVersion": .string(situation.appVersion),
      "earlyEnds": .int(Int64(earlyEnds)),
    ]
    members["revision"] = situation.revision.map { .int($0) }
    members["deadLettersBefore"] = deadLettersBefore.map { .int($0) }
    members["opening"] = opening.map { .object($0.members) }
    members["unreported"] = unreported.map { .object($0.members) }
    return EventValue.object(members).canonicalJSON + [UInt8(ascii: "\n")]
  }

  /// Reads a record.
  ///
  /// - Returns: `nil` if the bytes are damaged, or another format. A breaker then counts from 0.
  public init?(reading bytes: [UInt8]) {
    guard case .object(let members)? = try? JSONReader().value(bytes),
      members["formatVersion"] == .int(Self.formatVersion), case .string(let appVersion)? = members["appVersion"],
      case .int(let earlyEnds)? = members["earlyEnds"], earlyEnds >= 0
    else { return nil }
    situation = Situation(appVersion: appVersion, revision: Self.integer("revision", in: members))
    self.earlyEnds = Int(clamping: earlyEnds)
    deadLettersBefore = Self.integer("deadLettersBefore", in: members)
    opening = BreakerOpening(members["opening"])
    unreported = BreakerOpening(members["unreported"])
    // An opening that cannot be read would close the breaker by mistake.
    if members["opening"] != nil, opening == nil { return nil }
  }

  private static func integer(_ key: String, in members: [String: EventValue]) -> Int64? {
    if case .int(let number)? = members[key] { number } else { nil }
  }
}
