import DualSend
import DualSendCommandLine
import DualSendTesting

/// The events of a file that golden files are made of, whatever the order of its lines.
struct GoldenEvents {
  /// The events with their files, sorted by name.
  let cases: [GoldenSelection.Case]
  /// How many more events there are.
  let leftOutCount: Int
  /// How many lines are no legacy event.
  let malformedLines: Int

  /// Reads a file, and names its malformed lines on the console.
  ///
  /// - Parameter perName: the most events of one name.
  init(_ path: String, perName: Int, format: OutputFormat, on console: Console) throws {
    var selection = GoldenSelection(perName: perName)
    var lines = try LegacyLines(path)
    try lines.forEach("golden", on: console) { selection.add($0.event) }
    lines.reportMalformed(on: console, format: format)
    cases = selection.cases
    leftOutCount = lines.eventCount - cases.count
    malformedLines = lines.malformedCount
  }

  /// The files that belong to these events.
  var files: Set<String> { Set(cases.map(\.file)) }
}
