import ArgumentParser
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import Foundation

/// The options of `dualsend console`.
package struct ConsoleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port; 0 chooses a free one.", valueName: "number"))
  var port: UInt16 = 0
  @OptionGroup var join: JoinOptions
  @OptionGroup var formats: StreamFormatOptions
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A recording of the old stream. Given twice: the differences between the two recordings are noise.",
      valueName: "file"))
  var calibrate: [String] = []
  @Option(help: ArgumentHelp("Follow this file, to which the old logger writes JSON lines.", valueName: "file"))
  var oldLog: String?
  @Option(
    help: ArgumentHelp("Follow this file of new events, as --output of another console writes it.", valueName: "file"))
  var newLog: String?
  @Flag(help: "Read --old-log and --new-log from their start, to show recorded streams (default: from their end).")
  var fromStart = false
  @Option(
    name: .output,
    help: ArgumentHelp(
      "Append the received new events, payloads included, to this file as JSON lines, for `guard` and `parity`.",
      valueName: "file"))
  var record: String?
  @Option(
    help: ArgumentHelp(
      "Plot the counts by day that `dualsend parity --trend` keeps in this file (default: DOCUMENT.parity.jsonl).",
      valueName: "file"))
  var trend: String?
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var alarm: WebhookOption
  @Flag(help: "Show payload values on the page (default: only their types).")
  var showValues = false
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "An additional host name for the page, such as a tunnel's; may be repeated.", valueName: "name"))
  var allowHost: [String] = []
  @Option(
    help: ArgumentHelp("The time to wait for the other side of an event.", valueName: "seconds"))
  var lostAfter = 60.0
  @OptionGroup(title: "What parity passes") var gate: GateOptions
  @Option(help: ArgumentHelp("Serve the page from this folder instead.", visibility: .hidden))
  var page: String?

  /// Whether no file says anything.
  var hasNoSource: Bool { oldLog == nil && newLog == nil && join.remap == nil }

  func validate() throws {
    guard lostAfter >= 0.1, lostAfter <= 86_400 else { throw ValidationError("--lost-after is 0.1 to 86400 seconds") }
    guard calibrate.isEmpty || calibrate.count == 2 else {
      throw ValidationError("--calibrate must be given twice, with two recordings of the old stream")
    }
    if fromStart {
      let recordings = [oldLog, newLog].compactMap { $0 }
      if recordings.isEmpty { throw ValidationError("--from-start needs --old-log or --new-log") }
      for recording in recordings where !FileManager.default.fileExists(atPath: recording) {
        throw ValidationError("--from-start: there is no file \(recording)")
      }
    }
    if let record, record == newLog { throw ValidationError("--output and --new-log must be different files") }
    if join.remap == nil, !calibrate.isEmpty { throw ValidationError("--calibrate needs --remap") }
  }
}
