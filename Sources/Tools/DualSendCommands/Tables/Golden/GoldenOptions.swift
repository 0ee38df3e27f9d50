import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis
import DualSendTesting
import Foundation

/// The options that recording and verifying share: the events, the table and the rollout.
struct GoldenOptions: ParsableArguments {
  static let whatFilesHold = """
    One event of each name in the events file, or several with --per-name, passes through the real adapter. The order of \
    the lines does not matter: the events whose canonical JSON sorts first are chosen, the others are counted. The golden \
    file of an event, NAME.json (NAME~2.json and so on for further ones), holds the input, the decision with its reason, \
    and the events that each sink received.
    """

  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @OptionGroup var oldFormat: OldFormatOption
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: String
  @Option(help: ArgumentHelp("The folder of golden files.", valueName: "folder"))
  var folder: String
  @Option(help: ArgumentHelp("The largest number of events of one name.", valueName: "number"))
  var perName = 1
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
    if perName < 1 { throw ValidationError("--per-name must be at least 1") }
  }

  var files: GoldenFolder { GoldenFolder(URL(fileURLWithPath: folder, isDirectory: true)) }

  /// The adapter with these documents.
  func adapter(on terminal: Terminal) throws -> GoldenAdapter {
    let table = try RemappingTable(reading: try InputFile.bytes(remap), name: remap)
    let document = try RolloutDocument(proving: try InputFile.bytes(rollout), name: rollout)
    let time = context.moment.at
    if time == nil, RolloutSnapshot(document).nextChange != nil {
      throw CommandError(
        "\(rollout) has schedules, so the files would change over time",
        help: "name the time of evaluation with --at")
    }
    terminal.report(table.warnings + document.warnings, format: output.format)
    return GoldenAdapter(
      remapping: table, rollout: RolloutSnapshot(document, at: time), context: context.context(unitID: nil))
  }

  /// The events that get golden files. Reports the malformed lines.
  func read(on terminal: Terminal) throws -> GoldenEvents {
    let events = try GoldenEvents(self.events, oldFormat, perName: perName, format: output.format, on: terminal)
    guard !events.cases.isEmpty else {
      throw CommandError("\(self.events) holds no legacy event", help: "check the path")
    }
    if events.leftOutCount > 0 {
      terminal.note("note: \(events.leftOutCount.counted("more event")) of the same names left out; see --per-name")
    }
    return events
  }
}

/// The events of a file that get golden files. Does not depend on the order of the lines.
struct GoldenEvents {
  /// The events with their files, sorted by name.
  let cases: [GoldenSelection.Case]
  /// The number of other events.
  let leftOutCount: Int
  let malformedLines: Int

  /// Reads a file, and reports its malformed lines.
  ///
  /// - Parameter perName: the largest number of events of one name.
  init(_ path: String, _ oldFormat: OldFormatOption, perName: Int, format: OutputFormat, on terminal: Terminal) throws {
    var selection = GoldenSelection(perName: perName)
    var lines = try LegacyLines(path, oldFormat)
    try lines.forEach("golden", on: terminal) { selection.add($0.event) }
    lines.reportMalformed(on: terminal, format: format)
    cases = selection.cases
    leftOutCount = lines.eventCount - cases.count
    malformedLines = lines.isClean ? 0 : max(1, lines.malformedCount)
  }

  /// The files that belong to these events.
  var files: Set<String> { Set(cases.map(\.file)) }
}

/// `dualsend golden`: golden files for teams whose CI runs no Swift tests.
struct GoldenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden",
    abstract: "Record the remapping and delivery of events in files, and detect changes.",
    subcommands: [GoldenRecordVerb.self, GoldenVerifyVerb.self]
  )
}

// MARK: - Golden verify verb

/// `dualsend golden verify`: compares the results for events with golden files.
struct GoldenVerifyVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the results for events with their golden files.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      Writes nothing. Shows the lines that differ, including payloads. Files that differ in the same way are shown as one. \
      Exit status 1 if a file differs, is missing or has no event, or lines were malformed.
      """.examples(
        "dualsend golden verify --events old.jsonl --remap remapping.json \\\n      --rollout rollout.json --folder golden"
      )
  )

  @OptionGroup var options: GoldenOptions

  var format: OutputFormat { options.output.format }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: options.folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        "there is no folder \(options.folder)", help: "check the path, or create it with `dualsend golden record`")
    }
    let adapter = try options.adapter(on: terminal)
    let events = try options.read(on: terminal)
    let folder = options.files
    var comparison = GoldenComparison(events)
    do {
      for item in events.cases {
        let text = await adapter.record(item.event).text
        comparison.add(try folder.verdict(on: text, inFile: item.file), item.file)
      }
      comparison.orphans = try folder.orphans(besidesFiles: events.files)
    } catch {
      throw CommandError("cannot read \(options.folder): \(error)")
    }
    if format == .json { terminal.result(comparison.json) } else { terminal.result(comparison.text) }
    guard !comparison.isMatch else { return events.malformedLines == 0 ? .clean : .findings }
    terminal.note(
      "note: if the new result is right, run `dualsend golden record` with the same options and commit the change")
    return .findings
  }
}
