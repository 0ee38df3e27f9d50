@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping
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

  /// The new call.
  ///
  /// - Throws: why it cannot be written with certainty.
  func rewritten(_ call: LiteralCall) throws(NotRewritten) -> String {
    if call.hasComments { throw NotRewritten("comments between its parts would be lost") }
    guard let event = call.event else { throw NotRewritten(call.obstacle) }
    let (rule, name) = try NameRewriter(table: table).rewritten(event)
    let payload = PayloadRewriter(rule: rule)
    var written: [PayloadTree] = []
    for value in event.payloads { written.append(try payload.tree(value)) }
    try EvaluationOrder(before: event.uses).check(name.uses + written.flatMap(\.uses))
    let one = written.count == 1 ? written[0] : nil
    let line = text(name.text, one: one?.line, all: written.map(\.line))
    if !line.contains("\n"), call.indentation + line.count <= Self.lineLength { return line }
    let indentation = String(repeating: " ", count: call.indentation + 2)
    return text(
      name.text, one: one?.lines(indentation), all: written.map { $0.lines(indentation) },
      separator: "\n" + indentation)
  }

  private func text(_ name: String, one: String?, all: [String], separator: String = "") -> String {
    let gap = separator.isEmpty ? " " : separator
    let payload = one.map { "payload: \($0)" } ?? "payloads: [\(all.joined(separator: ", "))]"
    return "\(tracker).\(one == nil ? "sendLogs" : "sendLog")(\(separator)name: \(name),\(gap)\(payload))"
  }
}
