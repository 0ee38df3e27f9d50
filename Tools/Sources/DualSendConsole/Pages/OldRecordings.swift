import DualSendCommandLine
import DualSendParity
import DualSendRemapping
import Foundation

/// Two recordings of the old stream, whose differences are noise.
struct OldRecordings: Sendable {
  private let first: URL
  private let second: URL
  private let join: JoinRule

  /// The recordings of `--calibrate`; `nil` without the option.
  init?(_ options: ConsoleOptions) {
    guard options.calibrate.count == 2 else { return nil }
    (first, second) = (URL(fileURLWithPath: options.calibrate[0]), URL(fileURLWithPath: options.calibrate[1]))
    join = .eventID(parameter: options.idKey)
  }

  /// Compares the recordings in the same way as the old and the new stream.
  ///
  /// - Throws: `ParityError` if a file cannot be read, `CommandError` if they have no event in common.
  func noise(through table: RemappingTable, _ normalisation: Normalisation) throws -> ParityReport {
    let comparer = ParityComparer(table: table, normalisation: normalisation, join: join)
    let report = try comparer.compare(old: first, new: second, form: .legacy)
    guard report.total.pairs > 0 else {
      throw CommandError(
        "\(first.path) and \(second.path) have no event in common",
        help: "they are joined by event id, so both must record the same events (`dualsend parity --by-order "
          + "--calibrate` accepts recordings without ids)")
    }
    return report
  }
}
