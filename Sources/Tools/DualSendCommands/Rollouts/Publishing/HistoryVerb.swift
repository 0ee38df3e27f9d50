import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend history`: shows what was published, by whom and why.
struct HistoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show what was published, by whom and why.",
    discussion: """
      The console, `publish`, `kill`, `rollback` and `guard` append each publication to DOCUMENT.history.jsonl before it is \
      sent, and its outcome after: the user, the message, the time, the plan, the gate's numbers and the text. Keep this file in \
      git. The record of an address is a file in $XDG_STATE_HOME/dualsend, by default ~/.local/state/dualsend. \
      `rollback --to-entry` goes back to an entry. Entries are sorted by revision. \
      An entry's name is the start of the SHA-256 hash of its line, so it stays the same when branches are merged.
      A document that was published in another way is recorded with --add.
      Exit status 1 if the document is not the one recorded last, if a line is not an entry, or if the outcome of a \
      publication is not known.
      """.examples(
        "dualsend history rollout.json",
        "dualsend history rollout.json --add --message 'new tracker to 20 %'")
  )

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown
  }

  @Argument(help: ArgumentHelp("The rollout document, or the address that it is published to.", valueName: "file"))
  var document: DocumentInput
  @Option(help: ArgumentHelp("Show this entry with its plan and numbers.", valueName: "entry"))
  var entry: String?
  @Option(help: ArgumentHelp("Show the last entries.", valueName: "number"))
  var limit = 20
  @Flag(help: "Record the document as it is now.")
  var add = false
  @OptionGroup var headers: HeaderOption
  @OptionGroup var message: MessageOption
  @OptionGroup var options: RecordOptions
  @Option(name: .customLong("format"), help: "The form of the result.")
  var form: Form = .text

  var format: OutputFormat { form == .json ? .json : .text }

  func validate() throws {
    if !(1...10_000).contains(limit) { throw ValidationError("--limit is 1 to 10000") }
    if add, entry != nil { throw ValidationError("--add and --entry exclude each other") }
    if !add, message.message != nil || options.user != nil {
      throw ValidationError("--message and --user go with --add")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let target = PublicationTarget(document, headers: headers.fields)
    guard let record = options.record(of: target, on: terminal) else {
      throw CommandError("there is no place for the record of \(document.name)", help: "name one with --history")
    }
    if let entry {
      let entry = try record.entry(entry)
      if form == .json { terminal.result(entry.json(isWhole: true)) } else { terminal.result(entry.text) }
      return .clean
    }
    if options.history == nil, let file = document.path, FileManager.default.fileExists(atPath: file),
      !InputFile.isRegularFile(file)
    {
      throw CommandError("\(file) is a pipe, beside which there is no record", help: "name the record with --history")
    }
    let bytes =
      if let address = target.address { try await address.bytes(on: terminal) } else {
        try await document.bytes(on: terminal)
      }
    if add { return try add(bytes, to: record, on: terminal) }
    let reading = try record.read(last: limit)
    let findings = reading.findings(live: reading.entries.isEmpty ? nil : bytes, file: record.path)
    switch form {
    case .json:
      terminal.result([
        "entries": .array(reading.entries.reversed().map { $0.json(isWhole: false) }),
        "earlierLines": .int(Int64(reading.unread)), "findings": DiagnosticRenderer.value(findings),
      ])
    case .markdown: terminal.data(Array(reading.entries.reversed()).table.markdown)
    case .text where reading.entries.isEmpty: terminal.note("\(record.path) has no entries yet")
    case .text: terminal.result(Array(reading.entries.reversed()).table.text)
    }
    if form != .json {
      if reading.unread > 0 { terminal.note("\(reading.unread.grouped) earlier not shown; see --limit") }
      terminal.report(findings, format: format)
    }
    return findings.isEmpty ? .clean : .findings
  }

  private func add(_ bytes: [UInt8], to record: PublicationRecord, on terminal: Terminal) throws -> CommandStatus {
    let new = try RolloutDocument(proving: bytes, name: document.name)
    let before = try record.read(last: limit).lastPublished.map { Array($0.publication.text.utf8) }
    guard before != bytes else {
      terminal.note("the document is recorded already")
      return .clean
    }
    let now = TimeSource.system.wallMilliseconds()
    let plan = try before.flatMap { try? RolloutDocument(reading: $0, name: "") }.map { before in
      PlanReport(
        before: "before", after: "after", steps: try RolloutPlan.steps(from: before, to: new, now: now)
      ).text
    }
    let added = Publication(
      by: .added, time: now, user: options.user, message: message.message, before: before, after: bytes, plan: plan)
    let warnings = record.add(added)
    terminal.report(warnings, format: format)
    return warnings.isEmpty ? .clean : .couldNotRun
  }
}
