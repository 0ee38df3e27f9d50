/// A run of a program, as the generator knows it: what it has decided so far, and what it has sent.
struct ProgramState {
  /// Which of its values each parameter of the call's function has.
  let choices: [Int]
  var texts: [String: String] = [:]
  var fields: [String: Fields] = [:]
  var sent: [ProgramEvent] = []

  init(choices: [Int]) {
    self.choices = choices
  }

  /// Puts a value under a key of a variable.
  mutating func set(_ key: TextExpression, in variable: String) {
    let key = key.value(self)
    fields[variable]?[key] = .value
  }

  mutating func send(_ name: String, _ fields: Fields) {
    sent.append(ProgramEvent(name: name, keys: fields.paths))
  }
}

/// Whether a run goes on after a statement.
enum Flow {
  case next, ends
}

/// Lines of a program, and what they do.
struct Statement {
  var lines: [String]
  let run: (inout ProgramState) -> Flow

  init(_ lines: [String], _ run: @escaping (inout ProgramState) -> Void = { _ in }) {
    self.lines = lines
    self.run = { state in
      run(&state)
      return .next
    }
  }

  /// One that may leave the function.
  init(leaving lines: [String], _ run: @escaping (inout ProgramState) -> Flow) {
    self.lines = lines
    self.run = run
  }
}

extension [Statement] {
  func run(_ state: inout ProgramState) -> Flow {
    for statement in self {
      let flow = statement.run(&state)
      if flow != .next { return flow }
    }
    return .next
  }

  /// The lines, two columns further to the right for each level.
  func lines(indentedBy levels: Int = 1) -> [String] {
    flatMap(\.lines).indented(by: levels)
  }
}

extension [String] {
  func indented(by levels: Int = 1) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: "  ", count: levels) + $0 }
  }
}

/// An expression of type `String`.
struct TextExpression {
  /// Safe to stand anywhere in a larger expression.
  let code: String
  let value: (ProgramState) -> String

  init(_ code: String, _ value: @escaping (ProgramState) -> String) {
    self.code = code
    self.value = value
  }

  init(_ code: String, constant: String) {
    self.init(code) { _ in constant }
  }
}

/// An expression of type `[String: Any]`.
struct FieldsExpression {
  /// Good as an argument of this type; a literal is not good for more.
  let code: String
  var isLiteral = false
  let value: (ProgramState) -> Fields

  /// Safe to stand anywhere in a larger expression.
  var typed: String {
    isLiteral ? "(\(code) as [String: Any])" : code
  }
}
