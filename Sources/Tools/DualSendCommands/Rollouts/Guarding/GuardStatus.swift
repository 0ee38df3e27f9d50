import DualSendCommandLine
package import DualSendCore
import DualSendGuard
import Foundation

/// The state of the guard that moves a document, read from its files beside the document.
package enum GuardStatus {
  /// The part of the log that is searched for the last decision.
  private static let tailBytes: UInt64 = 1 << 20

  /// The most series of the last decision.
  private static let maximumSeries = 10

  /// The last decision, the reason of a stop, the policy and the course so far; `nil` if no guard has moved the document.
  package static func json(besideDocument path: String) -> EventValue? {
    guard let state = try? GuardFiles.state(at: path + ".guard-state"), var members = lastDecision(path + ".guard-log")
    else { return nil }
    if case .array(let series)? = members["series"] { members["series"] = .array(Array(series.prefix(maximumSeries))) }
    members["policy"] = state.policy
    members["course"] = .array(state.course)
    members["since"] = .int(state.since)
    members["stopped"] = state.stopped.map { .string($0) } ?? .null
    members["isDone"] = .bool(state.isDone)
    return .object(members)
  }

  private static func lastDecision(_ path: String) -> [String: EventValue]? {
    guard let handle = (try? OpenedFile.ifAny(path))?.handle else { return nil }
    guard let size = try? handle.seekToEnd(),
      (try? handle.seek(toOffset: size > tailBytes ? size - tailBytes : 0)) != nil,
      let tail = try? handle.readToEnd()
    else { return nil }
    let lines = tail.split(separator: UInt8(ascii: "\n"))
    for line in lines.reversed() {
      if case .object(let members)? = try? JSONReader().value(line) { return members }
    }
    return nil
  }
}
