import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendTesting

/// `dualsend golden record`: write golden files, for somebody to look at and commit.
struct GoldenRecordVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write a golden file for each event name.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      A run that records proves nothing, so it always ends with exit status 1, and where `CI` is set it is refused. \
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
      for event in events.first {
        let text = await adapter.record(event).text
        recording.add(try folder.verdict(on: text, named: event.name), GoldenFolder.fileName(event.name))
        try folder.record(text, named: event.name)
      }
      recording.orphans = try folder.orphans(besides: events.first.map(\.name))
    } catch {
      throw CommandError("cannot record below \(options.dir): \(error)", help: "check the path")
    }
    if format == .json { console.result(recording.json) } else { console.result(recording.text(below: options.dir)) }
    console.note("note: nothing was verified; look at what changed, commit it, and run `dualsend golden verify`")
    return .findings
  }
}
