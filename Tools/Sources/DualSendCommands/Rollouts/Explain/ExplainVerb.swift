import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend explain`: explains the decision for one event, the remapping of its values, or the buckets of units.
struct ExplainVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show how one event is decided, how its values are remapped, or which buckets units are in.",
    usage: """
      dualsend explain <file> --event <name> [--unit <id>] [\(ContextOptions.usage)]
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
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: DocumentInput?
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: DocumentInput?
  @Option(help: ArgumentHelp("The event's old name.", valueName: "name"))
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
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
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
    case (_?, _?): throw ValidationError("name a rollout document or --remap, not both")
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
    if let remap, let payload {
      let table = try RemappingTable(try await remap.bytes(on: terminal), name: remap.name)
      terminal.report(table.warnings, format: format)
      let account = RemappingReport(
        of: table, event: event, payload: payload.members, inexactNumbers: payload.inexactNumbers)
      if format == .json { terminal.result(account.json) } else { terminal.result(account.text) }
    } else if let rollout {
      let document = try RolloutDocument(proving: try await rollout.bytes(on: terminal), name: rollout.name)
      terminal.report(document.warnings, format: format)
      let account = DecisionReport(
        of: document, at: context.moment.milliseconds, event: event, context: context.context(unitID: unit.first),
        isSteppedBack: breaker)
      if format == .json { terminal.result(account.json) } else { terminal.result(account.text) }
    }
    return .clean
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
