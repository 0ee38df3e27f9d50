import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPage {
  /// Stops the new side for all events, or for `event`; with `undo`, takes the last kill back. Without `publish`, only
  /// shows the plan. In the same way as `dualsend kill`.
  func stop(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    try beginPublishing()
    defer { endPublishing() }
    let live = try await readLive()
    let text = try RolloutText(live: live.inForce.bytes, name: live.inForce.name)
    let revision = try publications.nextRevision(of: live.document.input, after: text.document.revision)
    let (now, undo) = (timeSource.wallMilliseconds(), try request.flag("undo"))
    let event = try request.optionalText("event")
    if let event, event.hasSuffix("*") {
      throw ConsoleFailure(400, "a document takes `\(event)` for all events that begin so", help: "see `dualsend kill`")
    }
    let kill: RolloutKill?
    do {
      kill =
        undo
        ? try RolloutKill.undoing(text, record: record, revision: revision, time: now)
        : try RolloutKill.stopping(
          [event.map { .exact($0) } ?? .prefix("")], in: text, revision: revision, time: now)
    } catch let error as CommandError { throw ConsoleFailure(409, error.message, help: error.help) }
    guard let kill else {
      throw ConsoleFailure(409, "nothing gives \(event.map { "`\($0)`" } ?? "any event") to the new side")
    }
    try refuse(try kill.new.document.everyFinding(in: kill.new.bytes, name: kill.new.name), in: kill.new)
    // What apps would refuse is said before anybody is asked.
    _ = try await signature(of: kill.new, for: live.document, request)
    guard try request.flag("publish") else {
      let change = try Change(from: text, to: kill.new, now: now)
      return .json([
        "plan": RolloutPlanView(kill.plan, kill.steps).json, "revision": .int(revision),
        "tag": EditConflict.tag(of: live.current),
        "difference": LineDifference(
          from: String(decoding: text.bytes, as: UTF8.self), to: String(decoding: kill.new.bytes, as: UTF8.self)
        ).json,
        "objections": .array(await parityObjections(to: change).map { .string($0.finding.message) }),
      ])
    }
    try EditConflict(current: live.current).refuse(
      request, edited: String(decoding: kill.new.bytes, as: UTF8.self))
    let warnings = kill.keepLive(in: record, user: publications.user)
    return try await put(
      kill.new, over: live, kill.publication(user: publications.user, message: try message(request)), request,
      warnings: warnings)
  }

  /// Whether the live text was published by a kill that can be undone.
  var isStopped: Bool {
    inForce.map { RolloutKill.published($0.bytes, record: record) } ?? false
  }
}
