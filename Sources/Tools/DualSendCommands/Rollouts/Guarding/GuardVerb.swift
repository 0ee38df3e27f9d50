import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity
import DualSendRemapping
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend guard`: raises and lowers a share by a policy.
struct GuardVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Raise a rollout step by step while both streams agree, and lower it when they do not.",
    discussion: """
      The policy (`dualsend schema guard`) names the steps, the minimum time of each, and the bounds that must be shown \
      before the next. The evidence is both streams as JSON lines, or reports of `dualsend parity --format json`.
      DOCUMENT is a file, which is replaced, or an address, for which --publish names where to PUT. State and log are \
      beside it: DOCUMENT.guard-state and DOCUMENT.guard-log; DOCUMENT.guard-state.lines has what was read of the streams. \
      After a kill, the next run continues.
      Runs until the last step keeps its bounds (exit status 0) or a bound is broken; with --once, looks once, for cron. \
      Exit status 1 if a bound is broken, or was broken and --resume was not given since; if the document was changed; \
      or if the next step is refused. With --once, 2 if nothing was judged: the clock is wrong, or \
      lines are gone. \(MembershipOptions.hiddenOptions("guard"))
      """.examples(
        "dualsend guard rollout.json --policy guard.json --report reports --dry-run",
        "dualsend guard rollout.json --policy guard.json --report reports --once")
  )

  @Argument(help: ArgumentHelp("The rollout document that is live.", valueName: "document"))
  var document: DocumentInput
  @Option(help: ArgumentHelp("The policy.", valueName: "file"))
  var policy: String
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("The events of the old logger as JSON lines; may be repeated.", valueName: "file or folder"))
  var old: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The events that the collector received, as JSON lines; may be repeated.", valueName: "file or folder"))
  var new: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Saved parity reports; a report counts for the step in which it was saved. May be repeated.",
      valueName: "file or folder"))
  var report: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Dead letters as JSON lines, as `dualsend db letters --output` writes them; may be repeated.",
      valueName: "file or folder"))
  var deadLetters: [String] = []
  @OptionGroup var formats: StreamFormatOptions
  @OptionGroup var join: JoinOptions
  @OptionGroup(title: "Where events belong") var membership: MembershipOptions
  @OptionGroup var publishing: PublishingOptions
  @Option(help: ArgumentHelp("Keep the state in this file (default: DOCUMENT.guard-state).", valueName: "file"))
  var state: String?
  @Option(
    help: ArgumentHelp(
      "Append each decision to this file, as JSON lines (default: DOCUMENT.guard-log).", valueName: "file"))
  var log: String?
  @Flag(help: "Look once.")
  var once = false
  @Option(help: ArgumentHelp("The time between looks.", valueName: "seconds"))
  var interval = 60
  @Flag(help: "Print what a look would decide, and change nothing.")
  var dryRun = false
  @Flag(help: "Continue after a stop, or after the document was changed, if the answer is yes; the step begins again.")
  var resume = false
  @Flag(help: "Resume without asking.")
  var yes = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if document.isStandardInput {
      throw ValidationError("a document that is published is a file or an address, not standard input")
    }
    if interval < 1 { throw ValidationError("--interval is at least 1 second") }
    if old.isEmpty != new.isEmpty { throw ValidationError("--old and --new go together") }
    if old.isEmpty, report.isEmpty { throw ValidationError("the evidence is --old and --new, or --report") }
    if !old.isEmpty, join.remap == nil { throw ValidationError("--old and --new need --remap") }
    if document.path == nil {
      if state == nil || log == nil { throw ValidationError("a document at an address needs --state and --log") }
    }
    if dryRun, resume { throw ValidationError("--dry-run and --resume exclude each other") }
    if yes, !resume { throw ValidationError("--yes goes with --resume") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let policy = try GuardPolicy(try InputFile.bytes(policy), name: policy)
    terminal.report(policy.warnings, format: format)
    let act = try publishing.act(on: document, terminal)
    let rollout = GuardedRollout(
      name: document.name, rule: policy.rule, act: act, user: publishing.record.user)
    if policy.judgesDeadLetters == deadLetters.isEmpty {
      throw CommandError("a bound of dead letters and --dead-letters go together", help: "give both, or none")
    }
    // A guard that cannot sign says so now, not when it is needed.
    try act.refuseUnsigned(try await act.look())
    if policy.sample == .units, !report.isEmpty {
      throw CommandError(
        "saved reports count events, and the policy counts units",
        help: "give --old and --new, or let the policy say \"units\": \"events\"")
    }
    let streams = try streams(for: policy)
    _ = try membership.membership()
    let messenger = GuardMessenger(webhook: policy.webhook, command: policy.command, terminal: terminal)
    let memory: any GuardMemory =
      dryRun ? GuardGlance(path: statePath, logPath: logPath) : try GuardFiles(state: statePath, log: logPath)
    let store = try ParityStore(path: statePath + ".lines", isCopied: dryRun)
    let guardian = Guard(
      policy: policy, document: rollout, memory: memory,
      evidence: { period, revisions in
        // The guard knows the earlier revisions of the live document. Other documents are read at each look.
        let isOwn = membership.rollout == [document.name]
        let own = isOwn ? try revisions.enumerated().map(published) : nil
        let documents =
          try isOwn
          ? revisions.map { Array("\($0.since) \($0.text)".utf8) } : RolloutArguments.texts(membership.rollout)
        return try streams.evidence(
          of: period, since: revisions.last?.since ?? period.lowerBound, in: try membership.membership(by: own),
          documents: documents, keptIn: store)
      },
      channels: messenger.channels, clock: GuardMoment.system)
    do {
      if dryRun {
        show(try await guardian.preview(), on: terminal)
        return .clean
      }
      if resume {
        let isConfirmed = if yes { true } else { try await confirmsResume(of: rollout, memory, on: terminal) }
        guard isConfirmed else {
          terminal.note("the guard is not resumed")
          return .findings
        }
        try await guardian.resume()
      }
      if once { return show(try await guardian.look(), on: terminal) }
      return try await loop(guardian, on: terminal)
    } catch let refusal as GuardRefusal {
      terminal.report(refusal.findings, format: format)
      return .findings
    }
  }

  /// Asks whether the guard goes on, after what held it. There is no question without a state and a log: it begins.
  private func confirmsResume(
    of rollout: GuardedRollout, _ memory: any GuardMemory, on terminal: Terminal
  ) async throws -> Bool {
    let (state, last) = (try memory.state(), try memory.lastLogged())
    if state == nil, last == nil { return true }
    let live = try await rollout.live()
    var reasons: [String] = []
    if let stopped = state?.stopped {
      reasons.append("the rollout is stopped: \(stopped)")
    } else if let last {
      reasons.append("the last decision: \(last.text)")
    }
    if let state, live != Array(state.document.utf8) { reasons.append("another has changed the document") }
    if let kill = try rollout.killInForce() { reasons.append("a kill is in force: \(kill)") }
    return try terminal.confirms(reasons.joined(separator: "; ") + ". Go on from \(rollout.share(in: live))?")
  }

  private var logPath: String { log ?? document.name + ".guard-log" }
  private var statePath: String { state ?? document.name + ".guard-state" }

  /// The first revision was in force before all events.
  private func published(_ index: Int, _ revision: GuardState.Revision) throws -> PublishedRollout {
    PublishedRollout(
      try RolloutDocument(reading: Array(revision.text.utf8), name: document.name),
      since: index == 0 ? nil : revision.since)
  }

  private func streams(for policy: GuardPolicy) throws -> GuardStreams {
    var comparer = ParityComparer(table: try join.table(), normalisation: try join.normalisation(), join: join.byID)
    (comparer.samplesUnits, comparer.unitKey) = (policy.sample == .units, membership.unitKey)
    comparer.clusterKey = membership.clusterKey
    comparer.formats = formats.formats
    let names = [comparer.join.description, policy.sample.rawValue] + membership.texts + formats.texts
    let options = try join.texts() + names.map { Array($0.utf8) }
    return GuardStreams(
      old: old, new: new, reports: report, deadLetters: deadLetters, comparer: comparer, options: options)
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
            // The next look may be able to read or publish it.
            terminal.report(error as? CommandError ?? CommandError("\(error)"))
          }
          try await TimeSource.system.sleep(.seconds(interval))
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
    if outcome.findings.contains(where: { $0.severity == .error }) { return .findings }
    return outcome.isUndecided ? .couldNotRun : .clean
  }

  private func show(_ decision: GuardDecision, on terminal: Terminal) {
    if format == .json { terminal.result(decision.json) } else { terminal.result(decision.text) }
  }
}

/// The state for `--dry-run`.
private struct GuardGlance: GuardMemory {
  let path: String
  let logPath: String

  func state() throws -> GuardState? { try GuardFiles.state(at: path) }
  func keep(_ state: GuardState) {}
  func log(_ decision: GuardDecision) {}
  func lastLogged() throws -> GuardDecision? { try GuardFiles.lastLogged(in: logPath) }
}
