import DualSendCore
import Foundation

/// What a breaker keeps from launch to launch, as JSON in the app's storage.
package struct BreakerRecord: Sendable, Equatable, Codable {
  private var formatVersion = 1
  /// The app's version and build, as the app names them. The breaker counts for it and the revision, and closes when either changes.
  package private(set) var appVersion: String
  /// The rollout's revision in force; `nil` where none is known.
  package private(set) var revision: Int64?
  /// How many launches in a row ended early.
  package var earlyEnds = 0
  /// A number of the process whose launch has neither lasted long enough nor ended in order.
  package var launching: UInt64?
  /// How many events the collector has refused for good.
  package var refusals = 0
  /// Why the new side is off; `nil` while the breaker is closed.
  package var opening: BreakerOpening?

  /// Creates a record in which nothing happened yet.
  package init(appVersion: String, revision: Int64?) {
    (self.appVersion, self.revision) = (appVersion, revision)
  }

  /// Reads a record; `nil` if the bytes are damaged, or another format. A breaker then counts from 0.
  package init?(reading bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)), record.formatVersion == 1 else {
      return nil
    }
    self = record
  }

  /// The record's text.
  package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  /// Opens the breaker.
  package mutating func open(_ cause: BreakerOpening.Cause, _ detail: String, at time: Int64) {
    opening = BreakerOpening(cause: cause, detail: detail, revision: revision, time: time)
  }

  /// Closes the breaker and counts from 0 for another app version or revision. An unknown revision, as before a device's first
  /// unlock, is no other one.
  package mutating func enter(appVersion: String, revision: Int64?) {
    guard !appVersion.isExactly(self.appVersion) || revision != nil && revision != self.revision else { return }
    self = BreakerRecord(appVersion: appVersion, revision: revision)
  }
}
