import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendParity
import DualSendRemapping
import Foundation

/// `dualsend draft`: a remapping table to start from.
struct DraftVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "Draft a remapping table from two streams, or from names.",
    discussion: """
      With --old and --new the pairs of both streams show renames, nested paths, conversions, value tables, constants, \
      defaults and dropped keys. At most --pairs pairs of each event are kept (those that the join hands over first): \
      four of five are learned from, the fifth is held out. A row is written if the upper 95% bound of the share of the \
      event's pairs that contradict it is at most 1 - --confidence (59 pairs without a contradiction at 0.95), and at \
      most a fifth among the pairs in which the new key does not have its most frequent value (14 pairs). Where two old keys explain a new one equally well, no row is written.

      With --names (a CSV with the columns `event` and `key`, or `new event` and `new key`, and `type`; or a \
      specification in JSON) and --inventory or --old, names of the same words are taken to be the same. A key that has one word more or less (`course`, `course_id`) and no \
      other partner gets a row that is marked as a guess.

      What speaks for each row, and the candidates of what is left open, stands in each entry under `//`: names and \
      counts, never values. A value table, a constant or a default is made of values that were seen, though.

      --into keeps a table as people wrote it, byte for byte, and adds what is missing.

      Exit status 1 if held-out pairs contradict a claim, a written row is contradicted, or lines were malformed.
      """
  )

  /// How lines are joined.
  enum Join: String, ExpressibleByArgument, CaseIterable {
    case id, order
  }

  @Option(help: ArgumentHelp("What the old sink wrote, as JSON lines.", valueName: "file"))
  var old: String?
  @Option(help: ArgumentHelp("What the collector received, as JSON lines.", valueName: "file"))
  var new: String?
  @Option(help: "Join the two streams by event id, or by unit and order in time.")
  var join: Join = .id
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @Option(
    help: ArgumentHelp("With --join order: where the new payload carries the unit.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var unitKey: KeyPathPattern?
  @Option(help: ArgumentHelp("With --join order: the most milliseconds within a pair.", valueName: "ms"))
  var window: Int64 = 0
  @Option(help: ArgumentHelp("The call sites, as `dualsend inventory` lists them.", valueName: "file"))
  var inventory: String?
  @Option(help: ArgumentHelp("The new names: a tracking plan as CSV, or a specification as JSON.", valueName: "file"))
  var names: String?
  @Option(help: ArgumentHelp("How sure a row must be, above 0 and below 1.", valueName: "share"))
  var confidence = 0.95
  @Option(help: ArgumentHelp("The most pairs of one event that are kept.", valueName: "number"))
  var pairs = 500
  @Option(help: ArgumentHelp("Add what is missing to this table.", valueName: "table"))
  var into: String?
  @Option(
    name: .customLong("output"), help: ArgumentHelp("Where the draft goes; a new file.", valueName: "file"))
  var destination: String?
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if names == nil, old == nil || new == nil { throw ValidationError("name --old and --new, or --names") }
    if names != nil, new != nil { throw ValidationError("--names and --new exclude each other") }
    if names != nil, (old == nil) == (inventory == nil) {
      throw ValidationError("--names needs the old side: --inventory, or --old")
    }
    if names == nil, inventory != nil { throw ValidationError("--inventory needs --names") }
    if join == .order, idKey != nil { throw ValidationError("--id-key is for --join id") }
    if join == .id, unitKey != nil { throw ValidationError("--unit-key is for --join order") }
    if window < 0 { throw ValidationError("--window is a number of milliseconds") }
    if !(confidence > 0 && confidence < 1) { throw ValidationError("--confidence is above 0 and below 1") }
    if !(1...100_000).contains(pairs) { throw ValidationError("--pairs is a number from 1 to 100000") }
    if into != nil, destination != nil { throw ValidationError("--into and --output exclude each other") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    if let destination, FileManager.default.fileExists(atPath: destination) {
      throw CommandError("\(destination) is there already", help: "name a new file, or add to it with --into")
    }
    var findings: [DocumentDiagnostic] = []
    var sample: PairSample?
    let draft: TableDraft
    if let names {
      let oldNames = try DraftSources.oldNames(inventory: inventory, stream: old, on: console)
      draft = TableDraft(old: oldNames, new: try DraftSources.newNames(names))
    } else {
      let pairs = try self.sample(&findings, on: console)
      sample = pairs
      draft = TableDraft(pairs, confidence: DraftConfidence(confidence))
      let check = try DraftCheck(draft, heldOutOf: pairs)
      findings += DraftReport.tell(check, DraftConfidence(confidence), on: console)
    }
    let report = DraftReport(draft: draft)
    findings += report.unnamable
    if let into {
      let merge = try TableMerge(
        draft, into: InputFile.bytes(into), name: into,
        heldAgainst: sample.map { ($0, DraftConfidence(confidence)) })
      if !merge.added.isEmpty { try InputFile.replace(into, with: merge.bytes) }
      console.result(format == .json ? EventValue.array(merge.added.map { .string($0) }).canonicalText : added(merge))
      findings += merge.findings
    } else if let destination {
      try InputFile.replace(destination, with: Array(draft.text().utf8))
    } else {
      console.document(format == .json ? draft.json().canonicalText : draft.text())
    }
    console.note(report.summary)
    console.report(findings)
    return findings.isEmpty ? .clean : .findings
  }

  /// The pairs of both streams, as many as are kept.
  private func sample(_ findings: inout [DocumentDiagnostic], on console: Console) throws -> PairSample {
    let rule: JoinRule = join == .id ? .eventID(parameter: idKey) : .order(unit: unitKey, window: window)
    let (sample, counts) = try DraftSources.sample(
      old: old ?? "", new: new ?? "", joinedBy: rule, pairsPerEvent: pairs, on: console)
    findings += DraftReport.malformed(counts, old: old, new: new)
    if counts.pairs == 0 {
      throw CommandError(
        "no line of one stream has a partner in the other",
        help: "are both of the same time and units? --id-key names the old parameter that carries the id")
    }
    let size = sample.size
    console.note(
      "\(counts.pairs.counted("pair")), \(counts.lone.counted("line")) without a partner;"
        + " \(size.learned.grouped) learned from, \(size.heldOut.grouped) held out")
    return sample
  }

  private func added(_ merge: TableMerge) -> String {
    (merge.added.map { "+ " + $0 } + ["\(merge.added.count.grouped) added"]).joined(separator: "\n")
  }
}
