import SwiftSyntax

/// A point in some code, and what is known there. Where branches meet, a local has the values of all of them.
struct PathState {
  let unit: SourceUnit
  /// The enclosing types, dotted.
  let owner: String
  /// The result type of the enclosing function.
  var result: String?
  /// Values by name, including `self`.
  var locals: [String: Value] = [:]
  /// The declared types of locals.
  var types: [String: String] = [:]
  /// The unknown locals that are made of the caller's arguments.
  var callers: Set<String> = []
  /// The names in the undecided conditions on which the value of a local depends.
  var conditions: [String: Set<String>] = [:]
  /// The names in the undecided conditions that lead here.
  var asked: Set<String> = []
  /// Those of conditions that only ask whether a value is nil.
  var unwrapped: Set<String> = []
  /// Why nothing more is known: the steps of the place ran out.
  var limit: String?

  init(_ unit: SourceUnit, owner: String, result: String? = nil) {
    (self.unit, self.owner, self.result) = (unit, owner, result)
  }

  /// The start of a function.
  init(_ unit: SourceUnit, entering one: Declaration, _ arguments: [String: Value], _ receiver: Value?) {
    self.init(unit, owner: one.owner, result: one.kind == .function ? one.type : nil)
    for parameter in one.parameters {
      locals[parameter.name] = arguments[parameter.name] ?? .unknown("`\(parameter.name)`")
      types[parameter.name] = parameter.type
    }
    for name in one.generics { locals[name] = .unknown("a type that the caller chooses") }
    if let receiver { locals["self"] = receiver }
  }

  /// Whether a dotted name begins with a local.
  func isLocal(_ path: String) -> Bool { locals[String(path.prefix { $0 != "." })] != nil }

  /// A property of `self`, if `self` is known.
  func ownProperty(_ name: String) -> Value? {
    if case .object(let own)? = locals["self"] { own.fields[name] } else { nil }
  }

  /// The place of a node for reasons: `line 12`.
  func place(of node: some SyntaxProtocol) -> String { unit.place(of: node) }

  /// A form of Swift with its place: `` `while` in line 12 ``.
  func form(_ node: some SyntaxProtocol) -> String {
    let word = Syntax(node).firstToken(viewMode: .sourceAccurate)?.text ?? ""
    let name: String =
      switch Syntax(node).as(SyntaxEnum.self) {
      case .closureExpr: "a closure"
      case .functionDecl, .variableDecl, .accessorBlock: "a local declaration"
      case .deferStmt, .doStmt, .whileStmt, .repeatStmt, .forStmt, .ifConfigDecl, .switchExpr: "`\(word)`"
      case .labeledStmt: "a label"
      default: ExprSyntax(node).map { "`\($0.shortText)`" } ?? "`\(word)`"
      }
    return "\(name) in \(place(of: node))"
  }

  // MARK: changes

  mutating func set(_ name: String, _ value: Value) {
    locals[name] = value
    callers.remove(name)
  }

  /// Marks a local, a property of `self` or `self` as changed without being followed.
  ///
  /// - Parameter form: the code, with its line.
  mutating func lose(_ name: String, by form: String) {
    let unknown = Value.unknown("`\(name)` is changed by \(form)")
    if locals[name]?.isCallers == true { callers.insert(name) }
    if case .object(var own)? = locals["self"] {
      own.fields[name] = own.fields[name].map { _ in unknown }
      locals["self"] = name == "self" ? .instance(own.type) : .object(own)
    } else if name == "self" {
      locals[name] = unknown
    }
    if name != "self", locals[name] != nil { locals[name] = unknown }
  }

  /// The state from which on nothing is known, because no step is left.
  func spent(at node: Syntax) -> PathState {
    var after = self
    let limit = "it takes more work than a place is worth, from \(form(node)) on"
    after.limit = limit
    after.locals = locals.mapValues { _ in .unknown(limit) }
    return after
  }

