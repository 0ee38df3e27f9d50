import ArgumentParser
import DualSendCommandLine
import DualSendCore
import Foundation

/// The options with which `dualsend parity` shows kept parity over time.
struct TrendOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep the counts of each day, event and revision in this file, for example DOCUMENT.parity.jsonl; without streams to compare, show them.",
      valueName: "file"))
  var trend: String?
  @Option(help: "With --trend alone: what a row is about.")
  var by: ParityTrend.Grouping?
  @Option(help: ArgumentHelp("With --trend alone: only this event, by its old name.", valueName: "name"))
  var event: String?
  @Option(
    help: ArgumentHelp(
      "With --trend alone: only events that this revision of the rollout decided.", valueName: "number"))
  var revision: Int64?
  @Option(help: ArgumentHelp("With --trend alone: from this UTC day on.", valueName: "YYYY-MM-DD"), transform: Self.day)
  var since: Int64?
  @Option(help: ArgumentHelp("With --trend alone: up to this UTC day.", valueName: "YYYY-MM-DD"), transform: Self.day)
  var until: Int64?

  init() {}

  @Sendable private static func day(_ text: String) throws -> Int64 {
    guard let day = ParityDays.day(text) else { throw ValidationError("`\(text)` is not a date like 2026-01-31") }
    return day
  }

  func validate() throws {
    if trend == nil, isFiltered {
      throw ValidationError("--by, --event, --revision, --since and --until go with --trend")
    }
    if let since, let until, since > until { throw ValidationError("--since is after --until") }
  }

  /// Whether an option selects what is shown.
  var isFiltered: Bool { by != nil || event != nil || revision != nil || since != nil || until != nil }

  /// Shows the counts of a file.
  func run(_ file: String, form: ParityVerb.Form, on terminal: Terminal) throws -> CommandStatus {
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandError("there is no file \(file)", help: "a comparison with `--trend \(file)` makes it")
    }
    var filter = ParityTrend.Filter()
    filter.event = event.map { ExactText($0) }
    filter.revision = revision
    filter.days = (since ?? .min)...(until ?? .max)
    let trend = ParityTrend(try ParityDays(reading: file), by: by ?? .day, filter: filter)
    switch form {
    case .csv: terminal.data(trend.csv)
    case .markdown: terminal.data(trend.markdown)
    case .json: terminal.result(["rows": trend.json])
    case .text, .html: if !trend.rows.isEmpty { terminal.result(trend.text) }
    }
    if trend.rows.isEmpty { terminal.note("no kept day has such an event") }
    return .clean
  }
}

extension ParityTrend.Grouping: ExpressibleByArgument {}
