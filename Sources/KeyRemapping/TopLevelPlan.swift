import EventModel

/// The short way for rules whose rows and constants are each about one key at the top of the payload.
///
/// One look-up and one insertion a key, as in a hand-written chain of renames; nothing is walked.
struct TopLevelPlan: Sendable {
  private enum Action {
    case drop
    case move(String)
    indirect case convert(String, ValueRule)
    /// No row takes this key, but one writes to it.
    case target
  }

  private let actions: [String: Action]
  private let constants: [(key: String, value: EventValue)]
  private let unmapped: EventRule.Unmapped

  /// `nil` if the rule needs the long way: deeper paths, defaults for absent values, or a payload that wins clashes.
  init?(_ rule: EventRule) {
    guard rule.clashPolicy == .mapped else { return nil }
    var actions: [String: Action] = [:]
    var targets: [String] = []
    for row in rule.rows {
      guard let source = row.source.onlyKey, row.fallback == nil else { return nil }
      switch row.action {
      case .drop: actions[source] = .drop
      case .move(let target, let valueRule):
        guard let target = target.onlyKey else { return nil }
        actions[source] = valueRule.map { .convert(target, $0) } ?? .move(target)
        targets.append(target)
      }
    }
    var constants: [(key: String, value: EventValue)] = []
    for (path, value) in rule.constants {
      guard let key = path.onlyKey else { return nil }
      constants.append((key, value))
      targets.append(key)
    }
    for target in targets where actions[target] == nil { actions[target] = .target }
    self.actions = actions
    self.constants = constants
    unmapped = rule.unmapped
  }

  func apply(to payload: [String: EventValue], into remapped: inout Remapped) {
    var output = [String: EventValue](minimumCapacity: payload.count + constants.count)
    for (key, value) in payload {
      switch actions[key] {
      case .move(let target):
        if output.updateValue(value, forKey: target) != nil { remapped.clashes += 1 }
      case .drop: break
      case .convert(let target, let rule):
        let result = rule.apply(to: value)
        remapped.count(result.outcome)
        if output.updateValue(result.value, forKey: target) != nil { remapped.clashes += 1 }
      case .target:
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop {
          remapped.isReversible = false
          if output[key] == nil { output[key] = value } else { remapped.clashes += 1 }
        }
      case nil:
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop { output[key] = value }
      }
    }
    for constant in constants where output.updateValue(constant.value, forKey: constant.key) != nil {
      remapped.clashes += 1
    }
    remapped.unmapped.sort()
    remapped.payload = output
  }
}
