import DualSendCore
import Foundation

/// What a breaker keeps from launch to launch, as JSON in the app's storage.
package struct BreakerRecord: Sendable, Equatable, Codable {
  /// What a launch runs with. The breaker counts per pair, and closes when another pair comes.
  package struct Situation: Sendable, Equatable, Codable {
    /// The app's version and build, as the app names them.
    package let appVersion: String
    /// The rollout's revision in force; `nil` where none is known.
    package var revision: Int64?

    /// Creates a situation.
    package init(appVersion: String, revision: Int64?) {
      (self.appVersion, self.revision) = (appVersion, revision)
    }

    /// Whether a launch with `now` belongs to this situation: the app version is the same, and the revision is the same or
    /// unknown, as before a device's first unlock, when the stored rollout cannot be read.
    package func continues(in now: Situation) -> Bool {
      appVersion.isExactly(now.appVersion) && (now.revision == nil || now.revision == revision)
    }
  }

  private var formatVersion = 1
  /// The situation that the rest is about.
  package var situation: Situation
  /// How many launches in a row ended early.
  package var earlyEnds = 0
  /// Whether a launch has begun and has neither lasted long enough nor ended in order.
  package var isLaunching = false
  /// A number of the process that began it, in which another adapter finds no early end.
  package var process: UInt64?
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

  /// Reads a record; `nil` if the bytes are damaged, or another format. A breaker then counts from 0.
  package init?(reading bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.formatVersion == BreakerRecord(record.situation).formatVersion
    else { return nil }
    self = record
  }

  /// The record's text.
  package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  /// Opens the breaker.
  package mutating func open(_ cause: BreakerOpening.Cause, _ detail: String, at time: Int64) {
    opening = BreakerOpening(
      cause: cause, detail: detail, appVersion: situation.appVersion, revision: situation.revision, time: time)
    unreported = opening
  }

  /// Enters a situation. A new one closes the breaker and counts from 0; an opening that was not reported yet is kept.
  package mutating func enter(_ now: Situation) {
    guard !situation.continues(in: now) else { return }
    let unreported = unreported
    self = BreakerRecord(now)
    self.unreported = unreported
  }
}
