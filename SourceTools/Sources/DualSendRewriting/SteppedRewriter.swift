import DualSendCore
import DualSendRemapping
import DualSendSource

/// Writes a dictionary that is built step by step under new keys, each where it is set.
struct SteppedRewriter {
  let rule: EventRule

  /// What changes.
  ///
  /// - Throws: why it cannot be written with certainty.
  func edits(_ dictionary: SteppedDictionary) throws(NotRewritten) -> [SourceEdit] {
    var edits: [SourceEdit] = []
    var found: Set<KeyPathPattern> = []
    var owners: [String: String] = [:]
    for step in dictionary.steps {
      let path = try path(of: step.key)
      let row = rule.rows.first { $0.source == path }
      if let row { found.insert(row.source) }
      let (changes, root) = try self.edits(step, path, row)
      edits += changes
      guard let root else { continue }
      guard owners[root, default: step.key] == step.key else {
        throw NotRewritten("two values want the place `\(root)`")
      }
      owners[root] = step.key
    }
    let tree = try PayloadRewriter(rule: rule, isAny: true).tree(dictionary.initial, found: found)
    try checkOwners(owners, dictionary)
    try EvaluationOrder(before: dictionary.initialUses).check(tree.uses)
    return edits + initialEdits(tree, dictionary)
  }

  /// The keys whose values are texts of integers.
  func integers(_ dictionary: SteppedDictionary) -> Set<String> {
    var integers = PayloadRewriter.integers([dictionary.initial])
    for step in dictionary.steps {
      guard let key = try? path(of: step.key).description, let value = step.value else { continue }
      let isOnly = dictionary.steps.allSatisfy { $0.key != step.key || $0.value?.integer != nil }
      if value.integer != nil, isOnly, !dictionary.initialKeys.contains(step.key) { integers.insert(key) }
      if !isOnly { integers.remove(key) }
    }
    return integers
  }

  private func initialEdits(_ tree: PayloadTree, _ dictionary: SteppedDictionary) -> [SourceEdit] {
    guard !tree.isEmpty || !dictionary.initialKeys.isEmpty else { return [] }
    let suffix = dictionary.isTyped ? "" : " as [String: Any]"
    let indentation = String(repeating: " ", count: dictionary.indentation)
    let line = tree.line + suffix
    let isShort = line.utf8.count + dictionary.indentation < 80
    return [SourceEdit(dictionary.initialRange, isShort ? line : tree.lines(indentation) + suffix)]
  }

  /// A step, and the key that it sets; `nil` if it goes.
  private func edits(
    _ step: SteppedDictionary.Step, _ path: KeyPathPattern, _ row: RemappingRow?
  ) throws(NotRewritten) -> ([SourceEdit], root: String?) {
    guard let row else {
      if let inner = rule.rows.first(where: { $0.source.isAt(path) }), step.value?.value.isWithoutInside != true {
        throw NotRewritten("the row `\(inner.source)` reaches into a value that is made elsewhere")
      }
      return rule.unmapped == .drop ? (try removed(step), nil) : ([], step.key)
    }
    guard case .move(let target, let change) = row.action else { return (try removed(step), nil) }
    if change?.fallback != nil { throw NotRewritten("`\(step.key)` may be missing, and the row has a default for it") }
    guard case .key(let root)? = target.steps.first, !target.steps.contains(.eachElement) else {
      throw NotRewritten("a row writes into an array")
    }
    var edits = [SourceEdit(step.keyRange, SwiftText.literal(.string(root)))]
    guard let value = step.value else {
      guard target.steps.count == 1 else { throw NotRewritten("a key inside another is taken away") }
      return (edits, root)
    }
    let leaf = WrittenLeaf(steps: [step.key], expression: value)
    let written = try ValueRewriter(rule: change).rewritten(leaf)
    try EvaluationOrder(before: value.uses).check(written.uses)
    var tree = PayloadTree()
    try tree.insert(written, at: target)
    if target.steps.count > 1 {
      guard leaf.value.isPresent else { throw NotRewritten("`\(leaf.text)` may be `nil`, which takes a key away") }
      edits.append(SourceEdit(step.valueRange, tree.text(at: root)))
    } else if written.text != leaf.text {
      edits.append(SourceEdit(step.valueRange, written.text))
    }
    return (edits, root)
  }

  private func removed(_ step: SteppedDictionary.Step) throws(NotRewritten) -> [SourceEdit] {
    guard step.canGo, step.value?.uses.contains(where: \.isCall) != true else {
      throw NotRewritten("the statement that sets `\(step.key)` cannot go")
    }
    return [SourceEdit(step.statement, "")]
  }

  /// What is set later must not stand where something else stood before.
  private func checkOwners(
    _ owners: [String: String], _ dictionary: SteppedDictionary
  ) throws(NotRewritten) {
    for leaf in try WrittenLeaf.all(of: dictionary.initial, isAny: true) {
      let path = try leaf.path
      let row = rule.rows.first { path.isAt($0.source) }
      guard let target = row.map({ $0.target }) ?? path, case .key(let root)? = target.steps.first,
        let owner = owners[root]
      else { continue }
      guard leaf.steps == [owner], target.steps.count == 1 else {
        throw NotRewritten("two values want the place `\(root)`")
      }
    }
    for constant in rule.constants {
      guard case .key(let root)? = constant.target.steps.first, owners[root] != nil else { continue }
      throw NotRewritten("two values want the place `\(root)`")
    }
  }

  private func path(of key: String) throws(NotRewritten) -> KeyPathPattern {
    try WrittenLeaf.path(of: [key])
  }
}

extension SteppedDictionary {
  fileprivate var initialKeys: [String] {
    guard case .object(let members) = initial else { return [] }
    return members.compactMap(\.key.onlyText)
  }
}

extension RemappingRow {
  fileprivate var target: KeyPathPattern? { if case .move(let target, _) = action { target } else { nil } }
}

extension SourceValue {
  /// Whether it is known not to be `nil`.
  fileprivate var isPresent: Bool {
    switch shape {
    case .literal(.null): false
    case .literal, .text, .scalar, .list, .elements, .object: true
    case .oneOf(let values): values.allSatisfy(\.isPresent)
    default: false
    }
  }
}
