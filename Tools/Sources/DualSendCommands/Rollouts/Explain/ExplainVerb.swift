import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend explain`: explains the decision for one event, or the remapping of its values.
struct ExplainVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show how one event is decided, rule by rule, or how its values are remapped.",
    usage: """
      dualsend explain <file> --event <name> [--unit <id>] [\(ContextOptions.usage)]
                       [--breaker] [--format <format>]
      dualsend explain --remap <file> --event <name> --payload <json> [--format <format>]
      """,
    discussion: """
      Each document is \(DocumentInput.forms).

      Schedules are evaluated at --at, by default now. A device without a trusted clock ignores scheduled flags.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: DocumentInput?
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: DocumentInput?
  @Option(help: ArgumentHelp("The event's old name.", valueName: "name"))
  var event: String
  @Option(help: ArgumentHelp("The unit ID; without it, the event has none.", valueName: "id"))
  var unit: String?
  @Option(
    help: ArgumentHelp("The event's parameters, a JSON object.", valueName: "json"), transform: { try Payload($0) })
  var payload: Payload?
  @Flag(help: "Decide as on a device whose breaker is open.")
  var breaker = false
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
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
        of: document, at: context.moment.milliseconds, event: event, context: context.context(unitID: unit),
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
