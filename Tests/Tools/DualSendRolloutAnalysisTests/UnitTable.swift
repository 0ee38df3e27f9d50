@testable import DualSendRollout

/// A unit ID for every one of the 100,000 buckets of one salt, none of which a rule names.
enum UnitTable {
  static let salt = "test"

  static let ids: [String] = {
    let bucketing = RolloutBucketing(salt: salt)
    var ids = [String](repeating: "", count: RolloutBucket.count)
    var missing = ids.count
    var number = 0
    while missing > 0 {
      let id = "t\(number)"
      let bucket = bucketing.bucket(of: id).index
      if ids[bucket].isEmpty {
        ids[bucket] = id
        missing -= 1
      }
      number += 1
    }
    return ids
  }()

  /// The first bucket of every stretch in which no document's decision can change.
  static func edges(of documents: [RolloutDocument]) -> [Int] {
    let flags = documents.flatMap { document in
      [document.shouldSendLogToOldLogger, document.shouldSendLogToNewTracker]
        + document.rules.flatMap { [$0.shouldSendLogToOldLogger, $0.shouldSendLogToNewTracker].compactMap { $0 } }
        + (document.sinks + document.rules.flatMap(\.sinks)).map(\.flag)
    }
    let shares = flags.flatMap { flag in
      [nil, 1000, 2000].compactMap { flag.percentage(at: $0)?.thousandths }
    }
    let edges = shares.flatMap { [$0, RolloutBucket.count - $0] } + [0]
    return Set(edges).filter { $0 < RolloutBucket.count }.sorted()
  }
}
