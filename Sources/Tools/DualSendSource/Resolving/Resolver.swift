import SwiftSyntax

/// Evaluates expressions to the values that they can have, by four readers that know each other.
///
/// What they read stands in tables: ``ValueReader`` has a row for each form of expression, ``StatementReader`` one for each form of
/// statement, ``CallReader`` one for each function of the standard library. What has no row is unknown, and named with its line;
/// a statement without a row makes the variables unknown that it may change.
///
/// Not thread-safe: each thread has a resolver of its own.
final class Resolver {
  let units: UnitStore
  let types: TypeReader
  private(set) lazy var values = ValueReader(self)
  private(set) lazy var calls = CallReader(self)
  private(set) lazy var statements = StatementReader(self)
  /// The app's own text properties that follow a rule.
  let rules: [String: TextRule]
  var effort = Effort()

  var index: DeclarationIndex { types.index }

  init(index: DeclarationIndex, units: UnitStore, rules: [String: TextRule] = [:]) {
    (self.units, self.rules, types) = (units, rules, TypeReader(index))
  }
}

/// The work that an evaluation may still do. What takes more is unknown, so that no source takes long.
struct Effort {
  /// The steps that are left for the current question.
  var left = 0
  /// All steps so far.
  private(set) var steps = 0
  /// The depth of the expression that is being read.
  var depth = 0
  /// The number of declarations that are being evaluated, each for the one before.
  var nesting = 0

  static let perQuestion = 40_000
  static let exceeded = Value.unknown("it takes too much work to find out")
  private static let maximumDepth = 24
  private static let maximumNesting = 48

  /// Uses a step; `false` if none is left.
  mutating func take() -> Bool {
    left -= 1
    steps += 1
    return left > 0 && nesting < Self.maximumNesting
  }

  /// Goes one expression deeper; `false` if that is too deep, or if no step is left.
  mutating func descend() -> Bool {
    guard take(), depth < Self.maximumDepth else { return false }
    depth += 1
    return true
  }
}
