import DualSendCore

/// What a breaker keeps from launch to launch, as text in the app's storage.
package struct BreakerRecord: Sendable, Equatable {
  /// What a launch runs with. The breaker counts per pair, and closes when another pair comes.
  package struct Situation: Sendable, Equatable {
    /// The app's version and build, as the app names them.
    package let appVersion: String
    /// The rollout's revision in force; `nil` where none is known.
    package var revision: Int64?

    /// Creates a situation.
    package init(appVersion: String, revision: Int64?) {
      self.appVersion = appVersion
      self.revision = revision
    }

    /// Whether a launch with `now` belongs to this situation: the app version is the same, and the revision is the same or
    /// unknown. It is unknown, for example, before a device's first unlock, when the stored rollout cannot be read.
    package func continues(in now: Situation) -> Bool {
      appVersion.isExactly(now.appVersion) && (now.revision == nil || now.revision == revision)
    }
  }

  /// The situation that the rest is about.
  package var situation: Situation
  /// How many launches in a row ended early.
  package var earlyEnds = 0
  /// Whether a launch has begun and has neither lasted long enough nor ended in order.
  package var isLaunching = false
  /// How many events the collector has refused for good.
  package var refusals = 0
  /// Why the new side is off; `nil` while the breaker is closed.
  package var opening: BreakerOpening?
  /// An opening that the new tracker has not reported yet. Outlives the opening itself.
  package var unreported: BreakerOpening?

  /// Creates the record of a situation in which nothing happened yet.
  package init(_ situation: Situation) {
    self.situation = situation
  }

  /// The record in a situation. A new situation closes the breaker and counts from 0; an opening that was not reported yet
  /// is kept.
  package func entered(_ situation: Situation) -> BreakerRecord {
    if self.situation.continues(in: situation) { return self }
    var record = BreakerRecord(situation)
    record.unreported = unreported
    return record
  }

  /// Begins a launch. If the one before had begun and not ended in order, it counts as an early end.
  ///
  /// - Parameter limit: how many early ends in a row open the breaker; `nil` if launches are not counted.
  package mutating func launch(limit: Int?, at time: Int64) {
    defer { isLaunching = limit != nil && opening == nil }
    guard let limit, isLaunching, opening == nil else { return }
    earlyEnds += 1
    if earlyEnds >= limit {
      open(.earlyEnds, "\(earlyEnds) launches in a row ended early", at: time)
    }
  }

  /// Closes the breaker. Early ends and refusals are counted from 0 again.
  package mutating func close() {
    opening = nil
    earlyEnds = 0
    refusals = 0
  }

  /// Opens the breaker.
  package mutating func open(_ cause: BreakerOpening.Cause, _ detail: String, at time: Int64) {
    let opening = BreakerOpening(
      cause: cause, detail: detail, appVersion: situation.appVersion, revision: situation.revision, time: time)
    self.opening = opening
    unreported = opening
  }
}

extension BreakerRecord {
  private static let formatVersion: Int64 = 1

  /// The record's text.
  package var bytes: [UInt8] {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "appVersion": .string(situation.appVersion),
      "earlyEnds": .int(Int64(earlyEnds)), "isLaunching": .bool(isLaunching), "refusals": .int(Int64(refusals)),
    ]
    members["revision"] = situation.revision.map { .int($0) }
    members["opening"] = opening.map { .object($0.members) }
    members["unreported"] = unreported.map { .object($0.members) }
    return EventValue.object(members).canonicalJSON + [UInt8(ascii: "\n")]
  }

  /// Reads a record.
  ///
  /// - Returns: `nil` if the bytes are damaged, or another format. A breaker then counts from 0.
  package init?(reading bytes: [UInt8]) {
    guard case .object(let members)? = try? JSONReader().value(bytes),
      members["formatVersion"] == .int(Self.formatVersion), case .string(let appVersion)? = members["appVersion"],
      case .int(let earlyEnds)? = members["earlyEnds"], earlyEnds >= 0,
      case .bool(let isLaunching)? = members["isLaunching"],
      case .int(let refusals)? = members["refusals"], refusals >= 0
    else { return nil }
    var revision: Int64?
    if case .int(let number)? = members["revision"] { revision = number }
    situation = Situation(appVersion: appVersion, revision: revision)
    self.earlyEnds = Int(clamping: earlyEnds)
    self.isLaunching = isLaunching
    self.refusals = Int(clamping: refusals)
    opening = BreakerOpening(members["opening"])
    unreported = BreakerOpening(members["unreported"])
    // An opening that cannot be read would close the breaker by mistake.
    if members["opening"] != nil, opening == nil { return nil }
  }
}

// MARK: - The opening

// MARK: The opening as text and as an object
