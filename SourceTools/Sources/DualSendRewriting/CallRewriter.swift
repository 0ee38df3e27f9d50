import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendSource

/// Why a call stays as it is.
struct NotRewritten: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Writes a call of the old logger as one of the new tracker, under the new name and keys.
struct CallRewriter {
  let table: RemappingTable
  /// The expression that the tracker is reached by.
  let tracker: String

  private static let lineLength = 120

  /// What changes where a call is written anew, and the keys whose texts are those of integers.
  ///
  /// - Throws: why it cannot be written with certainty.
  func changes(
    of call: LiteralCall, _ events: [SentEvent]
  ) throws(NotRewritten) -> (edits: [SourceEdit], integers: Set<String>) {
    if call.obstacle == LiteralCall.stays { throw NotRewritten(call.obstacle) }
    if let stepped = call.stepped, let only = events.first, events.count == 1 {
      if call.hasComments { throw NotRewritten("comments between its parts would be lost") }
      let rewriter = SteppedRewriter(rule: table.rule(for: only.name))
      let name = SwiftText.literal(.string(table.rule(for: only.name).name ?? only.name))
      let text = "\(tracker).sendLog(name: \(name), payload: \(stepped.name))"
      return (try rewriter.edits(stepped) + [SourceEdit(call.range, text)], rewriter.integers(stepped))
    }
    let (text, parts) = try rewritten(call)
    guard let event = call.event else { throw NotRewritten(call.obstacle) }
    // A constant that nothing reads any longer is a warning.
    let unread = event.spare.filter { spare in !parts.contains { $0.mentions(spare.name) } }
    return (
      [SourceEdit(call.range, text)] + (event.constants + unread.map(\.range)).map { SourceEdit($0, "") },
      PayloadRewriter.integers(event.payloads)
    )
  }

  /// The new call, and what it is made of, without labels.
  ///
  /// - Throws: why it cannot be written with certainty.
  private func rewritten(_ call: LiteralCall) throws(NotRewritten) -> (text: String, parts: [String]) {
    if call.hasComments { throw NotRewritten("comments between its parts would be lost") }
    guard let event = call.event else { throw NotRewritten(call.obstacle) }
    let (rule, name) = try NameRewriter(table: table).rewritten(event)
    let payload = PayloadRewriter(rule: rule)
    var written: [PayloadTree] = []
    for value in event.payloads { written.append(try payload.tree(value)) }
    try EvaluationOrder(before: event.uses).check(name.uses + written.flatMap(\.uses))
    let one = written.count == 1 ? written[0] : nil
    let line = text(name.text, one: one?.line, all: written.map(\.line))
    let parts = [tracker, name.text] + written.map(\.line)
    if !line.contains("\n"), call.indentation + line.count <= Self.lineLength { return (line, parts) }
    let indentation = String(repeating: " ", count: call.indentation + 2)
    let lines = text(
      name.text, one: one?.lines(indentation), all: written.map { $0.lines(indentation) },
      separator: "\n" + indentation)
    return (lines, parts)
  }

  private func text(_ name: String, one: String?, all: [String], separator: String = "") -> String {
    let gap = separator.isEmpty ? " " : separator
    let payload = one.map { "payload: \($0)" } ?? "payloads: [\(all.joined(separator: ", "))]"
    return "\(tracker).\(one == nil ? "sendLogs" : "sendLog")(\(separator)name: \(name),\(gap)\(payload))"
  }
}

extension String {
  /// Whether a name stands in Swift that this is.
  fileprivate func mentions(_ name: String) -> Bool {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
  }
}
