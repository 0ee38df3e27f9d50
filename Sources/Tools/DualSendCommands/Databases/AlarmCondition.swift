import ArgumentParser
import DualSendCommandLine
import DualSendCore

/// A condition of `dualsend db check --fail-if`, such as `pending>1000` or `age>1h`.
struct AlarmCondition: Sendable, Hashable {
  enum Quantity: String, Sendable, CaseIterable {
    /// Waiting events.
    case pending
    /// Bytes of waiting events.
    case bytes
    /// Kept dead letters.
    case deadLetters = "deadletters"
    /// How long ago the oldest waiting event happened, in milliseconds.
    case age
  }

  let quantity: Quantity
  let limit: Int64
  private let text: String

  static let syntax = "pending>N, bytes>N, deadletters>N, age>N with s, m, h or d, such as age>1h"

  init(_ text: String) throws {
    let halves = text.split(separator: ">", omittingEmptySubsequences: false)
    guard halves.count == 2, let quantity = Quantity(rawValue: String(halves[0])),
      let limit = Self.limit(halves[1], of: quantity)
    else { throw ValidationError("`\(text)` is none of \(Self.syntax)") }
    (self.quantity, self.limit, self.text) = (quantity, limit, text)
  }

  private static func limit(_ text: Substring, of quantity: Quantity) -> Int64? {
    guard quantity == .age else { return Int64(text).flatMap { $0 >= 0 ? $0 : nil } }
    return DurationText.milliseconds(text)
  }

  /// The finding if the condition holds.
  ///
  /// - Parameter now: in milliseconds since 1970-01-01T00:00:00Z.
  func finding(_ report: DoctorReport, _ path: String, now: Int64) -> DocumentDiagnostic? {
    let (value, words): (Int64, String) =
      switch quantity {
      case .pending: (Int64(report.waitingEvents), "\(report.waitingEvents.counted("event")) waiting")
      case .bytes: (Int64(report.waitingBytes), "\(report.waitingBytes.counted("byte")) waiting")
      case .deadLetters: (Int64(deadLetters(report)), deadLetters(report).counted("dead letter"))
      case .age: (age(report, now), "the oldest event waits since \(oldest(report))")
      }
    guard value > limit else { return nil }
    return DocumentDiagnostic(.error, .alarm, "\(text): \(words)", file: path)
  }

  private func deadLetters(_ report: DoctorReport) -> Int { report.deadLetters.values.reduce(0, +) }

  private func age(_ report: DoctorReport, _ now: Int64) -> Int64 {
    guard let oldest = report.oldestEvent else { return 0 }
    let (age, overflow) = now.subtractingReportingOverflow(oldest)
    return overflow ? .max : age
  }

  private func oldest(_ report: DoctorReport) -> String {
    report.oldestEvent.map { Timestamp.text(milliseconds: $0) } ?? "now"
  }
}

/// The value of `--fail-if`: conditions separated by commas.
struct AlarmConditions: Sendable, Hashable {
  let all: [AlarmCondition]

  init(_ text: String) throws {
    all = try text.split(separator: ",", omittingEmptySubsequences: false).map { try AlarmCondition(String($0)) }
  }
}
