import DualSendCore

/// The five rollout revisions that migrate the sample app.
///
/// No revision leaves a unit without a sink: the shares of old and new always add up to at least 100 %.
enum RolloutStages {
  static let all: [EventValue] = [oldOnly, firstUnits, both, oldDrained, newOnly]

  private static let oldOnly = document(1, old: 100, new: 0, missingUnit: "old", rules: [])

  private static let firstUnits = document(
    2, old: 100, new: 5, missingUnit: "old",
    rules: [
      rule("test devices go first", ["unitIDs": units], new: 100),
      rule("home screen first", ["events": ["home.*"]], new: 25),
      rule("checkout needs the fixed build", ["events": ["checkout.*"], "appVersion": ">=25.4.10 <26"], new: 10),
      rule("old builds wait", ["appVersion": "<25.4"], new: 0),
    ])

  private static let both = document(
    3, old: 100, new: 100, missingUnit: "both",
    rules: [rule("old builds wait", ["appVersion": "<25.4", "platform": ["iOS", "android"]], new: 0)])

  private static let oldDrained = document(
    4, old: 20, new: 100, missingUnit: "both",
    rules: [
      rule("test devices are done", ["unitIDs": units], old: 0, new: 100),
      rule("finance still reads the old orders", ["events": ["checkout.*", "cart.coupon.apply"]], old: 100),
      rule("home screen is done", ["events": ["home.*"]], old: 0, new: 100),
    ])

  private static let newOnly = document(5, old: 0, new: 100, missingUnit: "new", rules: [])

  private static let units = EventValue.array(LegacyStream.qaUnits.map { .string($0) })

  private static func document(
    _ revision: Int64, old: Int64, new: Int64, missingUnit: String, rules: [EventValue]
  ) -> EventValue {
    [
      "formatVersion": 1, "revision": .int(revision), "salt": "tracker-2025", "missingUnit": .string(missingUnit),
      "shouldSendLogToOldLogger": .int(old), "shouldSendLogToNewTracker": .int(new), "rules": .array(rules),
    ]
  }

  private static func rule(
    _ name: String, _ match: [String: EventValue], old: Int64? = nil, new: Int64? = nil
  ) -> EventValue {
    var members: [String: EventValue] = ["name": .string(name), "match": .object(match)]
    if let old { members["shouldSendLogToOldLogger"] = .int(old) }
    if let new { members["shouldSendLogToNewTracker"] = .int(new) }
    return .object(members)
  }
}
