import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendTables

/// `dualsend remap`: rewrites a stream of legacy events with their new names and keys.
struct RemapVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "remap",
    abstract: "Rewrite legacy events by a remapping table, line by line.",
    usage: "dualsend remap <table> [--events <file>] [--inverse [--all-remapped]] [--format <format>]",
    discussion: """
      Reads {"name":…, "parameters":{…}, …} from each line and writes the same line with the new name and parameters; \
      other members stay unchanged. Without --events, it reads standard input.
      With --inverse, new events become old ones again, if the table can be undone (see `dualsend validate`). The inverse \
      is ambiguous for an event that the table may have left unchanged, because it already had a name or key that the table \
      writes: such events are counted. When remapping old events counts none that cannot be undone, pass --all-remapped.
      Exit status 1 if lines were malformed, which are reported and skipped; with --inverse, also if an event is not one \
      that the table writes, or is ambiguous.
      """.examples(
        "dualsend remap remapping.json --events old.jsonl > new.jsonl",
        "dualsend remap remapping.json --inverse < new.jsonl")
  )

  @Argument(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var table: String
  @Option(help: ArgumentHelp("The legacy events (default: standard input).", valueName: "file"))
  var events: String?
  @OptionGroup var oldFormat: OldFormatOption
  @Flag(help: "Turn new events into old ones again.")
  var inverse = false
  @Flag(help: "Assume that no old event had a name or key that the table writes.")
  var allRemapped = false
  @OptionGroup var output: FormatOption

  func validate() throws {
    if allRemapped, !inverse { throw ValidationError("--all-remapped needs --inverse") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let written = try RemappingTable(reading: try InputFile.bytes(table), name: table)
    terminal.report(written.warnings, format: format)
    let remapping = inverse ? try undone(written) : written
    let isInvertible = written.isInvertible
    var (strangers, ambiguous) = (0, 0)
    var lines = try LegacyLines(events, oldFormat)
    var writer = LineWriter(terminal)
    var totals = Totals()
    try lines.forEach("remap", on: terminal) { line in
      let remapped = remapping.apply(to: line.event.name, payload: line.event.parameters)
      totals.add(remapped, inexactNumbers: line.inexactNumbers)
      if inverse, !written.writes(line.event, from: remapped) {
        strangers += 1
      } else if inverse, !allRemapped, written.mayHaveLogged(line.event, insteadOf: remapped) {
        ambiguous += 1
      } else if !inverse, isInvertible, !written.isReversible(line.event.name, payload: line.event.parameters) {
        totals.irreversible += 1
      }
      var members = line.members
      members["name"] = .string(remapped.name)
      members["parameters"] = .object(remapped.payload)
      writer.append(.object(members))
    }
    writer.flush()
    lines.reportMalformed(on: terminal, format: format)
    let findings = Self.findings(strangers: strangers, ambiguous: ambiguous)
    if !findings.isEmpty { terminal.report(findings, format: format) }
    terminal.note(
      "\(lines.eventCount.counted("event")) remapped, \(lines.malformedCount.counted("line")) skipped; \(totals)",
      json: totals.json(remapped: lines.eventCount, skipped: lines.malformedCount))
    return lines.isClean && findings.isEmpty ? .clean : .findings
  }

  private func undone(_ written: RemappingTable) throws -> RemappingTable {
    guard let inverted = written.inverted() else { throw InversionReport(of: written, name: table).refusal }
    return inverted
  }

  private static func findings(strangers: Int, ambiguous: Int) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    if strangers > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .notRemapped,
          "\(strangers.counted("event")) cannot be a result of this table: undone and remapped again, they differ",
          help: "use the table that the events were remapped with"))
    }
    if ambiguous > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .ambiguousOrigin,
          "\(ambiguous.counted("event")) may have been logged with names or keys that the table writes: "
            + "undoing them may not give the old events",
          help: "if `dualsend remap` of the old events counts none that cannot be undone, add --all-remapped"))
    }
    return findings
  }

  /// The counts of problems.
  private struct Totals: CustomStringConvertible {
    private var clashes = 0
    private var failures = 0
    private var lossy = 0
    /// Events that the inverse of the table, if it has one, does not restore.
    var irreversible = 0

    mutating func add(_ remapped: RemappedEvent, inexactNumbers: Int) {
      clashes += remapped.clashes
      failures += remapped.conversionFailures
      lossy += remapped.lossyConversions + inexactNumbers
    }

    var description: String {
      "\(clashes.grouped) clashed, \(failures.grouped) could not be converted, \(lossy.grouped) lost digits"
        + (irreversible > 0 ? ", \(irreversible.grouped) cannot be undone" : "")
    }

    func json(remapped: Int, skipped: Int) -> EventValue {
      [
        "remappedEvents": .int(Int64(remapped)), "malformedLines": .int(Int64(skipped)),
        "clashes": .int(Int64(clashes)), "conversionFailures": .int(Int64(failures)),
        "lossyConversions": .int(Int64(lossy)), "irreversible": .int(Int64(irreversible)),
      ]
    }
  }

  /// Writes lines to standard output in large pieces.
  private struct LineWriter {
    private static let bufferSize = 64 << 10
    private let terminal: Terminal
    private var buffer: [UInt8] = []

    init(_ terminal: Terminal) {
      self.terminal = terminal
    }

    mutating func append(_ value: EventValue) {
      buffer += value.canonicalJSON
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= Self.bufferSize { flush() }
    }

    mutating func flush() {
      guard !buffer.isEmpty else { return }
      terminal.data(String(decoding: buffer, as: UTF8.self))
      buffer.removeAll(keepingCapacity: true)
    }
  }
}

extension RemappingTable {
  /// Whether the table turns the old event into exactly this event.
  fileprivate func writes(_ event: LegacyEvent, from old: RemappedEvent) -> Bool {
    let again = apply(to: old.name, payload: old.payload)
    return again.name.isExactly(event.name) && EventValue.object(again.payload) == .object(event.parameters)
  }

  /// Whether a new event, or some of its keys, may have been logged in this form: the table would not have changed it.
  fileprivate func mayHaveLogged(_ event: LegacyEvent, insteadOf old: RemappedEvent) -> Bool {
    !isReversible(old.name, payload: event.parameters)
      || !old.name.isExactly(event.name) && !isReversible(event.name, payload: event.parameters)
  }
}
