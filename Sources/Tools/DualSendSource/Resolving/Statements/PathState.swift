import SwiftSyntax

/// The known values at a point of a function, on one path.
struct PathState: Hashable {
  /// Values by name, including `self`.
  var locals: [String: Value] = [:]
  /// The declared types of locals.
  var types: [String: String] = [:]
  /// The locals that can be changed.
  var variables: Set<String> = []
  /// The locals that other code, such as an escaping closure, may change at any time.
  var loose: Set<String> = []
  /// The unknown locals that are made of the caller's arguments.
  var callers: Set<String> = []
  /// Which branch each undecided condition took on this path, by the condition's text.
  var facts: [String: Bool] = [:]
  /// The names in conditions on this path.
  var asked: Set<String> = []
  /// Whether two conditions may depend on each other.
  var isEntangled = false

  /// The local that holds the value of an `if` or `switch` expression.
  static let result = "="
  private static let maximumFacts = 16
  private static let maximumAsked = 64

  /// Hashes sizes only, because dictionaries are large; `==` compares the rest.
  func hash(into hasher: inout Hasher) {
    var keys = 0
    hasher.combine(locals.count)
    hasher.combine(asked.count)
    hasher.combine(facts)
    for value in locals.values {
      if case .dictionary(let shape) = value { keys += shape.members.count }
    }
    hasher.combine(keys)
  }

  /// A property of `self`, if `self` is known.
  func ownProperty(_ name: String) -> Value? {
    if case .object(let own)? = locals["self"] { own.fields[name] } else { nil }
  }

  mutating func set(_ name: String, _ value: Value) {
    locals[name] = loose.contains(name) ? .unknown("`\(name)` is changed elsewhere") : value
    callers.remove(name)
    forget(name)
  }

  /// Marks values that code may have changed without being followed.
  mutating func lose(_ names: Set<String>, forGood: Bool = false) {
    for name in names {
      let unknown = Value.unknown("`\(name)` is changed in a way that is not followed")
      if variables.contains(name) || locals[name]?.isOwned == true {
        if forGood { loose.insert(name) }
        if locals[name]?.isCallers == true { callers.insert(name) }
        locals[name] = locals[name]?.isOwned == true ? locals[name]?.disowned : unknown
        forget(name)
      }
      if case .object(var own)? = locals["self"], own.fields[name] != nil {
        own.fields[name] = unknown
        locals["self"] = .object(own)
        if forGood { loose.insert("self") }
        forget(name)
      }
    }
  }

  /// Marks `self` as changed without being followed.
  mutating func loseSelf() {
    if case .object(let own)? = locals["self"] {
      locals["self"] = own.isOwned ? locals["self"]?.disowned : .instance(own.type)
    } else {
      locals["self"] = .unknown("`self` is changed in a way that is not followed")
    }
    forget("self")
  }

  /// The names of objects that no other code knows.
  var owned: Set<String> { Set(locals.filter { $0.value.isOwned }.keys) }

  /// Marks objects that other code may change from here on.
  mutating func loseOwned(except kept: String? = nil) {
    for (name, value) in locals where name != kept && value.isOwned { locals[name] = value.disowned }
  }

  /// Whether an expression has a part that depends on the caller.
  func dependsOnCaller(_ expression: ExprSyntax) -> Bool {
    expression.mentionedNames.contains { callers.contains($0) || locals[$0]?.isCallers == true }
  }

  /// Remembers that an unknown local is made of the caller's arguments, as they were before it was set.
  mutating func remember(_ name: String, _ value: Value, of expression: ExprSyntax, before: PathState) {
    if case .unknown = value, before.dependsOnCaller(expression) { callers.insert(name) }
  }

  /// Declares a local.
  mutating func declare(_ name: String, _ value: Value, _ type: String?, isVariable: Bool) {
    loose.remove(name)
    set(name, value)
    types[name] = type
    if isVariable { variables.insert(name) } else { variables.remove(name) }
  }

  /// Binds the names of a pattern.
  ///
  /// - Parameter mayBeOptional: whether the code may see optionals.
  func binding(_ bound: [String: Value], mayBeOptional: Bool = false) -> PathState {
    var state = self
    for (name, value) in bound {
      state.loose.remove(name)
      state.set(name, value)
      if mayBeOptional {
        state.types[name] = "Any?"
      } else if let type = state.types[name] {
        state.types[name] = type.hasSuffix("??") ? String(type.dropLast()) : type.withoutOptional
      }
    }
    return state
  }

  /// Begins a scope in which names are declared anew; their outer values are saved.
  mutating func open(_ scope: String, _ names: Set<String>) {
    for name in names {
      locals[scope + name] = locals[name]
      types[scope + name] = types[name]
      if variables.contains(name) { variables.insert(scope + name) }
      if loose.contains(name) { loose.insert(scope + name) }
    }
  }

  /// Ends a scope: the outer values of its names are restored.
  mutating func close(_ scope: String, _ names: Set<String>) {
    for name in names {
      locals[name] = locals.removeValue(forKey: scope + name)
      types[name] = types.removeValue(forKey: scope + name)
      if variables.remove(scope + name) != nil { variables.insert(name) } else { variables.remove(name) }
      if loose.remove(scope + name) != nil { loose.insert(name) } else { loose.remove(name) }
      forget(name)
    }
  }

  private mutating func forget(_ name: String) {
    if !facts.isEmpty { facts = facts.filter { !$0.key.words.contains(name) } }
  }

  /// Records a condition whose result is not known.
  mutating func ask(_ condition: String) {
    let words = condition.words
    if !asked.isDisjoint(with: words) || asked.count > Self.maximumAsked { isEntangled = true }
    if asked.count <= Self.maximumAsked { asked.formUnion(words) }
  }

  /// Records which branch a condition took.
  mutating func take(_ condition: String, _ isTrue: Bool) {
    if facts.count < Self.maximumFacts { facts[condition] = isTrue }
  }

  /// The state after several paths have met.
  ///
  /// - Parameter isEntangled: whether later code may depend on which of them was taken.
  static func joined(_ states: [PathState], isEntangled: Bool = true) -> PathState {
    guard var joined = states.first else { return PathState() }
    for name in states.reduce(into: Set<String>(), { $0.formUnion($1.locals.keys) }) {
      let first = joined.locals[name]
      guard !states.allSatisfy({ $0.locals[name] == first }) else { continue }
      let all = states.map { $0.locals[name] ?? .unknown("`\(name)` is not set on every path") }
      joined.locals[name] = Value.Dictionary.joined(all).map { .dictionary($0) } ?? .either(all)
    }
    joined.facts = joined.facts.filter { fact in states.allSatisfy { $0.facts[fact.key] == fact.value } }
    for state in states {
      joined.loose.formUnion(state.loose)
      joined.callers.formUnion(state.callers)
      joined.asked.formUnion(state.asked)
      joined.variables.formUnion(state.variables)
    }
    joined.isEntangled = isEntangled || states.contains(where: \.isEntangled)
    return joined
  }
}

extension [PathState] {
  private static let maximum = 24

  /// At most `maximum` paths; more are merged into one.
  var bounded: [PathState] {
    guard count > Self.maximum else { return self }
    var seen: Set<PathState> = []
    let distinct = filter { seen.insert($0).inserted }
    return distinct.count > Self.maximum ? [PathState.joined(distinct)] : distinct
  }

  func each(_ change: (inout PathState) -> Void) -> [PathState] {
    map { state in
      var state = state
      change(&state)
      return state
    }
  }
}

extension String {
  /// The names in some Swift.
  var words: Set<String> {
    Set(split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }.map(String.init))
  }
}
