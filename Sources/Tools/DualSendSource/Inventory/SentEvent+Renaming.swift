package import DualSendRemapping

extension SentEvent {
  /// Names and keys alone.
  package var withoutValues: SentEvent {
    SentEvent(
      name: name, isPattern: isPattern, isOpen: isOpen,
      parameters: parameters.map { SentParameter(key: $0.key, isOptional: $0.isOptional, types: []) })
  }

  /// The event with its new name and keys; `nil` if they cannot be determined.
  package func renamed(by table: RemappingTable) -> SentEvent? {
    let rule = table.rule(for: name)
    var renamed: [SentParameter] = []
    for parameter in parameters {
      guard let path = try? KeyPathPattern(parameter.key) else { return nil }
      guard let target = rule.target(of: path) else { continue }
      renamed.append(SentParameter(key: target.description, isOptional: parameter.isOptional, types: parameter.types))
    }
    for constant in rule.constants {
      renamed.append(SentParameter(key: constant.target.description, isOptional: false, types: []))
    }
    return SentEvent(name: rule.name ?? name, isPattern: isPattern, isOpen: isOpen, parameters: renamed)
  }
}

extension EventRule {
  /// The place of a key after this rule; `nil` if the rule drops it.
  package func target(of path: KeyPathPattern) -> KeyPathPattern? {
    let inside = rows.filter { path.isAt($0.source) }
    guard let row = inside.max(by: { $0.source.steps.count < $1.source.steps.count }) else {
      return unmapped == .drop ? nil : path
    }
    guard case .move(let target, _) = row.action else { return nil }
    return path.moved(from: row.source, to: target)
  }
}

extension KeyPathPattern {
  /// A path of keys.
  package init(keys: [String]) {
    let text = keys.map { KeyPathPattern(key: $0).description }.joined(separator: ".")
    self = (try? KeyPathPattern(text)) ?? KeyPathPattern(key: keys.last ?? "")
  }

  /// Whether this is the given place, or inside it.
  package func isAt(_ place: KeyPathPattern) -> Bool { steps.starts(with: place.steps) }

  /// The position inside `target` that corresponds to this one inside `source`.
  fileprivate func moved(from source: KeyPathPattern, to target: KeyPathPattern) -> KeyPathPattern? {
    let inner = steps.dropFirst(source.steps.count).map { step in
      switch step {
      case .key(let key): "." + KeyPathPattern(key: key).description
      case .eachElement: "[]"
      }
    }
    return try? KeyPathPattern(target.description + inner.joined())
  }
}
