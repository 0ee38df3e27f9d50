import DualSendCore
import DualSendCrashChild
import DualSendTracking

/// What all children together said, and the promises that it must keep.
struct KillLog {
  /// The numbers whose commit was reported.
  private(set) var committed: Set<Int64> = []
  /// How often an event was handed to the network again.
  private(set) var sentAgain = 0
  /// What the promises do not allow, in words.
  private(set) var violations: [String] = []
  private(set) var lastLedger: TrackingLedger?
  private var ids: [Int64: EventID] = [:]
  private var numbers: [EventID: Int64] = [:]

  mutating func add(_ reports: [CrashReport], round: Int) {
    for report in reports {
      switch report {
      case .ledger(let ledger):
        if !ledger.isBalanced { violations.append("round \(round): the ledger does not balance: \(ledger)") }
        if let lastLedger, ledger.accepted < lastLedger.accepted || ledger.delivered < lastLedger.delivered {
          violations.append("round \(round): the ledger went back, from \(lastLedger) to \(ledger)")
        }
        lastLedger = ledger
      case .committed(let number):
        committed.insert(number)
      case .logged, .breaker: break
      case .sent(let id, let number):
        let isFirst = ids[number] == nil && numbers[id] == nil
        if !isFirst { sentAgain += 1 }
        if ids.updateValue(id, forKey: number).map({ $0 != id }) ?? false {
          violations.append("round \(round): number \(number) was sent under two ids")
        }
        if numbers.updateValue(number, forKey: id).map({ $0 != number }) ?? false {
          violations.append("round \(round): id \(id) was sent with two payloads")
        }
      }
    }
  }
}
