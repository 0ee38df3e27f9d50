import DualSendCore
import DualSendInventory
import DualSendRemapping

extension SentEvent {
  /// What a remapping table makes of the event; `nil` if that depends on values that the sources do not tell.
  ///
  /// Works on keys and types alone, so it is told apart from what rewrites the code, and can be held against it.
  ///
  /// - Parameter integers: the keys whose texts are those of integers, `String(n)`.
  func remapped(by table: RemappingTable, integers: Set<String> = []) -> SentEvent? {
    guard !isOpen, !isPattern else { return nil }
    let rule = table.rule(for: name)
    var written: [(target: KeyPathPattern, parameter: SentParameter, isMapped: Bool)] = []
    var found: Set<KeyPathPattern> = []
    for parameter in parameters {
      guard let path = try? KeyPathPattern(parameter.key) else { return nil }
      guard let row = rule.rows.first(where: { path.isAt($0.source) }) else {
        // A row that reaches into a value is no row for a value without an inside.
        if rule.unmapped != .drop { written.append((path, parameter, false)) }
        continue
      }
      found.insert(row.source)
      guard case .move(let target, let value) = row.action else { continue }
      guard row.source == path else {
        // The container moves as a whole.
        guard value == nil, let moved = path.moved(from: row.source, to: target) else { return nil }
        written.append((moved, parameter, true))
        continue
      }
      guard let changed = parameter.remapped(to: target, by: value, isInteger: integers.contains(parameter.key)) else {
        return nil
      }
      written.append((target, changed, true))
    }
    for row in rule.rows where !found.contains(row.source) {
      guard case .move(let target, let value?) = row.action, let fallback = value.fallback else { continue }
      guard !target.steps.contains(.eachElement) else { return nil }
      written.append((target, SentParameter(constant: fallback, at: target), true))
    }
    for constant in rule.constants {
      written.append((constant.target, SentParameter(constant: constant.value, at: constant.target), true))
    }
    // Who stays where two want one place is for the table, value by value.
    for (index, one) in written.enumerated() {
      for other in written[(index + 1)...] where one.target.isAt(other.target) || other.target.isAt(one.target) {
        return nil
      }
    }
    return SentEvent(
      name: rule.name ?? name,
      parameters: written.map { target, parameter, _ in
        SentParameter(
          key: target.description, isOptional: parameter.isOptional, types: parameter.types, values: parameter.values)
      })
  }
}

extension KeyPathPattern {
  /// Whether this is the place, or one inside it.
  func isAt(_ place: KeyPathPattern) -> Bool { steps.starts(with: place.steps) }

  /// The place inside `target` that this is inside `source`.
  func moved(from source: KeyPathPattern, to target: KeyPathPattern) -> KeyPathPattern? {
    let inner = steps.dropFirst(source.steps.count).map { step in
      switch step {
      case .key(let key): "." + KeyPathPattern(key: key).description
      case .eachElement: "[]"
      }
    }
    return try? KeyPathPattern(target.description + inner.joined())
  }
}

extension SentParameter {
  fileprivate init(constant: EventValue, at place: KeyPathPattern) {
    self.init(key: place.description, isOptional: false, types: [SentType(constant)], values: [constant])
  }

  /// What a row's rule makes of the parameter; `nil` if only the value can tell.
  fileprivate func remapped(
    to target: KeyPathPattern, by rule: ValueRule?, isInteger: Bool
  ) -> SentParameter? {
    guard let rule else {
      return SentParameter(key: target.description, isOptional: isOptional, types: types, values: values)
    }
    if isOptional, rule.fallback != nil { return nil }
    // All that a flag can be is known.
    let known = values ?? (types == [.bool] ? [.bool(false), .bool(true)] : nil)
    if let known {
      let results = known.map { rule.apply(to: $0).value }
      if values == nil, results == known {
        return SentParameter(key: target.description, isOptional: isOptional, types: types)
      }
      return SentParameter(
        key: target.description, isOptional: isOptional, types: results.map { SentType($0) }, values: results)
    }
    var results: Set<SentType> = []
    for type in types {
      let source = isInteger && type == .string && rule.turnsTextIntoInteger ? SentType.int : type
      guard let converted = rule.results(for: source) else { return nil }
      results.formUnion(converted)
    }
    return SentParameter(key: target.description, isOptional: isOptional, types: results)
  }
}

extension ValueRule {
  /// Whether it reads integers from their texts, and does nothing else.
  var turnsTextIntoInteger: Bool { table == nil && type == .int }

  /// The types that any value of a type can become; `nil` if that is not known for all of them.
  fileprivate func results(for type: SentType) -> Set<SentType>? {
    if let table, self.type == nil {
      guard type == .string || type == .int else { return nil }
      let others = fallback.map { SentType($0) } ?? type
      return Set(table.values.map { SentType($0) }).union([others])
    }
    guard table == nil, let wanted = self.type else { return [type] }
    switch (type, wanted) {
    case (.string, .string), (.int, .int), (.double, .double), (.bool, .bool), (.date, .date): return [type]
    case (.int, .string): return [.string]
    case (.int, .double): return [.double]
    default: return nil
    }
  }
}

extension SentType {
  /// The type of a value.
  init(_ value: EventValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int, .uint: self = .int
    case .double: self = .double
    case .string: self = .string
    case .date: self = .date
    case .array: self = .array
    case .object: self = .object
    }
  }
}
