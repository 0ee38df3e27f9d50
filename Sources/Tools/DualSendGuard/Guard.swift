package import DualSendCore
import DualSendParity
import DualSendRollout

/// Moves a rollout by a policy. Each look at the evidence ends in one decision.
///
/// A decision other than to wait has four stages, each on disk before the next: the intent with the exact text, the
/// published text and its record, the line in the log, the new state. After a kill at any point, the next look continues.
/// The live text shows whether it was published, so it is never published twice.
package struct Guard: Sendable {
  /// The result of a look.
  package struct Outcome: Sendable, Hashable {
    package let decision: GuardDecision
    /// The findings to show, such as a breach.
    package let findings: [DocumentDiagnostic]
    /// Whether further looks change nothing until `--resume`.
    package let isFinal: Bool
    /// Whether nothing was judged, for a reason that is not the rollout's.
    package var isUndecided = false
  }

  /// Measures the events of a period, in milliseconds since 1970-01-01T00:00:00Z, under the given revisions.
  package typealias Evidence =
    @Sendable (ClosedRange<Int64>, [GuardState.Revision]) async throws -> GuardEvidence

  /// The time after a publication in which a read may return the text before, in milliseconds.
  private static let staleTime: Int64 = 600_000

  /// The most series in the log for a decision to wait, because each look logs one.
  private static let seriesOfWaiting = 10

  private let policy: GuardPolicy
  private let document: any GuardedDocument
  private let memory: any GuardMemory
  private let evidence: Evidence
  private let channels: [Channel]
  private let clock: @Sendable () -> GuardMoment

  package init(
    policy: GuardPolicy, document: any GuardedDocument, memory: any GuardMemory,
    evidence: @escaping Evidence,
    channels: [Channel], clock: @escaping @Sendable () -> GuardMoment
  ) {
    (self.policy, self.document, self.memory) = (policy, document, memory)
    (self.evidence, self.channels, self.clock) = (evidence, channels, clock)
  }

  private func now() -> Int64 { clock().time }

  /// Checks the evidence once, and carries out the decision.
  ///
  /// - Throws: ``GuardRefusal`` if it does not go on; any other error if something could not be read or published, which
  ///   the next look tries again.
  package func look() async throws -> Outcome {
    guard var state = try memory.state() else { return try await begin() }
    if let outcome = try checkClock(&state) { return outcome }
    if state.intent != nil { return try await finish(&state) }
    let findings = try await state.tell(by: channels, keeping: memory)
    if let text = try await conflict(with: state) { return try await refuse(text, &state) }
    state.conflict = nil
    if let stopped = state.stopped {
      if let withdrawal = try await withdrawal(of: state) { return try await carryOut(withdrawal, &state) }
      return try self.stopped(state, stopped, findings)
    }
    let measured = try await measure(state)
    if !measured.gone.isEmpty { return try beginAgain(without: measured.gone, &state) }
    let (decision, judgement) = try decide(state, by: measured)
    (state.series, state.policy) = (judgement.order, policy.summary)
    guard decision.action != .wait else {
      try memory.keep(state)
      try memory.log(decision)
      return Outcome(decision: decision, findings: findings, isFinal: state.isDone && state.untold.isEmpty)
    }
    if decision.action.isBreach {
      state.broken = GuardState.Breach(
        share: decision.from.thousandths, period: state.since...end(of: state),
        order: judgement.order, counts: Self.counts(judgement.breaches))
    }
    return try await carryOut(decision, against: judgement.failingEvents, &state)
  }

  /// The decision of a look, without carrying it out.
  package func preview() async throws -> GuardDecision {
    guard let state = try memory.state() else {
      try refuseLostState()
      let share = try document.share(in: try await document.live())
      return beginning(share, at: try startingStep(share))
    }
    if let intent = state.intent { return intent.decision }
    if try await conflict(with: state) != nil { throw Self.conflict }
    if let stopped = state.stopped { return try self.stopped(state, stopped, []).decision }
    let measured = try await measure(state)
    if !measured.gone.isEmpty { return try waiting(state, because: Self.linesGone(measured.gone)) }
    return try decide(state, by: measured).0
  }

  /// Continues from the live document after a stop, after another change, or without the state that the log tells of. The
  /// step begins again.
  package func resume() async throws {
    guard var state = try memory.state() else {
      guard let last = try memory.lastLogged() else { return }
      let live = try await document.live()
      _ = try startingStep(try document.share(in: live))
      var state = GuardState(since: now(), document: String(decoding: live, as: UTF8.self))
      (state.number, state.isHeld) = (last.number, true)
      return try memory.keep(state)
    }
    let live = try await document.live()
    let share = try document.share(in: live)
    _ = try startingStep(share)
    if let intent = state.intent {
      // The decision keeps its number and its report, also if its text was not published.
      let isPublished = intent.text.map { live == Array($0.utf8) } ?? true
      let decision = isPublished ? intent.decision : intent.decision.unpublished("the guard was resumed before")
      try memory.log(decision)
      state.finish(decision)
    }
    state.replaceDocument(with: String(decoding: live, as: UTF8.self), at: now())
    (state.series, state.stopped, state.isDone, state.intent) = ([], nil, false, nil)
    (state.conflict, state.broken, state.isHeld, state.withdrawn) = (nil, nil, true, [])
    try memory.keep(state)
  }

  // MARK: The clock

  /// Decides nothing at a look whose clock does not fit the machine's since the last look. The next look that fits goes on.
  private func checkClock(_ state: inout GuardState) throws -> Outcome? {
    let (moment, before) = (clock(), state.seen)
    state.seen = moment
    if let jump = before.flatMap({ moment.jump(since: $0) }) {
      let size = GuardMoment.text(abs(jump))
      return try wait(
        &state, .guardClock, "the clock went \(jump > 0 ? "ahead" : "back") by \(size); nothing was decided",
        help: "the next look that agrees with the clock goes on; check the machine's time service")
    }
    guard state.since > moment.time else { return nil }
    // It was wrong at the last publication.
    (state.since, state.series) = (moment.time, [])
    return try wait(
      &state, .guardClock, "the step began in the future, when the clock was wrong; it begins again now",
      help: "check the machine's time service")
  }

  private func wait(
    _ state: inout GuardState, _ code: DocumentDiagnostic.Code, _ why: String, help: String
  ) throws -> Outcome {
    let decision = try waiting(state, because: why)
    try memory.keep(state)
    try memory.log(decision)
    return Outcome(
      decision: decision, findings: [DocumentDiagnostic(.warning, code, why, help: help)], isFinal: false,
      isUndecided: true)
  }

  private func waiting(_ state: GuardState, because why: String) throws -> GuardDecision {
    let share = try document.share(in: Array(state.document.utf8))
    return GuardDecision(number: state.number, time: now(), action: .wait, from: share, to: share, why: why)
  }

  // MARK: Lines that are gone

  private static func linesGone(_ paths: [String]) -> String {
    let others = paths.count - 1
    return "lines that the last look read are gone from \(paths[0])"
      + (others > 0 ? " and \(others.counted("other file"))" : "") + "; nothing was decided, and the step begins again"
  }

  /// What is gone would look like loss, so only events from now on are judged. The failures so far stay.
  private func beginAgain(without paths: [String], _ state: inout GuardState) throws -> Outcome {
    state.beginAgain(at: now())
    return try wait(
      &state, .guardLinesGone, Self.linesGone(paths),
      help: "rotate by moving files into a folder, and give the folder, so that no look misses a line")
  }

  // MARK: Deciding

  private func measure(_ state: GuardState) async throws -> GuardEvidence {
    try await evidence(state.since...end(of: state), state.revisions)
  }

  /// The end of the judged time.
  private func end(of state: GuardState) -> Int64 { max(state.since, now() - policy.settle) }

  /// The end of a stop, if the events that broke a bound do not break it any more: their other lines came late.
  private func withdrawal(of state: GuardState) async throws -> GuardDecision? {
    guard let broken = state.broken else { return nil }
    let measured = try await evidence(broken.period, state.revisions)
    let judgement = GuardJudgement(measured, by: policy, at: broken.period.upperBound, seen: broken.order)
    let counts = Self.counts(judgement.series)
    // Files that are gone, or a policy that allows more, show nothing.
    let isMended = broken.counts.allSatisfy { key, before in
      counts[key].map { $0[0] < before[0] && $0[1] >= before[1] } ?? false
    }
    guard judgement.breaches.isEmpty, isMended else { return nil }
    let share = try document.share(in: Array(state.document.utf8))
    return GuardDecision(
      number: state.number + 1, time: now(), action: .withdraw, from: share, to: share,
      why: "with the lines that came late, no bound is broken; "
        + (state.withdrawn.contains(broken.share)
          ? "it is the second time at \(RolloutPercentage(thousandths: broken.share) ?? .none): set `settle` above the "
            + "99.9 % delay of `dualsend parity`, then let the guard go on with --resume" : "the step begins again"),
      series: judgement.json())
  }

  private func decide(_ state: GuardState, by measured: GuardEvidence) throws -> (GuardDecision, GuardJudgement) {
    let now = now()
    let share = try document.share(in: Array(state.document.utf8))
    let end = end(of: state)
    let judgement = GuardJudgement(measured, by: policy, at: end, seen: state.series)
    func decision(_ action: GuardDecision.Action, to: RolloutPercentage, _ why: String) -> GuardDecision {
      GuardDecision(
        number: state.number + (action == .wait ? 0 : 1), time: now, action: action, from: share, to: to, why: why,
        series: judgement.json(limit: action == .wait ? Self.seriesOfWaiting : .max))
    }
    if let first = judgement.breaches.first {
      let others = judgement.breaches.count - 1
      let why = first.counts + (others > 0 ? ", and \(others.grouped) more" : "")
      switch policy.onBreach {
      case .hold: return (decision(.hold, to: share, why), judgement)
      case .back:
        let before = policy.steps.last { $0.percentage < share }?.percentage ?? .none
        return (decision(.back, to: before, why), judgement)
      case .kill: return (decision(.kill, to: .none, why), judgement)
      }
    }
    if state.isDone { return (decision(.wait, to: share, "the last step is shown to keep its bounds"), judgement) }
    guard let step = try startingStep(share) else {
      // There is no evidence of units that do not have the new side.
      if state.isHeld {
        let why = "\(share) is below the first step after a stop; publish the first step, then let the guard go on"
        return (decision(.wait, to: share, why), judgement)
      }
      return (decision(.advance, to: policy.steps[0].percentage, "the first step"), judgement)
    }
    var reasons = judgement.reasonsToWait(for: measured, at: end)
    let left = state.since + policy.steps[step].hold - now
    if left > 0 { reasons.insert("the step holds for \((left / 60_000 + 1).counted("minute")) more", at: 0) }
    if !reasons.isEmpty { return (decision(.wait, to: share, reasons.joined(separator: "; ")), judgement) }
    var why = "each bound is shown: " + judgement.shown
    if policy.sample == .events { why += ", as if no event failed because of another" }
    if let unjudged = measured.unjudged(policy.sample) { why += "; not judged: \(unjudged.text)" }
    guard step + 1 < policy.steps.count else { return (decision(.done, to: share, why), judgement) }
    let next = policy.steps[step + 1].percentage
    let advance = decision(.advance, to: next, why)
    // Checks the next text before the decision is logged.
    _ = try document.edited(Array(state.document.utf8), to: next, lowering: [], evidence: measured.report)
    return (advance, judgement)
  }

  /// The failures and trials of each series, by key.
  private static func counts(_ series: [GuardSeries]) -> [String: [Int]] {
    Dictionary(series.map { ($0.key, [$0.failures, $0.trials]) }, uniquingKeysWith: { first, _ in first })
  }

  private func stopped(_ state: GuardState, _ reason: String, _ findings: [DocumentDiagnostic]) throws -> Outcome {
    let share = try document.share(in: Array(state.document.utf8))
    let decision = GuardDecision(
      number: state.number, time: now(), action: .wait, from: share, to: share, why: "stopped: \(reason)")
    return Outcome(decision: decision, findings: findings + [breach(reason)], isFinal: state.untold.isEmpty)
  }

  private func breach(_ why: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .guardBreach, "the rollout is stopped: \(why)",
      help: "find the cause and correct it, then let the guard go on with --resume")
  }

  /// The live text, if another has changed the document.
  private func conflict(with state: GuardState) async throws -> String? {
    let live = try await document.live()
    guard live != Array(state.document.utf8) else { return nil }
    if let before = state.earlier.last, live == Array(before.text.utf8), now() - state.since < Self.staleTime {
      throw GuardStaleRead()
    }
    return String(decoding: live, as: UTF8.self)
  }

  /// Logs and tells once of each text of another, and goes no further.
  private func refuse(
    _ text: String, _ state: inout GuardState, instead: GuardDecision? = nil
  ) async throws -> Outcome {
    if state.conflict?.isExactly(text) == true { throw await conflict(in: state) }
    let share = try document.share(in: Array(state.document.utf8))
    var why = "another has changed the document"
    if let instead { why += ": \(instead.action.rawValue) to \(instead.to) was not published" }
    let decision = GuardDecision(
      number: state.number + 1, time: now(), action: .conflict, from: share, to: share, why: why)
    (state.conflict, state.intent) = (text, GuardState.Intent(decision: decision, text: nil))
    try memory.keep(state)
    return try await finish(&state)
  }

  private static let conflict = GuardRefusal(
    .guardConflict, "the document is not the one that the guard saw last; nobody acts until --resume",
    help: "look at what changed, then let the guard go on from the document as it is with --resume")

  /// The refusal of each look at a document that another has changed. Says so if a bound is broken meanwhile.
  private func conflict(in state: GuardState) async -> GuardRefusal {
    var broken = state.stopped
    if broken == nil, let measured = try? await measure(state), measured.gone.isEmpty {
      broken = GuardJudgement(measured, by: policy, at: end(of: state), seen: state.series).breaches.first?.counts
    }
    guard let broken else { return Self.conflict }
    let breach = DocumentDiagnostic(
      .error, .guardBreach, "a bound is broken, and nobody acts: \(broken)",
      help: "stop the event with `dualsend kill`, or let the guard go on with --resume")
    return GuardRefusal(Self.conflict.findings + [breach])
  }

  // MARK: Beginning

  private func startingStep(_ share: RolloutPercentage) throws -> Int? {
    if let step = policy.step(at: share) { return step }
    if let first = policy.steps.first, share < first.percentage { return nil }
    throw GuardRefusal(
      .guardStep, "the document gives \(share) of units the new tracker, which is none of the policy's steps",
      help: "add the step to the policy, or publish one of its steps")
  }

  private func beginning(_ share: RolloutPercentage, at step: Int?) -> GuardDecision {
    GuardDecision(
      number: 1, time: now(), action: .begin, from: share, to: step == nil ? policy.steps[0].percentage : share,
      why: step == nil ? "the document is below the first step" : "the document has this step")
  }

  /// Throws if the log has decisions, of which only a person can say whether they still hold.
  private func refuseLostState() throws {
    guard let last = try memory.lastLogged() else { return }
    throw GuardRefusal(
      .guardStateLost, "the state is missing, but the log ends with: \(last.text)",
      help: "restore the state, or let the guard go on from the live document with --resume")
  }

  private func begin() async throws -> Outcome {
    try refuseLostState()
    let live = try await document.live()
    let share = try document.share(in: live)
    if try startingStep(share) == nil, let kill = try await document.killInForce() {
      throw GuardRefusal(
        .guardConflict, "a kill is in force: \(kill)",
        help: "undo it with `dualsend kill --undo`, or publish the first step, when its cause is mended")
    }
    // An act that would be refused when it is needed is refused now.
    if policy.onBreach != .hold { _ = try document.edited(live, to: .none, lowering: [.prefix("")], evidence: nil) }
    let decision = beginning(share, at: try startingStep(share))
    var state = GuardState(since: decision.time, document: String(decoding: live, as: UTF8.self))
    state.seen = clock()
    return try await carryOut(decision, &state)
  }

  // MARK: Carrying out

  /// - Parameter failing: the events that broke a bound, which no place may give to more units than the new share.
  private func carryOut(
    _ decision: GuardDecision, against failing: [EventPattern] = [], _ state: inout GuardState
  ) async throws -> Outcome {
    var (decision, text) = (decision, String?.none)
    let lowered = decision.action.lowersShare ? failing : []
    if decision.to != decision.from || !lowered.isEmpty {
      do {
        let edited = try document.edited(
          Array(state.document.utf8), to: decision.to, lowering: lowered, evidence: nil)
        text = edited.map { String(decoding: $0, as: UTF8.self) }
      } catch  where decision.action.isBreach {
        // A breach is recorded even if the share cannot be moved.
        decision = decision.unpublished((error as? GuardRefusal)?.findings.first?.message ?? "\(error)")
        decision.action = .hold
      }
    }
    state.policy = policy.summary
    state.intent = GuardState.Intent(decision: decision, text: text)
    try memory.keep(state)
    return try await finish(&state)
  }

  /// Completes an intent of which any part may be done.
  private func finish(_ state: inout GuardState) async throws -> Outcome {
    guard let intent = state.intent else { return try await look() }
    let decision = intent.decision
    if decision.action.isBreach { state.stopped = decision.why }
    if var text = intent.text {
      let live = try await document.live()
      if live == Array(state.document.utf8) {
        let published = try await document.publish(
          Array(text.utf8), over: Array(state.document.utf8), for: decision)
        text = String(decoding: published, as: UTF8.self)
      } else if live != Array(text.utf8) {
        guard decision.action.isBreach else {
          return try await refuse(String(decoding: live, as: UTF8.self), &state, instead: decision)
        }
        // A breach is recorded, but the other change stays.
        state.intent = GuardState.Intent(decision: decision.unpublished("the document was changed"), text: nil)
        try memory.keep(state)
        return try await finish(&state)
      }
      state.replaceDocument(with: text, at: now())
    }
    try memory.log(decision)
    if decision.action == .withdraw, let share = state.broken?.share {
      // What happens twice happens again: a person decides.
      state.stopped = state.withdrawn.contains(share) ? decision.why : nil
      state.withdrawn.append(share)
      (state.broken, state.isDone) = (nil, false)
    }
    if decision.to != decision.from || [.begin, .withdraw].contains(decision.action) {
      (state.since, state.series) = (now(), [])
    }
    if decision.action == .done { state.isDone = true }
    state.finish(decision)
    try memory.keep(state)
    let findings = try await state.tell(by: channels, keeping: memory)
    if decision.action == .conflict { throw await conflict(in: state) }
    return Outcome(
      decision: decision, findings: findings + (state.stopped.map { [breach($0)] } ?? []),
      isFinal: (state.stopped != nil || state.isDone) && state.untold.isEmpty)
  }
}
