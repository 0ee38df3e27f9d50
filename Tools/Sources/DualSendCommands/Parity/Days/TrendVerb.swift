import ArgumentParser
import DualSendCommandLine
import DualSendCore
import Foundation

/// `dualsend trend`: shows kept parity over time.
struct TrendVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Show parity over time, as `dualsend parity --keep` kept it.",
    discussion: """
      `parity --keep FILE` keeps the counts of each UTC day, event and revision as JSON lines, for example in \
      DOCUMENT.parity.jsonl beside the rollout document, where the console looks for them. Keep this file in git. A \
      comparison replaces the days of its logs, unless the file has more events of a day. The file has the last 400 days.
      Noise is not subtracted. The revision is that of the decision that an event carries.
      """
  )

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, csv, json, markdown
  }

  @Argument(help: ArgumentHelp("The kept counts.", valueName: "file"))
  var file: String
  @Option(help: "What a row is about.")
  var by: ParityTrend.Grouping = .day
  @Option(help: ArgumentHelp("Only this event, by its old name.", valueName: "name"))
  var event: String?
  @Option(help: ArgumentHelp("Only events that this revision of the rollout decided.", valueName: "number"))
  var revision: Int64?
  @Option(help: ArgumentHelp("From this UTC day on.", valueName: "YYYY-MM-DD"), transform: Self.day)
  var since: Int64?
  @Option(help: ArgumentHelp("Up to this UTC day.", valueName: "YYYY-MM-DD"), transform: Self.day)
  var until: Int64?
  @Option(name: .customLong("format"), help: "The form of the result.")
  var form: Form = .text

  var format: OutputFormat { form == .json ? .json : .text }

  @Sendable private static func day(_ text: String) throws -> Int64 {
    guard let day = ParityDays.day(text) else { throw ValidationError("`\(text)` is not a date like 2026-01-31") }
    return day
  }

  func validate() throws {
    if let since, let until, since > until { throw ValidationError("--since is after --until") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandError("there is no file \(file)", help: "`dualsend parity --keep \(file)` makes it")
    }
    var filter = ParityTrend.Filter()
    filter.event = event.map { ExactText($0) }
    filter.revision = revision
    filter.days = (since ?? .min)...(until ?? .max)
    let trend = ParityTrend(try ParityDays(reading: file), by: by, filter: filter)
    switch form {
    case .csv: terminal.data(trend.csv)
    case .markdown: terminal.data(trend.markdown)
    case .json: terminal.result(["rows": trend.json])
    case .text where trend.rows.isEmpty: break
    case .text: terminal.result(trend.text)
    }
    if trend.rows.isEmpty { terminal.note("no kept day has such an event") }
    return .clean
  }
}

extension ParityTrend.Grouping: ExpressibleByArgument {}
