import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendParity
import DualSendRemapping
import Foundation

/// `dualsend draft`: drafts a remapping table.
struct DraftVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "Draft a remapping table from two streams, or from names.",
    discussion: """
      With --old and --new, the draft is learned from the pairs of both streams: renames, nested paths, conversions, value \
      tables, constants, defaults and dropped keys. The first --pairs pairs of each event are used: four of five to learn \
      from, the fifth is held out. A row needs two bounds on the share of contradicting pairs, both at 95%: at most \
      1 - --confidence among all pairs of the event (59 pairs without a contradiction at 0.95), and at most a fifth among \
      the pairs in which the new key does not have its most frequent value (14 pairs). If two old keys explain a new one \
      equally well, no row is written.
      With --names (a CSV with the columns `event` and `key`, or `new event` and `new key`, and `type`; or a specification \
      in JSON) and --inventory or --old, names with the same words are matched. A key with one word more or less \
      (`course`, `course_id`) and no other match gets a row that is marked as a guess.
      Each entry has a comment `//` with the evidence for each row and the candidates for open questions: names and counts, \
      never values. Value tables, constants and defaults contain values that were seen.
      --into adds missing rows to a table and leaves the rest unchanged, byte for byte.
      Exit status 1 if held-out pairs contradict a claim, pairs contradict a row of the table, or lines were malformed.
      """
  )

  /// How lines are joined.
  enum Join: String, ExpressibleByArgument, CaseIterable {
    case id, order
  }

  @Option(help: ArgumentHelp("The old sink's output, as JSON lines.", valueName: "file"))
  var old: String?
  @Option(help: ArgumentHelp("The events that the collector received, as JSON lines.", valueName: "file"))
  var new: String?
  @Option(help: "Join the two streams by event id, or by unit and order in time.")
  var join: Join = .id
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @Option(
    help: ArgumentHelp("With --join order: the path of the unit in new payloads.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var unitKey: KeyPathPattern?
  @Option(help: ArgumentHelp("With --join order: the longest time between the two events of a pair.", valueName: "ms"))
  var window: Int64 = 0
  @Option(help: ArgumentHelp("The call sites, as `dualsend inventory` lists them.", valueName: "file"))
  var inventory: String?
  @Option(help: ArgumentHelp("The new names: a tracking plan as CSV, or a specification as JSON.", valueName: "file"))
  var names: String?
  @Option(help: ArgumentHelp("The confidence that a row needs, above 0 and below 1.", valueName: "share"))
  var confidence = 0.95
  @Option(help: ArgumentHelp("The largest number of pairs of one event.", valueName: "number"))
  var pairs = 500
  @Option(help: ArgumentHelp("Add missing rows to this table.", valueName: "table"))
  var into: String?
  @Option(
    name: .customLong("output"), help: ArgumentHelp("The output, a new file.", valueName: "file"))
  var destination: String?
  @OptionGroup var output: FormatOption

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

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if let destination, FileManager.default.fileExists(atPath: destination) {
      throw CommandError("\(destination) already exists", help: "name a new file, or add to it with --into")
    }
    var findings: [DocumentDiagnostic] = []
    var sample: PairSample?
    let draft: TableDraft
    if let names {
      let oldNames = try DraftSources.oldNames(inventory: inventory, stream: old, on: terminal)
      draft = TableDraft(old: oldNames, new: try DraftSources.newNames(names))
    } else {
      let pairs = try self.sample(&findings, on: terminal)
      sample = pairs
      draft = TableDraft(pairs, confidence: DraftConfidence(confidence))
      let check = try DraftCheck(draft, heldOutOf: pairs)
      findings += DraftReport.report(check, DraftConfidence(confidence), on: terminal)
    }
    let report = DraftReport(draft: draft)
    findings += report.unnamable
    if let into {
      let merge = try TableMerge(
        draft, into: InputFile.bytes(into), name: into,
        heldAgainst: sample.map { ($0, DraftConfidence(confidence)) })
      if !merge.added.isEmpty { try InputFile.replace(into, with: merge.bytes) }
      terminal.result(format == .json ? EventValue.array(merge.added.map { .string($0) }).canonicalText : added(merge))
      findings += merge.findings
    } else if let destination {
      try InputFile.replace(destination, with: Array(draft.text().utf8))
    } else {
      terminal.document(format == .json ? draft.json().canonicalText : draft.text())
    }
    terminal.note(report.summary)
    terminal.report(findings)
    return findings.isEmpty ? .clean : .findings
  }

  /// The pairs of both streams, up to the limit per event.
  private func sample(_ findings: inout [DocumentDiagnostic], on terminal: Terminal) throws -> PairSample {
    let rule: JoinRule = join == .id ? .eventID(parameter: idKey) : .order(unit: unitKey, window: window)
    let (sample, counts) = try DraftSources.sample(
      old: old ?? "", new: new ?? "", joinedBy: rule, pairsPerEvent: pairs, on: terminal)
    findings += DraftReport.malformed(counts, old: old, new: new)
    if counts.pairs == 0 {
      throw CommandError(
        "no line of one stream has a partner in the other",
        help: "do both cover the same time and units? --id-key names the old parameter that carries the id")
    }
    let size = sample.size
    terminal.note(
      "\(counts.pairs.counted("pair")), \(counts.lone.counted("line")) without a partner;"
        + " \(size.learned.grouped) learned from, \(size.heldOut.grouped) held out")
    return sample
  }

  private func added(_ merge: TableMerge) -> String {
    (merge.added.map { "+ " + $0 } + ["\(merge.added.count.grouped) added"]).joined(separator: "\n")
  }
}
