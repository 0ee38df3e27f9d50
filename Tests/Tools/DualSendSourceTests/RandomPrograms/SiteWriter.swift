/// One function of a program and the one call that logs in it, while they are written.
final class SiteWriter {
  /// What the function is a member of.
  enum Context {
    case free
    case instance(type: String)
    case type(String)
  }

  /// A parameter of the function, or a compilation condition, and all that it can be.
  struct Choice {
    let name: String
    let type: String
    /// How a caller writes each value.
    let values: [String]
    var isCondition = false
  }

  /// The compilation condition that programs are built with and without.
  static let condition = "ALTERNATIVE"
  private static let maximumRuns = 48

  let program: ProgramWriter
  let context: Context
  /// Where the function is written.
  let file: Int
  /// Stands before the call.
  let mark: String
  private(set) var choices: [Choice] = []
  private(set) var statements: [Statement] = []
  /// Whether something beyond the sources decides what is sent.
  var isOpen = false
  /// Whether a condition that is always true or always false may be taken for one that is not known.
  var isHard = false

  init(_ program: ProgramWriter, context: Context) {
    self.program = program
    self.context = context
    file = program.anyFile()
    mark = program.markOpen()
  }

  func add(_ statement: Statement) {
    statements.append(statement)
  }

  /// What is added meanwhile, as a block of its own.
  func block(_ write: () -> Void) -> [Statement] {
    let outer = statements
    statements = []
    write()
    defer { statements = outer }
    return statements
  }

  // MARK: What callers decide

  var runs: Int {
    choices.reduce(1) { $0 * $1.values.count }
  }

  /// Adds a parameter; `nil` if there would be too many runs. No two decisions share one: whoever reads the sources may
  /// take each for itself.
  func parameter(_ type: String, _ values: [String]) -> (name: String, index: Int)? {
    guard runs * values.count <= Self.maximumRuns else { return nil }
    choices.append(Choice(name: "c\(choices.count)", type: type, values: values))
    return ("c\(choices.count - 1)", choices.count - 1)
  }

  func flag() -> (name: String, index: Int)? {
    parameter("Bool", ["false", "true"])
  }

  /// The decision of the compiler; one a function.
  func compilationCondition() -> Int? {
    guard !choices.contains(where: \.isCondition), runs * 2 <= Self.maximumRuns else { return nil }
    choices.append(Choice(name: Self.condition, type: "", values: ["off", "on"], isCondition: true))
    return choices.count - 1
  }

  // MARK: What comes of it

  /// Every combination of what callers decide.
  var allChoices: [[Int]] {
    choices.reduce([[]]) { runs, choice in
      runs.flatMap { run in choice.values.indices.map { run + [$0] } }
    }
  }

  var sent: Set<ProgramEvent> {
    var sent: Set<ProgramEvent> = []
    for choices in allChoices {
      var state = ProgramState(choices: choices)
      _ = statements.run(&state)
      sent.formUnion(state.sent)
    }
    return sent
  }
}
