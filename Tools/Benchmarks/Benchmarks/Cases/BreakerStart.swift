import DualSendRollout
import Foundation

/// What a breaker adds to a launch: its files are read, and the launch is marked.
@MainActor
enum BreakerStart {
  static func subject(in folder: TemporaryFolder) -> Subject {
    let files = BreakerFolder(folder.url.appendingPathComponent("breaker"))
    let situation = BreakerRecord.Situation(appVersion: "25.4.10 (1234)", revision: 12)
    // As a launch finds it that is not the first: a record with a ledger's count.
    var record = BreakerRecord(situation)
    record.deadLettersBefore = 0
    keep(files.begin(situation, limit: 3, time: 0))
    try? files.update(otherwise: record) { $0 = record }
    // Held beyond the round, because to take the mark away is no part of a start.
    var beginning: BreakerFolder.Beginning?
    return Subject("a breaker's part of it") {
      beginning = files.begin(situation, limit: 3, time: 0)
    } afterRound: {
      keep(beginning)
      beginning = nil
    }
  }
}
