import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import Foundation

/// What recording and verifying have in common: the events, and what decides and renames them.
struct GoldenOptions: ParsableArguments {
  static let whatFilesHold = """
    One event of each name in the events file, or several with --per-name, goes through the real adapter: those whose \
    canonical JSON comes first, whatever the order of the lines. Its golden file, NAME.json (NAME~2.json and so on for \
    further ones), holds the input, the decision with its reason, and what each sink got. The other events of a name \
    are left out and counted.
    """

  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: String
  @Option(help: ArgumentHelp("The folder of golden files.", valueName: "folder"))
  var dir: String
  @Option(help: ArgumentHelp("The most events of one name.", valueName: "number"))
  var perName = 1
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  init() {}

  func validate() throws {
    if perName < 1 { throw ValidationError("--per-name is a number of events, at least 1") }
  }

  var folder: GoldenFolder { GoldenFolder(URL(fileURLWithPath: dir, isDirectory: true)) }

  /// The adapter that the documents ask for.
  func adapter(on console: Console) throws -> GoldenAdapter {
    let table = try RemappingTable(try InputFile.bytes(remap), name: remap)
    let document = try RolloutDocument(reading: try InputFile.bytes(rollout), name: rollout)
    let time = context.moment.at
    if time == nil, RolloutSnapshot(document).nextChange != nil {
      throw CommandError(
        "\(rollout) has schedules, so that the files would change with the day",
        help: "say with --at at which time they are read")
    }
    console.report(table.warnings + document.warnings, format: output.format)
    return GoldenAdapter(
      remapping: table, rollout: RolloutSnapshot(document, at: time), context: context.context(unitID: nil))
  }

  /// The events that golden files are made of; names the lines that are none.
  func read(on console: Console) throws -> GoldenEvents {
    let events = try GoldenEvents(self.events, perName: perName, format: output.format, on: console)
    guard !events.cases.isEmpty else {
      throw CommandError("\(self.events) holds no legacy event", help: "check the path")
    }
    if events.leftOutCount > 0 {
      console.note("note: \(events.leftOutCount.counted("more event")) of the same names left out; see --per-name")
    }
    return events
  }
}
