import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend explain`: explains the decision for one event, the remapping of its values, or the buckets of units.
struct ExplainVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show how one event is decided, how its values are remapped, or which buckets units are in.",
    usage: """
      dualsend explain <file> --event <name> [--remap <file>] [--unit <id>] [\(ContextOptions.usage)]
                       [--breaker] [--format <format>]
      dualsend explain --remap <file> --event <name> --payload <json> [--format <format>]
      dualsend explain <file> --bucket [--unit <id>] ... [--units <file>] [--format <format>]
      dualsend explain --salt <text> --bucket [--unit <id>] ... [--units <file>] [--format <format>]
      """,
    discussion: """
      Each document is \(DocumentInput.forms).

      Schedules are evaluated at --at, by default now. A device without a trusted clock ignores scheduled flags.

      With --bucket: a unit has the new tracker from the percentage in the third column upwards, and keeps the old logger \
      down to the one in the fourth. A file of units has one per line. Empty lines are skipped; spaces are part of the unit.
      """.examples(
        "dualsend explain rollout.json --event home.tap --unit u-1 --platform iOS",
        #"dualsend explain --remap remapping.json --event tap --payload '{"sku": 7}'"#,
        "dualsend explain rollout.json --bucket --unit u-1")
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: DocumentInput?
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: DocumentInput?
  @Option(
    help: ArgumentHelp(
      "The event, as the app logs it; with a table, also as the collector shows it.", valueName: "name"))
  var event: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The unit ID; without it, the event has none. May be repeated with --bucket.", valueName: "id"))
  var unit: [String] = []
  @Option(
    help: ArgumentHelp("The event's parameters, a JSON object.", valueName: "json"), transform: { try Payload($0) })
  var payload: Payload?
  @Flag(help: "Decide as on a device whose breaker is open.")
  var breaker = false
  @OptionGroup(title: "Buckets") var buckets: BucketOptions
  @OptionGroup var headers: HeaderOption
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
    try headers.check(rollout)
    if buckets.bucket {
      if event != nil || remap != nil || payload != nil || breaker {
        throw ValidationError("--bucket excludes --event, --remap, --payload and --breaker")
      }
      return try buckets.validate(document: rollout, unit: unit)
    }
    guard let event else { throw ValidationError("name an event with --event, or units with --bucket") }
    if unit.count > 1 { throw ValidationError("only --bucket takes more than one --unit") }
    if event.hasSuffix("*") {
      throw ValidationError("`\(event)` is a pattern: name one event, as the app sends it")
    }
    switch (rollout, remap) {
    case (nil, nil): throw ValidationError("name a rollout document, or a remapping table with --remap")
    case (_?, _?) where payload != nil: throw ValidationError("--payload goes with --remap alone")
    case (nil, _?) where payload == nil: throw ValidationError("--remap needs --payload")
    case (nil, _?) where breaker: throw ValidationError("--breaker needs a rollout document")
    case (_?, nil) where payload != nil: throw ValidationError("--payload needs --remap")
    default: break
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if buckets.bucket {
      try await buckets.run(document: rollout, unit: unit, format: format, on: terminal)
      return .clean
    }
    guard let event else { return .usage }
    let table = try await AppEvents.table(remap, beside: rollout?.path, on: terminal)
    if let table, let payload {
      terminal.report(table.warnings, format: format)
      let account = RemappingReport(
        of: table, event: event, payload: payload.members, inexactNumbers: payload.inexactNumbers)
      if format == .json { terminal.result(account.json) } else { terminal.result(account.text) }
    } else if let rollout {
      let document = try RolloutDocument(
        proving: try await rollout.bytes(headers.fields, on: terminal), name: rollout.name)
      terminal.report(document.warnings, format: format)
      for name in names(event, in: AppEvents(document, table: table), on: terminal) {
        let account = DecisionReport(
          of: document, at: context.moment.milliseconds, event: name, context: context.context(unitID: unit.first),
          isSteppedBack: breaker)
        if format == .json { terminal.result(account.json) } else { terminal.result(account.text) }
      }
    }
    return .clean
  }

  /// The app's names of an event that may be named as the collector shows it.
  private func names(_ event: String, in events: AppEvents, on terminal: Terminal) -> [String] {
    do { return try events.patterns(.exact(event), on: terminal).map(\.stem) } catch {
      terminal.note(
        "note: `\(event)` is taken as a name of the app: neither the document nor a table (--remap) knows it")
      return [event]
    }
  }

  /// A payload on a command line.
  struct Payload: Sendable {
    let members: [String: EventValue]
    /// The count of numbers that lost digits.
    let inexactNumbers: Int

    init(_ text: String) throws {
      let value: EventValue
      var inexactNumbers = 0
      do { value = try JSONReader().value(text.utf8, countingInexact: &inexactNumbers) } catch {
        throw ValidationError("the payload is not JSON: \(error.description) at byte \(error.offset)")
      }
      guard case .object(let members) = value else {
        throw ValidationError("the payload is not a JSON object: found \(value.typeName)")
      }
      self.members = members
      self.inexactNumbers = inexactNumbers
    }
  }
}

// MARK: - Bucket options

/// The options with which `dualsend explain` prints the buckets of units.
struct BucketOptions: ParsableArguments {
  @Flag(help: "Print the bucket of each unit, and the percentages at which it changes sinks.")
  var bucket = false
  @Option(help: ArgumentHelp("With --bucket: this salt instead of a document's.", valueName: "text"))
  var salt: String?
  @Option(help: ArgumentHelp("With --bucket: a file of units too; - for standard input.", valueName: "file"))
  var units: String?

  init() {}

  func validate() throws {
    if !bucket, salt != nil || units != nil { throw ValidationError("--salt and --units go with --bucket") }
  }

  /// Checks the options together with those that name the document and the units.
  func validate(document: DocumentInput?, unit: [String]) throws {
    if (salt == nil) == (document == nil) { throw ValidationError("name a rollout document, or a salt with --salt") }
    if salt?.isEmpty == true { throw ValidationError("--salt is empty, and no rollout document has an empty salt") }
    if unit.isEmpty, units == nil { throw ValidationError("name a unit with --unit, or a file of them with --units") }
    try DocumentInput.checkStandardInput([units == "-", document?.isStandardInput == true].count { $0 })
  }

  func run(document: DocumentInput?, unit: [String], format: OutputFormat, on terminal: Terminal) async throws {
    var salt = salt ?? ""
    if let document {
      let rollout = try RolloutDocument(proving: try await document.bytes(on: terminal), name: document.name)
      terminal.report(rollout.warnings, format: format)
      salt = rollout.salt
    }
    let bucketing = RolloutBucketing(salt: salt)
    let buckets = try allUnits(unit, terminal).map { ($0, bucketing.bucket(of: $0).index) }
    if format == .json {
      terminal.result(.array(buckets.map { ["unit": .string($0.0), "bucket": .int(Int64($0.1))] }))
      return
    }
    var table = TextTable([.words("unit"), .numbers("bucket"), .numbers("new from"), .numbers("old down to")])
    for (unit, bucket) in buckets {
      let shares = [bucket + 1, RolloutBucket.count - bucket].map {
        RolloutPercentage(thousandths: $0)?.description ?? ""
      }
      table.addRow([unit, "\(bucket)"] + shares)
    }
    terminal.result(table.text)
  }

  /// The units of the command line, then those of the file, in order.
  private func allUnits(_ unit: [String], _ terminal: Terminal) throws -> [String] {
    guard let units else { return unit }
    let name = units == "-" ? DocumentInput.standardInputName : units
    let handle =
      units == "-"
      ? terminal.input
      : try InputFile.opened(units) { try FileHandle(forReadingFrom: URL(fileURLWithPath: units)) }
    var reader = LineReader(handle)
    var all = unit
    while let line = reader.next() {
      if line.bytes.isEmpty { continue }
      guard let text = String(utf8: line.bytes), !line.isCut else {
        throw CommandError("line \(line.number) of \(name) is no unit: it is not UTF-8, or too long")
      }
      all.append(text)
    }
    if let failure = reader.failure {
      throw CommandError("cannot read \(name) to its end: \(failure.localizedDescription)")
    }
    return all
  }
}
