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

  /// Uses some steps; `false` if none are left.
  mutating func take(_ count: Int = 1) -> Bool {
    left -= count
    steps += count
    return left > 0 && nesting < Self.maximumNesting
  }

  /// Goes one expression deeper; `false` if that is too deep, or if no step is left.
  mutating func descend() -> Bool {
    guard take(), depth < Self.maximumDepth else { return false }
    depth += 1
    return true
  }
}
