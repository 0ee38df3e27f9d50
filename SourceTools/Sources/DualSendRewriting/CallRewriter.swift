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
    guard let name = call.name.onlyText else { throw NotRewritten("its name is not one text") }
    guard let payloads = call.payloads else { throw NotRewritten("its parameters are put together elsewhere") }
    let rule = table.rule(for: name)
    var written: [PayloadTree] = []
    for payload in payloads { written.append(try tree(payload, rule)) }
    let newName = SwiftText.literal(.string(rule.name ?? name))
    let one = written.count == 1 ? written[0] : nil
    let line = text(newName, one: one?.line, all: written.map(\.line))
    if !line.contains("\n"), call.indentation + line.count <= Self.lineLength { return line }
    let indentation = String(repeating: " ", count: call.indentation + 2)
    return text(
      newName, one: one?.lines(indentation), all: written.map { $0.lines(indentation) },
      separator: "\n" + indentation)
  }

  private func text(_ name: String, one: String?, all: [String], separator: String = "") -> String {
    let gap = separator.isEmpty ? " " : separator
    let payload = one.map { "payload: \($0)" } ?? "payloads: [\(all.joined(separator: ", "))]"
    return "\(tracker).\(one == nil ? "sendLogs" : "sendLog")(\(separator)name: \(name),\(gap)\(payload))"
  }

  private func tree(_ payload: LiteralCall.Value, _ rule: EventRule) throws(NotRewritten) -> PayloadTree {
    var leaves: [Leaf] = []
    try collect(payload, [], into: &leaves)
    var tree = PayloadTree()
    var found: Set<KeyPathPattern> = []
    for leaf in leaves {
      let path = try leaf.path
      guard let row = rule.rows.first(where: { path.isAt($0.source) }) else {
        if let inner = rule.rows.first(where: { $0.source.isAt(path) }), !leaf.value.isWithoutInside {
          throw NotRewritten("the row `\(inner.source)` reaches into a value that is made elsewhere")
        }
        if rule.unmapped != .drop { try tree.insert(leaf.text, at: path) }
        continue
      }
      found.insert(row.source)
      guard case .move(let target, let change) = row.action else { continue }
      if row.source == path {
        try tree.insert(try ValueRewriter(rule: change).rewritten(leaf), at: target)
      } else {
        guard change == nil, let moved = path.moved(from: row.source, to: target) else {
          throw NotRewritten("the row `\(row.source)` changes a dictionary as a whole")
        }
        try tree.insert(leaf.text, at: moved)
      }
    }
    for row in rule.rows where !found.contains(row.source) {
      guard case .move(let target, let change?) = row.action, let fallback = change.fallback else { continue }
      try tree.insert(SwiftText.literal(fallback), at: target)
    }
    for constant in rule.constants { try tree.insert(SwiftText.literal(constant.value), at: constant.target) }
    return tree
  }

  /// A value without keys below it that the call writes down.
  struct Leaf {
    let steps: [String]
    let text: String
    let value: SourceValue

    var path: KeyPathPattern {
      get throws(NotRewritten) {
        let text = steps.map { KeyPathPattern(key: $0).description }.joined(separator: ".")
        guard let path = try? KeyPathPattern(text) else { throw NotRewritten("it has an empty key") }
        return path
      }
    }
  }

  private func collect(
    _ value: LiteralCall.Value, _ steps: [String], into leaves: inout [Leaf]
  ) throws(NotRewritten) {
    switch value {
    case .object(let members):
      if members.isEmpty, !steps.isEmpty { throw NotRewritten("it has an empty dictionary inside") }
      for member in members {
        guard let key = member.key.onlyText else { throw NotRewritten("a key is not one text") }
        try collect(member.value, steps + [key], into: &leaves)
      }
    case .list: throw NotRewritten("it writes an array down")
    case .expression(let text, let value):
      guard value.isSendable else {
        throw NotRewritten("of `\(text)` it is not known that the new tracker takes it")
      }
      leaves.append(Leaf(steps: steps, text: text, value: value))
    }
  }
}

extension SourceValue {
  /// The one text that this is.
  var onlyText: String? {
    if case .literal(.string(let text)) = shape { text } else { nil }
  }

  /// Whether it is known to be a value, or an array of values, that may cross threads.
  fileprivate var isSendable: Bool {
    switch shape {
    case .literal, .text, .scalar: true
    case .oneOf(let values): values.allSatisfy(\.isSendable)
    case .elements(let element): element.isSendable
    case .list(let elements): elements.allSatisfy(\.isSendable)
    default: false
    }
  }

  /// Whether no row can reach into it.
  fileprivate var isWithoutInside: Bool {
    switch shape {
    case .literal, .text, .scalar: true
    case .oneOf(let values): values.allSatisfy(\.isWithoutInside)
    default: false
    }
  }
}
