import DualSend

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
    var events: [String: LegacyEvent] = [:]
    var lines = try LegacyLines(path)
    try lines.forEach("golden", on: console) { line in
      if events[line.event.name] == nil { events[line.event.name] = line.event }
    }
    lines.reportMalformed(on: console, format: format)
    first = events.values.sorted { $0.name < $1.name }
    laterCount = lines.eventCount - first.count
    malformedLines = lines.malformedCount
  }
}
