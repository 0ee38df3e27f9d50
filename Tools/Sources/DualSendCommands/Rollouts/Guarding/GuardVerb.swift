import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity
import DualSendRemapping
import Foundation

/// `dualsend guard`: the rollout on autopilot.
struct GuardVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Take a rollout from step to step while both streams agree, and back when they do not.",
    discussion: """
      The policy names the steps, how long each holds, and the bounds that have to be shown before the next: see \
      `dualsend schema guard`. The evidence is both streams as JSON lines (--old, --new), which may grow and be folders \
      that are filled, or reports that `dualsend parity --format json` saved (--report). An event counts for the step \
      at whose time it was made, once the policy's `settle` has passed.

      The tests hold at every look, so that looking each minute makes no more errors than looking once.

      DOCUMENT is \(DocumentInput.forms). A file is published by replacing it, an address by PUT to --publish; both with \
      the checks of the console. A document that changed in between is not touched.

      State and log are kept beside the document, as DOCUMENT.guard-state and DOCUMENT.guard-log. A guard that was killed \
      goes on where it was.

      Runs until the last step is shown to keep its bounds (exit status 0) or a bound is broken; with --once, for cron, \
      looks once. Exit status 1 if a bound is broken, or was and --resume was not given since; if the document \
      was changed; or if the next step is refused.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document that is live.", valueName: "document"))
  var document: DocumentInput
  @Option(help: ArgumentHelp("The policy.", valueName: "file"))
  var policy: String
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What the old sink wrote, as JSON lines; may be repeated.", valueName: "file or folder"))
  var old: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What the collector received, as JSON lines; may be repeated.", valueName: "file or folder"))
  var new: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Parity that was measured already; reports that are saved after a step began count for it.",
      valueName: "file or folder"))
  var report: [String] = []
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String?
  @Option(
    help: ArgumentHelp(
      "What the old sink does to a payload: `firebase`, `none`, or a file.", valueName: "preset or file"))
  var normalise = "none"
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @OptionGroup(title: "Where events belong") var membership: MembershipOptions
  @Option(help: ArgumentHelp("Sign what is published with this secret key.", valueName: "file"))
  var key: String?
  @Option(help: ArgumentHelp("Publish by PUT to this address.", valueName: "address"))
  var publish: DocumentAddress?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of --publish, such as `Authorization: Bearer …`; may be repeated.", valueName: "name: value"),
    transform: { try HeaderField($0) })
  var header: [HeaderField] = []
  @Option(help: ArgumentHelp("Keep the state in this file.", valueName: "file"))
  var state: String?
  @Option(help: ArgumentHelp("Append each decision to this file, as JSON lines.", valueName: "file"))
  var log: String?
  @Flag(help: "Look once.")
  var once = false
  @Option(help: ArgumentHelp("Look every so many seconds.", valueName: "seconds"))
  var every = 60
  @Flag(help: "Say what a look would decide, and change nothing.")
  var dryRun = false
  @Flag(help: "Go on after a stop, or after another has changed the document; the step begins anew.")
  var resume = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if document.isStandardInput {
      throw ValidationError("a document that is published is a file or an address, not standard input")
    }
    if every < 1 { throw ValidationError("--every is at least 1 second") }
    if old.isEmpty != new.isEmpty { throw ValidationError("--old and --new go together") }
    if old.isEmpty, report.isEmpty { throw ValidationError("the evidence is --old and --new, or --report") }
    if !old.isEmpty, remap == nil { throw ValidationError("--old and --new need --remap") }
    if publish == nil, !header.isEmpty { throw ValidationError("--header goes with --publish") }
    if document.path == nil {
      if publish == nil { throw ValidationError("a document at an address is published with --publish") }
      if state == nil || log == nil { throw ValidationError("a document at an address needs --state and --log") }
    }
    if dryRun, resume { throw ValidationError("--dry-run and --resume exclude each other") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let policy = try GuardPolicy(try InputFile.bytes(policy), name: policy)
    let rollout = GuardedRollout(
      input: document, rule: policy.rule,
      publisher: RolloutPublisher(
        target: publish, headers: header,
        transport: terminal.transport),
      key: key.map(SigningKeyFile.init), terminal: terminal)
    let streams = try streams()
    _ = try membership.membership()
    let messenger = GuardMessenger(webhook: policy.webhook, command: policy.command, terminal: terminal)
    let memory: any GuardMemory =
      dryRun ? GuardGlance(path: statePath) : try GuardFiles(state: statePath, log: log ?? document.name + ".guard-log")
    let guardian = Guard(
      policy: policy, document: rollout, memory: memory,
      evidence: { period in
        // The document that says where events belong may be the one that the guard moves.
        try streams.evidence(of: period, in: try membership.membership())
      },
      tell: { try await messenger.tell($0) }, now: TimeSource.system.wallMilliseconds)
    do {
      if dryRun {
        show(try await guardian.preview(), on: terminal)
        return .clean
      }
      if resume { try await guardian.resume() }
      if once { return show(try await guardian.look(), on: terminal) }
      return try await loop(guardian, on: terminal)
    } catch let refusal as GuardRefusal {
      terminal.report(refusal.findings, format: format)
      return .findings
    }
  }

  private var statePath: String { state ?? document.name + ".guard-state" }

  private func streams() throws -> GuardStreams {
    let table = try remap.map { try RemappingTable(try InputFile.bytes($0), name: $0) } ?? RemappingTable()
    let comparer = ParityComparer(
      table: table,
      normalisation: try Normalisation.presets[normalise]
        ?? Normalisation(try InputFile.bytes(normalise), name: normalise),
      join: .eventID(parameter: idKey))
    return GuardStreams(old: old, new: new, reports: report, comparer: comparer)
  }

  private func loop(_ guardian: Guard, on terminal: Terminal) async throws -> CommandStatus {
    try await withThrowingTaskGroup(of: CommandStatus?.self) { group in
      group.addTask {
        await Interruption.wait()
        return .clean
      }
      group.addTask {
        var last: String?
        while !Task.isCancelled {
          do {
            let outcome = try await guardian.look()
            if outcome.decision.why != last || outcome.decision.action != .wait { show(outcome, on: terminal) }
            last = outcome.decision.why
            if outcome.isFinal {
              return outcome.decision.action.isBreach || !outcome.findings.isEmpty ? .findings : .clean
            }
          } catch let refusal as GuardRefusal {
            throw refusal
          } catch {
            // What could not be read or published may be there at the next look.
            terminal.report(error as? CommandError ?? CommandError("\(error)"))
          }
          try await TimeSource.system.sleep(.seconds(every))
        }
        return .clean
      }
      let status = try await group.next() ?? .clean
      group.cancelAll()
      return status ?? .clean
    }
  }

  @discardableResult
  private func show(_ outcome: Guard.Outcome, on terminal: Terminal) -> CommandStatus {
    show(outcome.decision, on: terminal)
    terminal.report(outcome.findings, format: format)
    return outcome.findings.contains { $0.severity == .error } ? .findings : .clean
  }

  private func show(_ decision: GuardDecision, on terminal: Terminal) {
    if format == .json { terminal.result(decision.json) } else { terminal.result(decision.text) }
  }
}

/// The state for a look that changes nothing.
private struct GuardGlance: GuardMemory {
  let path: String

  func state() throws -> GuardState? { try GuardFiles.state(at: path) }
  func keep(_ state: GuardState) {}
  func log(_ decision: GuardDecision) {}
}
