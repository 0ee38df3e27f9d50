package import DualSendCore
import DualSendGuard
import Foundation

/// Where a guard stands that moves a document, as its files beside the document say.
package enum GuardStatus {
  /// The log's last lines; decisions to wait, the most common ones, are short.
  private static let tailBytes: UInt64 = 1 << 20

  /// The last decision, without its series, and why the rollout stands if it does; `nil` where no guard has been.
  package static func json(besideDocument path: String) -> EventValue? {
    guard let state = try? GuardFiles.state(at: path + ".guard-state"), var members = lastDecision(path + ".guard-log")
    else { return nil }
    members["series"] = nil
    members["stopped"] = state.stopped.map { .string($0) } ?? .null
    members["isDone"] = .bool(state.isDone)
    return .object(members)
  }

  private static func lastDecision(_ path: String) -> [String: EventValue]? {
    guard let handle = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return nil }
    defer { try? handle.close() }
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
