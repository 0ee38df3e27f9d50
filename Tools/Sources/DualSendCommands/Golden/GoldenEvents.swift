import DualSend
@_spi(Tools) import DualSendCore

/// The events of a file that golden files are made of.
struct GoldenEvents {
  /// The first event of each name, sorted by name.
  let first: [LegacyEvent]
  /// How many more events of these names there are.
  let laterCount: Int
  /// How many lines are no legacy event.
  let malformedLines: Int

  /// Reads a file, and names its malformed lines on the console.
  init(_ path: String, format: OutputFormat, on console: Console) throws {
    var events: [ExactText: LegacyEvent] = [:]
    var lines = try LegacyLines(path)
    try lines.forEach("golden", on: console) { line in
      let name = ExactText(line.event.name)
      if events[name] == nil { events[name] = line.event }
    }
    lines.reportMalformed(on: console, format: format)
    first = events.values.sorted { String.byteOrder($0.name, $1.name) }
    laterCount = lines.eventCount - first.count
    malformedLines = lines.malformedCount
  }
}
