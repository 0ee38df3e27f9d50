import DualSendCore

/// The fast path for rules whose paths are all top-level keys: one lookup and one insertion for each key.
struct TopLevelPlan: Sendable {
  private enum Action {
    case drop
    case move(String)
    indirect case convert(String, ValueRule)
    /// A row writes to this key, but none takes it.
    case target
  }

  private let numbers: KeyTable
  private let actions: [Action]
  private let constants: [(key: String, value: EventValue)]
  private let unmapped: EventRule.Unmapped
  /// Whether any target is not ASCII, so that every unmapped key may be canonically equivalent to a target.
  private let writesBeyondASCII: Bool

  /// `nil` if the rule has deeper paths, defaults, or a clash policy other than `mapped`.
  init?(_ rule: EventRule) {
    guard rule.clashPolicy == .mapped else { return nil }
    var actions: [ExactText: Action] = [:]
    var targets: [String] = []
    for row in rule.rows {
      guard let source = row.source.onlyKey, row.fallback == nil else { return nil }
      switch row.action {
      case .drop: actions[ExactText(source)] = .drop
      case .move(let target, let valueRule):
        guard let target = target.onlyKey else { return nil }
        actions[ExactText(source)] = valueRule.map { .convert(target, $0) } ?? .move(target)
        targets.append(target)
      }
    }
    var constants: [(key: String, value: EventValue)] = []
    for constant in rule.constants {
      guard let key = constant.target.onlyKey else { return nil }
      constants.append((key, constant.value))
      targets.append(key)
    }
    for target in targets.map(ExactText.init) where actions[target] == nil { actions[target] = .target }
    self.actions = Array(actions.values)
    numbers = KeyTable(actions.keys.map(\.text))
    writesBeyondASCII = !targets.allSatisfy { target in target.utf8.allSatisfy { $0 < 0x80 } }
    self.constants = constants
    unmapped = rule.unmapped
  }

  func apply(to payload: [String: EventValue], into remapped: inout RemappedEvent) {
    if actions.isEmpty, constants.isEmpty, unmapped == .keep {
      remapped.payload = payload
      return
    }
    // Twice the capacity reduces collisions. The payload is short-lived.
    var output = [String: EventValue](minimumCapacity: 2 * (payload.count + constants.count))
    // Each write adds a key or is a clash, so the number of clashes follows from the number of writes.
    var writes = 0
    // The dictionary can hold one of two equivalent keys. A mapped value wins, so possibly equivalent keys come last.
    var areSomeLate = false
    for (key, value) in payload {
      let number = numbers.number(of: key)
      guard number >= 0 else {
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop {
          if isLate(number) { areSomeLate = true } else { output[key] = value }
          writes += 1
        }
        continue
      }
      switch actions[number] {
      case .drop: break
      case .move(let target):
        output[target] = value
        writes += 1
      case .convert(let target, let rule):
        let result = rule.apply(to: value)
        remapped.count(result.outcome)
        output[target] = result.value
        writes += 1
      case .target:
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop {
          writes += 1
          if !output.keys.contains(key) { output[key] = value }
        }
      }
    }
    for constant in constants { output[constant.key] = constant.value }
    if areSomeLate {
      for (key, value) in payload where isLate(numbers.number(of: key)) && output[key] == nil { output[key] = value }
    }
    remapped.clashes = writes + constants.count - output.count
    remapped.unmapped = remapped.unmapped.inOrder()
    remapped.payload = output
  }

  private func isLate(_ number: Int) -> Bool {
    number == KeyTable.unknownBeyondASCII || (number < 0 && writesBeyondASCII)
  }
}
