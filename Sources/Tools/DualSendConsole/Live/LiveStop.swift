import DualSendCommands
import DualSendCore
import DualSendRollout

/// A stop that is in force, and what the streams show since: events of it are to reach the old logger alone.
struct LiveStop: Sendable {
  /// The entry of the record.
  private let kill: PublicationRecord.Entry
  private let patterns: [EventPattern]
  /// The events that were logged since and reached the old logger, and the new tracker.
  private(set) var old = 0
  private(set) var new = 0
  /// When the newest one that reached the new tracker was logged, in milliseconds since 1970-01-01T00:00:00Z.
  private var newest: Int64?

  init(_ kill: PublicationRecord.Entry) {
    (self.kill, patterns) = (kill, kill.publication.patterns)
  }

  /// The name of the record's entry.
  var id: String { kill.id }

  /// Whether it stops all of these names of the app.
  func stops(_ names: [String]) -> Bool { names.allSatisfy { name in patterns.contains { $0.matches(name) } } }

  /// Counts the sides that arrived of an event with these names of the app.
  mutating func count(_ names: [String], loggedAt time: Int64, old isOld: Bool, new isNew: Bool) {
    guard time >= kill.publication.time, stops(names) else { return }
    if isOld { old += 1 }
    if isNew { (new, newest) = (new + 1, max(time, newest ?? time)) }
  }

  var json: EventValue {
    [
      "events": .array(kill.publication.stops.map { .string($0) }), "time": .int(kill.publication.time),
      "user": .string(kill.publication.user), "old": .int(Int64(old)), "new": .int(Int64(new)),
      "newest": newest.map { .int($0) } ?? .null,
    ]
  }
}

/// The stops in force, oldest first.
struct LiveStops: Sendable {
  private static let shown = 5

  private var all: [LiveStop] = []

  var isEmpty: Bool { all.isEmpty }

  /// Whether one of them stops all of these names of the app.
  func stop(_ names: [String]) -> Bool { all.contains { $0.stops(names) } }

  /// Puts the kills of the record in force; those that were in force keep their counts.
  ///
  /// - Parameter count: counts the kept events for those that were not.
  /// - Returns: whether anything changed.
  mutating func put(_ kills: [PublicationRecord.Entry], count: (inout LiveStops) -> Void) -> Bool {
    guard kills.map(\.id) != all.map(\.id) else { return false }
    var new = LiveStops()
    new.all = kills.filter { kill in !all.contains { $0.id == kill.id } }.map(LiveStop.init)
    count(&new)
    all = kills.compactMap { kill in (all + new.all).first { $0.id == kill.id } }
    return true
  }

  mutating func count(_ names: [String], loggedAt time: Int64, old: Bool, new: Bool) {
    for index in all.indices { all[index].count(names, loggedAt: time, old: old, new: new) }
  }

  /// The last ones, for the banner.
  var json: EventValue { .array(all.suffix(Self.shown).map(\.json)) }
}
