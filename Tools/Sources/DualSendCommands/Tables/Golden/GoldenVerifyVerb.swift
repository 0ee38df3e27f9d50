import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendTesting
import Foundation

/// `dualsend golden verify`: hold what becomes of each event against its golden file.
struct GoldenVerifyVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare what becomes of events with their golden files.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      Writes nothing. Shows the lines that differ, payloads included: golden files are about them. Files that differ \
      in the same way are shown as one. Exit status 1 if a file differs, is missing or belongs to no event, or lines \
      were malformed.
      """
  )

  @OptionGroup var options: GoldenOptions

  var format: OutputFormat { options.output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: options.dir, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        "there is no folder \(options.dir)", help: "check the path, or make it with `dualsend golden record`")
    }
    let adapter = try options.adapter(on: console)
    let events = try options.read(on: console)
    let folder = options.folder
    var comparison = GoldenComparison(events)
    do {
      for item in events.cases {
        let text = await adapter.record(item.event).text
        comparison.add(try folder.verdict(on: text, inFile: item.file), item.file)
      }
      comparison.orphans = try folder.orphans(besidesFiles: events.files)
    } catch {
      throw CommandError("cannot read \(options.dir): \(error)")
    }
    if format == .json { console.result(comparison.json) } else { console.result(comparison.text) }
    guard !comparison.isMatch else { return events.malformedLines == 0 ? .clean : .findings }
    console.note(
      "note: if the new content is right, run `dualsend golden record` with the same options and commit the change")
    return .findings
  }
}
