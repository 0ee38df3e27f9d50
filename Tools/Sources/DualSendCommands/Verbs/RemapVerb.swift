import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// `dualsend remap`: a stream of legacy events under their new names and keys.
struct RemapVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "remap",
    abstract: "Rewrite legacy events as a remapping table says, line by line.",
    usage: "dualsend remap <table> [<events>] [--inverse] [--format <format>]",
    discussion: """
      Reads {"name":…, "parameters":{…}, …} from each line and writes the same line with the new name and parameters; \
      its other members stay as they are. Without a file of events it reads standard input:

        dualsend remap remapping.json < events.jsonl > new.jsonl

      With --inverse, new events become old ones again, if the table can be undone (`dualsend validate` says so).

      Exit status 1 if lines were malformed, which are named and skipped, or with --inverse are none that the table writes.
      """
  )

  @Argument(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var table: String
  @Argument(help: ArgumentHelp("The legacy events; standard input by default.", valueName: "events"))
  var events: String?
  @Flag(help: "Turn new events back into the old ones.")
  var inverse = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let written = try RemappingTable(try InputFile.bytes(table), name: table)
    console.report(written.warnings, format: format)
    let remapping = inverse ? try undone(written) : written
    var strangers = 0
    var lines = try LegacyLines(events)
    var writer = LineWriter(console)
    var totals = Totals()
    try lines.forEach("remap", on: console) { line in
      let remapped = remapping.apply(to: line.event.name, payload: line.event.parameters)
      totals.add(remapped, inexactNumbers: line.inexactNumbers)
      if inverse, !written.writes(line.event, from: remapped) { strangers += 1 }
      var members = line.members
      members["name"] = .string(remapped.name)
      members["parameters"] = .object(remapped.payload)
      writer.append(.object(members))
    }
    writer.flush()
    lines.reportMalformed(on: console, format: format)
    if strangers > 0 { console.report([Self.finding(strangers)], format: format) }
    console.note(
      "\(lines.eventCount.counted("event")) remapped, \(lines.malformedCount.grouped) lines skipped; \(totals)",
      json: totals.json(remapped: lines.eventCount, skipped: lines.malformedCount))
    return lines.malformedCount + strangers == 0 ? .clean : .findings
  }

  private func undone(_ written: RemappingTable) throws -> RemappingTable {
    guard let inverted = written.inverted() else { throw InversionReport(of: written, name: table).refusal }
    return inverted
  }

  private static func finding(_ strangers: Int) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .notRemapped,
      "\(strangers.counted("event")) did not come out of this table: undone, they do not give it back",
      help: "use the table that the events were remapped with")
  }

  /// What did not go as smoothly as a rename.
  private struct Totals: CustomStringConvertible {
    private var clashes = 0
    private var failures = 0
    private var lossy = 0

    mutating func add(_ remapped: RemappedEvent, inexactNumbers: Int) {
      clashes += remapped.clashes
      failures += remapped.conversionFailures
      lossy += remapped.lossyConversions + inexactNumbers
    }

    var description: String {
      "\(clashes.grouped) clashed, \(failures.grouped) could not be converted, \(lossy.grouped) lost digits"
    }

    func json(remapped: Int, skipped: Int) -> EventValue {
      [
        "remappedEvents": .int(Int64(remapped)), "malformedLines": .int(Int64(skipped)),
        "clashes": .int(Int64(clashes)), "conversionFailures": .int(Int64(failures)),
        "lossyConversions": .int(Int64(lossy)),
      ]
    }
  }

  /// Hands lines to the results in large pieces.
  private struct LineWriter {
    private static let bufferSize = 64 << 10
    private let console: Console
    private var buffer: [UInt8] = []

    init(_ console: Console) {
      self.console = console
    }

    mutating func append(_ value: EventValue) {
      buffer += value.canonicalJSON
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= Self.bufferSize { flush() }
    }

    mutating func flush() {
      guard !buffer.isEmpty else { return }
      console.data(String(decoding: buffer, as: UTF8.self))
      buffer.removeAll(keepingCapacity: true)
    }
  }
}

extension RemappingTable {
  /// Whether the table makes exactly this event of an old one.
  fileprivate func writes(_ event: LegacyEvent, from old: RemappedEvent) -> Bool {
    let again = apply(to: old.name, payload: old.payload)
    return again.name.isExactly(event.name) && EventValue.object(again.payload) == .object(event.parameters)
  }
}
