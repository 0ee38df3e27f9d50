import DualSendRemapping
import DualSendSource

/// Writes a payload as an event's rule has it.
struct PayloadRewriter {
  let rule: EventRule
  /// Whether the payload may hold any value, and not only such as may cross threads.
  var isAny = false

  /// The new payload.
  ///
  /// - Parameter found: the sources of rows that are met elsewhere.
  /// - Throws: why it cannot be written with certainty.
  func tree(
    _ payload: LiteralCall.Value, found: Set<KeyPathPattern> = []
  ) throws(NotRewritten) -> PayloadTree {
    var tree = PayloadTree()
    var found = found
    for leaf in try WrittenLeaf.all(of: payload, isAny: isAny) {
      let path = try leaf.path
      guard let row = rule.rows.first(where: { path.isAt($0.source) }) else {
        if let inner = rule.rows.first(where: { $0.source.isAt(path) }), !leaf.value.isWithoutInside {
          throw NotRewritten("the row `\(inner.source)` reaches into a value that is made elsewhere")
        }
        if rule.unmapped != .drop { try tree.insert(leaf.unchanged, at: path) }
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
        try tree.insert(leaf.unchanged, at: moved)
      }
    }
    for row in rule.rows where !found.contains(row.source) {
      guard case .move(let target, let change?) = row.action, let fallback = change.fallback else { continue }
      try tree.insert(RewrittenValue(text: SwiftText.literal(fallback)), at: target)
    }
    for constant in rule.constants {
      try tree.insert(RewrittenValue(text: SwiftText.literal(constant.value)), at: constant.target)
    }
    return tree
  }

  /// The keys of a payload whose values are texts of integers.
  static func integers(_ payloads: [LiteralCall.Value]) -> Set<String> {
    var all: [String: Bool] = [:]
    for payload in payloads {
      for leaf in (try? WrittenLeaf.all(of: payload)) ?? [] {
        guard let key = try? leaf.path.description else { continue }
        all[key] = (all[key] ?? true) && leaf.expression.integer != nil
      }
    }
    return Set(all.filter(\.value).keys)
  }
}

extension WrittenLeaf {
  /// As it is.
  var unchanged: RewrittenValue { RewrittenValue(text: text, uses: expression.uses) }
}