  /// Declares a local.
  mutating func declare(_ name: String, _ value: Value, _ type: String? = nil) {
    set(name, value)
    types[name] = type
    conditions[name] = nil
  }

  /// Binds the names of a pattern.
  mutating func bind(_ bound: [String: Value], in pattern: some SyntaxProtocol) {
    let changes = unit.changes(around: pattern).all
    for (name, value) in bound {
      let isLost = changes[name]?.contains { !$0.isFollowed && $0.member == nil } == true
      let value = isLost ? .unknown("`\(name)` is changed elsewhere") : value
      declare(name, value, types[name]?.withoutOptional)
    }
  }

  /// Ends a scope: the names that it declares mean again what they mean around it.
  mutating func restore(_ names: Set<String>, from outer: PathState) {
    for name in names {
      locals[name] = outer.locals[name]
      types[name] = outer.types[name]
      conditions[name] = outer.conditions[name]
    }
  }

  // MARK: conditions

  /// Remembers the conditions of a new value, and whether it is unknown because it is made of the caller's arguments, as they
  /// were before it was set.
  mutating func remember(_ name: String, of expression: ExprSyntax, before: PathState) {
    let words = before.conditions(of: expression)
    conditions[name] = words.isEmpty ? nil : words
    if case .unknown? = locals[name], before.dependsOnCaller(expression) { callers.insert(name) }
  }

  /// Whether an expression has a part that depends on the caller.
  func dependsOnCaller(_ expression: ExprSyntax) -> Bool {
    expression.mentionedNames.contains { callers.contains($0) || locals[$0]?.isCallers == true }
  }

  /// The names in the undecided conditions on which the value of an expression depends.
  func conditions(of expression: some SyntaxProtocol) -> Set<String> {
    let choices = expression.all(TernaryExprSyntax.self).flatMap { $0.condition.trimmedDescription.words }
    return expression.mentionedNames.reduce(into: Set(choices)) { $0.formUnion(conditions[$1] ?? []) }
  }

  /// The names in an expression that can stand for several values.
  func choices(in expression: some SyntaxProtocol) -> Set<String> {
    expression.mentionedNames.filter { name in
      switch locals[name] {
      case nil, .instance?, .parameter?: true
      case let value?: value.alternatives.count > 1
      }
    }
  }

  /// The state where branches meet.
  ///
  /// - Parameters:
  ///   - words: the names in the condition that decides between them.
  ///   - before: the state at the condition.
  static func joined(_ states: [PathState], words: Set<String> = [], before: PathState? = nil) -> PathState? {
    guard var joined = states.first else { return nil }
    guard states.count > 1 else { return joined }
    for name in states.reduce(into: Set<String>(), { $0.formUnion($1.locals.keys) }) {
      let first = joined.locals[name]
      let known = states.reduce(into: Set<String>()) { $0.formUnion($1.conditions[name] ?? []) }
      if states.allSatisfy({ $0.locals[name] == first }) {
        if !known.isEmpty { joined.conditions[name] = known }
        continue
      }
      let all = states.map { $0.locals[name] ?? .unknown("`\(name)` is not set on every path") }
      joined.locals[name] = Value.Dictionary.joined(all, isChosen: false).map { .dictionary($0) } ?? .either(all)
      joined.conditions[name] = known.union(words)
    }
    for state in states {
      joined.callers.formUnion(state.callers)
      joined.asked.formUnion(state.asked)
      joined.unwrapped.formUnion(state.unwrapped)
      joined.limit = joined.limit ?? state.limit
    }
    joined.asked.subtract(words.subtracting(before?.asked ?? []))
    joined.unwrapped.subtract(words.subtracting(before?.unwrapped ?? []))
    return joined
  }
}

extension String {
  /// The names in some Swift.
  var words: Set<String> {
    Set(split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }.map(String.init))
      .filter { $0.first?.isNumber == false }.subtracting([
        "let", "var", "case", "nil", "true", "false", "self", "is", "as",
      ])
  }
}
