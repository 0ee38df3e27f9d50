import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendTesting
import Foundation

/// `dualsend golden verify`: compares the results for events with golden files.
struct GoldenVerifyVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the results for events with their golden files.",
    discussion: """
      \(GoldenOptions.whatFilesHold)

      Writes nothing. Shows the lines that differ, including payloads. Files that differ in the same way are shown as one. \
      Exit status 1 if a file differs, is missing or has no event, or lines were malformed.
      """
  )

  @OptionGroup var options: GoldenOptions

  var format: OutputFormat { options.output.format }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: options.dir, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        "there is no folder \(options.dir)", help: "check the path, or create it with `dualsend golden record`")
    }
    let adapter = try options.adapter(on: terminal)
    let events = try options.read(on: terminal)
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
    if format == .json { terminal.result(comparison.json) } else { terminal.result(comparison.text) }
    guard !comparison.isMatch else { return events.malformedLines == 0 ? .clean : .findings }
    terminal.note(
      "note: if the new result is right, run `dualsend golden record` with the same options and commit the change")
    return .findings
  }
}
