import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import Foundation

/// The counts by day that `dualsend parity --trend` keeps beside the rollout document. The console only reads them.
actor KeptParity {
  /// What tells a changed file from the one that was read.
  private struct FileState: Equatable {
    let size: Int64
    let modified: Int64
    let number: UInt64
  }

  /// The file; `nil` for a document at an address.
  let path: String?
  private let gate: ParityGate
  private var read: (state: FileState, days: Result<ParityDays, CommandError>)?

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
    let file: OpenedFile
    do {
      guard let opened = try OpenedFile.ifAny(path) else { return nil }
      file = opened
    } catch { return .failure(error as? CommandError ?? CommandError("cannot read \(path): \(error)")) }
    let state = FileState(size: file.size, modified: file.modified, number: file.number)
    if let read, read.state == state { return read.days }
    let days = Result { try ParityDays(reading: path) }
      .mapError { $0 as? CommandError ?? CommandError("cannot read \(path): \($0.localizedDescription)") }
    read = (state, days)
    return days
  }

  private func json(_ row: ParityTrend.Row) -> EventValue {
    guard case .object(var members) = row.json else { return .null }
    let counts = row.counts
    members["time"] = .int((row.day ?? 0) * ParityDays.millisecondsPerDay)
    members["bound"] = gate.boundJSON(counts[.failing], of: counts[.judged])
    return .object(members)
  }
}
