import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// `dualsend remap`: a stream of legacy events under their new names and keys.
struct RemapVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "remap",
    abstract: "Rewrite legacy events as a remapping table says, line by line.",
    usage: "dualsend remap <table> [<events>] [--format <format>]",
    discussion: """
      Reads {"name":…, "parameters":{…}, …} from each line and writes the same line with the new name and parameters; \
      its other members stay as they are. Without a file of events it reads standard input:

        dualsend remap remapping.json < events.jsonl > new.jsonl

      Exit status 1 if lines were malformed; they are named and skipped.
      """
  )

  @Argument(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var table: String
  @Argument(help: ArgumentHelp("The legacy events; standard input by default.", valueName: "events"))
  var events: String?
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let remapping = try RemappingTable(try InputFile.bytes(table), name: table)
    console.report(remapping.warnings, format: format)
    var lines = try LegacyLines(events)
    var writer = LineWriter(console)
    var totals = Totals()
    try lines.forEach("remap", on: console) { line in
      let remapped = remapping.apply(to: line.event.name, payload: line.event.parameters)
      totals.add(remapped)
      var members = line.members
      members["name"] = .string(remapped.name)
      members["parameters"] = .object(remapped.payload)
      writer.append(.object(members))
    }
    writer.flush()
    lines.reportMalformed(on: console, format: format)
    console.note(
      "\(lines.eventCount.counted("event")) remapped, \(lines.malformedCount.grouped) lines skipped; \(totals)",
      json: totals.json(remapped: lines.eventCount, skipped: lines.malformedCount))
    return lines.malformedCount == 0 ? .clean : .findings
  }

  /// What did not go as smoothly as a rename.
  private struct Totals: CustomStringConvertible {
    private var clashes = 0
    private var failures = 0
    private var lossy = 0

    mutating func add(_ remapped: RemappedEvent) {
      clashes += remapped.clashes
      failures += remapped.conversionFailures
      lossy += remapped.lossyConversions
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
