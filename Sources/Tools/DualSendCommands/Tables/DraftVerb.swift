import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendRemapping
import DualSendSource
import Foundation

/// `dualsend table draft`: drafts a remapping table.
struct DraftVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "Draft a remapping table from the old and the new names.",
    discussion: """
      The old names are those of --inventory or of the events in --old. The new names are a CSV with the columns `event` \
      and `key`, or `new event` and `new key`, and `type`; a specification in JSON; or another tool's tracking plan in JSON \
      (`dualsend specify --plan`).
      A name is matched with one that is the same, that is restyled (the same words with other capitals or separators), that \
      has the same words by --words or by a common abbreviation (btn, qty), that has the same values (of a closed list in \
      the plan), or that is similar (another order, one word more or less). Only the first two can be sure: if no other name \
      has these words, they are not one vague word such as `id` or `value`, the types agree, and, of a key, the event is sure. Everything else is a \
      proposal that a person checks. Old keys of the same words become one row with several sources.
      --review writes a spreadsheet with all lines for a person to edit, which `dualsend table import` reads. Without it, the \
      table is printed; each entry has a comment `//` with the reason for each row that changes something, and the candidates \
      for open questions.
      --into adds missing rows to a table and leaves the rest unchanged, byte for byte.
      Exit status 1 if a name cannot have a row, the draft contradicts a row of the table, or lines were malformed.
      """.examples(
        "dualsend table draft --old old.jsonl --names plan.csv -o remapping.json",
        "dualsend table draft --inventory calls.jsonl --names plan.csv \\\n      --into remapping.json")
  )

  @Option(help: ArgumentHelp("The call sites, as `dualsend inventory` lists them.", valueName: "file"))
  var inventory: String?
  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var old: String?
  @OptionGroup var oldFormat: OldFormatOption
  @Option(help: ArgumentHelp("The new names: a tracking plan as CSV, or a specification as JSON.", valueName: "file"))
  var names: String
  @Option(
    help: ArgumentHelp(
      "The team's words: CSV with the columns `old` and `new`, a word, several or a whole name in each.",
      valueName: "file"))
  var words: String?
  @Option(help: ArgumentHelp("Write a spreadsheet for review, a new file.", valueName: "file"))
  var review: String?
  @Option(help: ArgumentHelp("Add missing rows to this table.", valueName: "table"))
  var into: String?
  @Option(
    name: .output, help: ArgumentHelp("The output, a new file.", valueName: "file"))
  var destination: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    if (old == nil) == (inventory == nil) { throw ValidationError("name the old side: --inventory, or --old") }
    if [into, destination, review].count(where: { $0 != nil }) > 1 {
      throw ValidationError("--into, --output and --review exclude each other")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if let destination = destination ?? review, FileManager.default.fileExists(atPath: destination) {
      throw CommandError("\(destination) already exists", help: "name a new file, or add to it with --into")
    }
    let newNames = try newNames(on: terminal)
    let (oldNames, malformedLines) = try oldNames(needsValues: newNames.hasValues, on: terminal)
    let words = try words.map { try WordList(csv: InputFile.bytes($0), name: $0) } ?? WordList()
    let draft = TableDraft(old: oldNames, new: newNames, words: words)
    var findings = draft.unnamable.map { name in
      DocumentDiagnostic(
        .warning, .unnamableEvent, "a table cannot have an entry for the event `\(name)`",
        help: "rename the event in the app: an entry cannot be named like a comment or end in `*`")
    }
    if let into {
      let merge = try TableMerge(draft, into: InputFile.bytes(into), name: into)
      if !merge.added.isEmpty { try InputFile.replace(into, with: merge.bytes) }
      terminal.result(format == .json ? EventValue.array(merge.added.map { .string($0) }).canonicalText : added(merge))
      findings += merge.findings
    } else if let review {
      let file = ReviewFile(draft)
      try InputFile.replace(review, with: Array(file.csv.utf8))
      terminal.result("\(file.lineCount.counted("line")) written, \(file.unsureCount.grouped) to check")
    } else if let destination {
      try InputFile.replace(destination, with: Array(draft.text().utf8))
    } else {
      terminal.document(format == .json ? draft.json().canonicalText : draft.text())
    }
    terminal.note(summary(draft))
    terminal.report(findings)
    return findings.isEmpty && malformedLines == 0 ? .clean : .findings
  }

  /// The names of the inventory, or of the events.
  ///
  /// - Parameter needsValues: whether every line is read for its values.
  private func oldNames(needsValues: Bool, on terminal: Terminal) throws -> (names: NamedEvents, malformedLines: Int) {
    if let inventory { return (NamedEvents(try Inventory(InputFile.bytes(inventory), name: inventory)), 0) }
    var names = NamedEvents()
    var shapes = KnownShapes()
    var lines = try LegacyLines(old, oldFormat, input: terminal.input)
    try lines.forEach("draft", on: terminal, unless: { !needsValues && shapes.counts($0) }) { line in
      let event = line.logged
      names.add(event.name, payload: event.parameters)
      shapes.learn(event)
    }
    lines.reportMalformed(on: terminal, format: format)
    return (names, lines.isClean ? 0 : max(1, lines.malformedCount))
  }

  /// The names of a specification in JSON, else of a spreadsheet.
  private func newNames(on terminal: Terminal) throws -> NamedEvents {
    let bytes = try InputFile.bytes(names)
    guard names.hasSuffix(".json") else { return try NamedEvents(csv: bytes, name: names) }
    if let plan = (try? JSONReader(maximumBytes: 64 << 20).value(bytes)).flatMap({ TrackingPlan($0, name: names) }) {
      terminal.report(plan.findings, format: format)
      return plan.names
    }
    var events = NamedEvents()
    for event in try EventSpecification(reading: bytes, name: names).events {
      events.add(event.name)
      for parameter in event.parameters {
        let key = KeyPathPattern(key: parameter.key).description + (parameter.type.isArray ? "[]" : "")
        let type = ValueType(rawValue: parameter.type.element.rawValue)
        events.add(event.name, key: key, types: type.map { [$0] } ?? [])
        events.add(event.name, key: key, values: parameter.values)
      }
    }
    return events
  }

  private func added(_ merge: TableMerge) -> String {
    (merge.added.map { "+ " + $0 } + ["\(merge.added.count.grouped) added"]).joined(separator: "\n")
  }

  /// The counts of found rows and open questions, in one line.
  private func summary(_ draft: TableDraft) -> String {
    let names = draft.events.count { $0.newName != nil }
    let rows = draft.events.reduce(0) { $0 + $1.rows.count }
    let open = draft.events.reduce(0) { $0 + $1.open.count }
    let matches = draft.matches
    return "\(draft.events.count.counted("event")): \(names.counted("new name")), \(rows.counted("row"));"
      + " \(matches.sure.grouped) of the matches sure, \(matches.unsure.grouped) to check, \(open.counted("question")) left open"
  }
}

extension DocumentDiagnostic.Code {
  /// A table cannot have an entry for an event's name.
  static let unnamableEvent = DocumentDiagnostic.Code(rawValue: "DS1103")
}
