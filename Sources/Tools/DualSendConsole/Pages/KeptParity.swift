import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import Foundation

/// The counts by day that `dualsend parity --trend` keeps beside the rollout document. The console only reads them.
actor KeptParity {
  /// The file; `nil` for a document at an address.
  let path: String?
  private let gate: ParityGate
  private var read: (mark: [Int64], days: Result<ParityDays, CommandError>)?

  init(path: String?, gate: ParityGate) { (self.path, self.gate) = (path, gate) }

  /// The days of one event, or of all; `null` without a file.
  func overview(event: String?) -> EventValue {
    guard let path, let days = days(path) else { return .null }
    var filter = ParityTrend.Filter()
    filter.event = event.map { ExactText($0) }
    do {
      let trend = ParityTrend(try days.get(), by: .day, filter: filter)
      return ["file": .string(path), "problem": .null, "days": .array(trend.rows.map(json))]
    } catch {
      return ["file": .string(path), "problem": .string(error.message), "days": []]
    }
  }

  private func days(_ path: String) -> Result<ParityDays, CommandError>? {
    do {
      guard let mark = try OpenedFile.ifAny(path)?.mark else { return nil }
      if let read, read.mark == mark { return read.days }
      let days = Result { try ParityDays(reading: path) }.mapError { CommandError(reading: path, $0) }
      read = (mark, days)
      return days
    } catch { return .failure(CommandError(reading: path, error)) }
  }

  private func json(_ row: ParityTrend.Row) -> EventValue {
    guard case .object(var members) = row.json else { return .null }
    let counts = row.counts
    members["time"] = .int((row.day ?? 0) * ParityDays.millisecondsPerDay)
    members["bound"] = gate.boundJSON(counts[.failing], of: counts[.judged])
    return .object(members)
  }
}
