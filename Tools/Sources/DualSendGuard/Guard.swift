package import DualSendCore
package import DualSendParity
import DualSendRollout

/// The rollout on autopilot: one look at the evidence after another, each of which ends in one decision.
///
/// A decision that does anything goes through four states, each written to disk before the next: the intent with the exact
/// text, the text in force, the line in the log, the new state. A guard that is killed anywhere goes on from there: the text
/// that is live says whether it was published, and it is never published twice.
package struct Guard: Sendable {
  /// What a look came to.
  package struct Outcome: Sendable, Hashable {
    package let decision: GuardDecision
    /// What a person should see, such as a breach.
    package let findings: [DocumentDiagnostic]
    /// Whether nothing will change until a person acts.
    package let isFinal: Bool
  }

  /// The most series that the log has of a decision to wait, of which there is one a look.
  private static let seriesOfWaiting = 10

  private let policy: GuardPolicy
  private let document: any GuardedDocument
  private let memory: any GuardMemory
  /// What was measured of events of this period, in milliseconds since 1970-01-01T00:00:00Z.
  private let evidence: @Sendable (ClosedRange<Int64>) async throws -> ParityReport
  private let tell: @Sendable (GuardDecision) async throws -> Void
  private let now: @Sendable () -> Int64

  package init(
    policy: GuardPolicy, document: any GuardedDocument, memory: any GuardMemory,
    evidence: @escaping @Sendable (ClosedRange<Int64>) async throws -> ParityReport,
    tell: @escaping @Sendable (GuardDecision) async throws -> Void, now: @escaping @Sendable () -> Int64
  ) {
    (self.policy, self.document, self.memory) = (policy, document, memory)
    (self.evidence, self.tell, self.now) = (evidence, tell, now)
  }

  /// Looks once and does what follows.
  ///
  /// - Throws: ``GuardRefusal`` if it does not go on; any other error if something could not be read or published, which
  ///   the next look tries again.
  package func look() async throws -> Outcome {
    guard var state = try memory.state() else { return try await begin() }
    if state.intent != nil { return try await finish(&state) }
    let findings = try await tellAll(&state)
    try await refuseConflict(state)
    if let stopped = state.stopped { return try self.stopped(state, stopped, findings) }
    let (decision, judgement) = try await decide(state)
    let isNew = state.series != judgement.order
    state.series = judgement.order
    guard decision.action != .wait else {
      if isNew { try memory.keep(state) }
      try memory.log(decision)
      return Outcome(decision: decision, findings: findings, isFinal: state.isDone)
    }
    return try await carryOut(decision, &state)
  }

  /// What a look would decide; changes nothing.
  package func preview() async throws -> GuardDecision {
    guard let state = try memory.state() else {
      let share = try document.share(in: try await document.live())
      return beginning(share, at: try startingStep(share))
    }
    if let intent = state.intent { return intent.decision }
    try await refuseConflict(state)
    if let stopped = state.stopped { return try self.stopped(state, stopped, []).decision }
    return try await decide(state).0
  }

  /// Takes the document as it is and goes on after a stop, or after a change that another made. The step begins anew.
  package func resume() async throws {
    guard var state = try memory.state() else { return }
    let live = try await document.live()
    let share = try document.share(in: live)
    let step = share == .none ? nil : try startingStep(share)
    (state.step, state.since, state.document) = (step, now(), String(decoding: live, as: UTF8.self))
    (state.series, state.stopped, state.isDone, state.intent) = ([], nil, false, nil)
    try memory.keep(state)
  }

  // MARK: Deciding

  private func decide(_ state: GuardState) async throws -> (GuardDecision, GuardJudgement) {
    let now = now()
    let share = try document.share(in: Array(state.document.utf8))
    let measured = try await evidence(state.since...max(state.since, now - policy.settle))
    let judgement = GuardJudgement(measured, by: policy, seen: state.series)
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
        let before = state.step.flatMap { $0 > 0 ? policy.steps[$0 - 1].percentage : nil } ?? .none
        return (decision(.back, to: before, why), judgement)
      case .kill: return (decision(.kill, to: .none, why), judgement)
      }
    }
    if state.isDone { return (decision(.wait, to: share, "the last step is shown to keep its bounds"), judgement) }
    guard let step = state.step else {
      return (decision(.advance, to: policy.steps[0].percentage, "the first step"), judgement)
    }
    var reasons = judgement.reasonsToWait
    let left = state.since + policy.steps[step].hold - now
    if left > 0 { reasons.insert("the step holds for \((left / 60_000 + 1).counted("minute")) more", at: 0) }
    if !reasons.isEmpty { return (decision(.wait, to: share, reasons.joined(separator: "; ")), judgement) }
    let why = "each bound is shown: \(judgement.series.count.grouped) series"
    guard step + 1 < policy.steps.count else { return (decision(.done, to: share, why), judgement) }
    let next = policy.steps[step + 1].percentage
    let advance = decision(.advance, to: next, why)
    // Refused now rather than in the middle of publishing.
    _ = try document.edited(Array(state.document.utf8), to: next, evidence: measured)
    return (advance, judgement)
  }

  private func stopped(_ state: GuardState, _ reason: String, _ findings: [DocumentDiagnostic]) throws -> Outcome {
    let share = try document.share(in: Array(state.document.utf8))
    let decision = GuardDecision(
      number: state.number, time: now(), action: .wait, from: share, to: share, why: "stopped: \(reason)")
    return Outcome(decision: decision, findings: findings + [breach(reason)], isFinal: true)
  }

  private func breach(_ why: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .guardBreach, "the rollout is stopped: \(why)",
      help: "find the cause and correct it, then let the guard go on with --resume")
  }

  private func refuseConflict(_ state: GuardState) async throws {
    guard try await document.live() != Array(state.document.utf8) else { return }
    throw GuardRefusal(
      .guardConflict, "the document is not the one that the guard saw last",
      help: "look at what changed, then let the guard go on from the document as it is with --resume")
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

  private func begin() async throws -> Outcome {
    let live = try await document.live()
    let share = try document.share(in: live)
    let decision = beginning(share, at: try startingStep(share))
    var state = GuardState(step: nil, since: decision.time, document: String(decoding: live, as: UTF8.self))
    return try await carryOut(decision, &state)
  }

  // MARK: Carrying out

  private func carryOut(_ decision: GuardDecision, _ state: inout GuardState) async throws -> Outcome {
    var text: String?
    if decision.to != decision.from {
      let edited = try document.edited(Array(state.document.utf8), to: decision.to, evidence: nil)
      text = String(decoding: edited, as: UTF8.self)
    }
    state.intent = GuardState.Intent(decision: decision, text: text, step: policy.step(at: decision.to))
    try memory.keep(state)
    return try await finish(&state)
  }

  /// Completes an intent, whatever part of it was done before.
  private func finish(_ state: inout GuardState) async throws -> Outcome {
    guard let intent = state.intent else { return try await look() }
    let decision = intent.decision
    if decision.action.isBreach { state.stopped = decision.why }
    if let text = intent.text {
      let live = try await document.live()
      if live == Array(state.document.utf8) {
        try await document.publish(Array(text.utf8))
      } else if live != Array(text.utf8) {
        // The intent is given up, but not that it was a breach.
        state.intent = nil
        try memory.keep(state)
        try await refuseConflict(state)
      }
      state.document = text
    }
    try memory.log(decision)
    if decision.to != decision.from || decision.action == .begin {
      (state.step, state.since, state.series) = (intent.step, now(), [])
    }
    if decision.action == .done { state.isDone = true }
    (state.number, state.intent) = (decision.number, nil)
    state.untold.append(decision)
    try memory.keep(state)
    let findings = try await tellAll(&state)
    return Outcome(
      decision: decision, findings: findings + (decision.action.isBreach ? [breach(decision.why)] : []),
      isFinal: decision.action.isBreach || state.isDone)
  }

  /// Tells what was decided. What could not be told is tried again at the next look.
  private func tellAll(_ state: inout GuardState) async throws -> [DocumentDiagnostic] {
    while let decision = state.untold.first {
      do { try await tell(decision) } catch {
        return [
          DocumentDiagnostic(
            .warning, .guardUntold, "decision \(decision.number) could not be told: \(error)",
            help: "check `tell` of the policy; the next look tries again")
        ]
      }
      state.untold.removeFirst()
      try memory.keep(state)
    }
    return []
  }
}
