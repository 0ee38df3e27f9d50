import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendTesting

/// `dualsend golden record`: write golden files, for somebody to look at and commit.
struct GoldenRecordVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write golden files for the events of a file.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      A run that records proves nothing, so it always ends with exit status 1. Where `CI` is set to anything but an \
      empty text it is refused. \
      Files that belong to no event are named and left where they are.
      """
  )

  @OptionGroup var options: GoldenOptions

  var format: OutputFormat { options.output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    guard !GoldenMode.refusesRecording(in: console.environment) else {
      throw CommandError(
        "golden files are not recorded where `CI` is set",
        help: "record them where somebody looks at what changed, and commit them")
    }
    let adapter = try options.adapter(on: console)
    let events = try options.read(on: console)
    let folder = options.folder
    var recording = GoldenRecording(events)
    do {
      for item in events.cases {
        let text = await adapter.record(item.event).text
        recording.add(try folder.verdict(on: text, inFile: item.file), item.file)
        try folder.record(text, inFile: item.file)
      }
      recording.orphans = try folder.orphans(besidesFiles: events.files)
    } catch {
      throw CommandError("cannot record below \(options.dir): \(error)", help: "check the path")
    }
    if format == .json { console.result(recording.json) } else { console.result(recording.text(below: options.dir)) }
    console.note("note: nothing was verified; look at what changed, commit it, and run `dualsend golden verify`")
    return .findings
  }
}
