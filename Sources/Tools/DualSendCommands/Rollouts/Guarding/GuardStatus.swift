import DualSendCommandLine
package import DualSendCore
import DualSendGuard

/// The state of the guard that moves a document, read from its files beside the document.
package enum GuardStatus {
  /// The most series of the last decision.
  private static let maximumSeries = 10

  /// The last decision, the reason of a stop, the policy and the course so far; `nil` if no guard has moved the document.
  ///
  /// - Throws: ``CommandError`` if the files cannot be read, or are not those of a guard.
  package static func json(besideDocument path: String) throws -> EventValue? {
    guard let state = try GuardFiles.state(at: path + ".guard-state"),
      case .object(var members)? = try GuardFiles.lastLogged(in: path + ".guard-log")?.json
    else { return nil }
    if case .array(let series)? = members["series"] { members["series"] = .array(Array(series.prefix(maximumSeries))) }
    members["policy"] = state.policy
    members["course"] = .array(state.course)
    members["since"] = .int(state.since)
    members["stopped"] = state.stopped.map { .string($0) } ?? .null
    members["isDone"] = .bool(state.isDone)
    members["channels"] = .object(state.queues.mapValues(\.json))
    return .object(members)
  }
}
