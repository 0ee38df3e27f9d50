import SwiftSyntax

/// The names that a place in a function sees, each with the number of the local value that it means.
struct LocalNames {
  private(set) var ids: [String: Int] = [:]
  /// Functions that are declared in a function.
  private(set) var functions: [String: FunctionDeclSyntax] = [:]
  /// Those that keep the value that they were given.
  private var constants: Set<Int> = []

  mutating func declare(_ name: String, _ id: Int, isConstant: Bool) {
    ids[name] = id
    functions[name] = nil
    if isConstant { constants.insert(id) }
  }

  mutating func declare(_ function: FunctionDeclSyntax) {
    functions[function.name.identifierText] = function
    ids[function.name.identifierText] = nil
  }

  func isConstant(_ name: String) -> Bool { ids[name].map(constants.contains) ?? false }
}

/// One way that control can take through a function, and what the local values are on it.
struct Path {
  /// What a way has decided: a condition's text, and whether it held.
  struct Decision: Hashable {
    let condition: String
    let names: Set<String>
    let holds: Bool
  }

  var values: [Int: SourceValue] = [:]
  private(set) var decisions: [Decision] = []
  /// Whether two decisions ask about the same thing, so that not every combination of them can be.
  private(set) var isTangled = false
  /// Local values that a closure may change at any time.
  var pinned: Set<Int> = []

  /// Takes one of the two ways that a condition leaves open.
  mutating func decide(_ condition: String, _ names: Set<String>, _ holds: Bool) {
    isTangled = isTangled || decisions.contains { !$0.names.isDisjoint(with: names) }
    decisions.append(Decision(condition: condition, names: names, holds: holds))
  }

  /// What some local values can be after any number of turns of which these are the ends.
  func widened(by ends: [Path], _ ids: [Int]) -> Path {
    var path = self
    for id in ids {
      guard var value = path.values[id] else { continue }
      for end in ends { if let other = end.values[id] { value = value.widened(with: other) } }
      path.values[id] = value
    }
    return path
  }

  /// What local values are after one of two ways, when nobody keeps the two apart any longer.
  func joined(with other: Path) -> Path {
    var joined = self
    joined.decisions = decisions.filter(other.decisions.contains)
    joined.isTangled = isTangled || other.isTangled
    joined.pinned = pinned.union(other.pinned)
    for (id, value) in other.values {
      joined.values[id] = values[id].map { $0.joined(with: value) } ?? value
    }
    return joined
  }
}

/// Where control is after some statements.
struct Flow {
  /// The ways that go on behind them.
  var onward: [Path] = []
  /// The ways that leave the function, with what they bring back.
  var returned: [(value: SourceValue, path: Path)] = []
  /// The ways that leave the nearest loop or `switch`, or the one of a label.
  var broken: [(label: String?, path: Path)] = []
  /// The ways that go on with a loop's next turn.
  var continued: [(label: String?, path: Path)] = []

  static let maximumPaths = 32

  mutating func leave(_ other: Flow) {
    returned += other.returned
    broken += other.broken
    continued += other.continued
  }

  /// As few ways as can be kept apart.
  static func bounded(_ paths: [Path]) -> [Path] {
    guard paths.count > maximumPaths, let first = paths.first else { return paths }
    return [paths.dropFirst().reduce(first) { $0.joined(with: $1) }]
  }
}

/// What is around the statements and expressions that are being worked out.
struct EvaluationContext {
  let file: Int
  /// The type that the place is in, dotted.
  let typeName: String?
  /// What `self` is; a type where members are the type's own.
  let selfValue: SourceValue?
  var names = LocalNames()
}
