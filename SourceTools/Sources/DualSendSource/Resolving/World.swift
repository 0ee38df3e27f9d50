/// What is known at a point of a function on one way through it.
struct World: Hashable {
  /// By name; `self` is one of them, and `self.x` what an initializer has set.
  var locals: [String: Value] = [:]
  /// The types of locals as they were written.
  var types: [String: String] = [:]
  /// Those that can be changed.
  var variables: Set<String> = []
  /// Names that code may change which runs at any time.
  var loose: Set<String> = []
  /// What conditions were decided, by their texts.
  var facts: [String: Bool] = [:]
  /// The names in conditions that were met.
  var asked: Set<String> = []
  /// Whether conditions depend on each other in a way that was not followed.
  var isEntangled = false

  mutating func set(_ name: String, _ value: Value) {
    locals[name] = loose.contains(name) ? .unknown("`\(name)` is changed elsewhere") : value
    forget(name)
  }

  /// Code that was not followed may have changed it, or may at any time.
  mutating func lose(_ names: Set<String>, forGood: Bool = false) {
    for name in names where variables.contains(name) || locals["self." + name] != nil {
      let key = variables.contains(name) ? name : "self." + name
      if forGood { loose.insert(key) }
      locals[key] = .unknown("`\(name)` is changed in a way that is not followed")
      forget(name)
    }
  }

  /// A local begins.
  mutating func declare(_ name: String, _ value: Value, _ type: String?, isVariable: Bool) {
    loose.remove(name)
    set(name, value)
    types[name] = type
    if isVariable { variables.insert(name) } else { variables.remove(name) }
  }

  /// Names mean something else from here on: what they are now is put aside.
  mutating func open(_ scope: String, _ names: Set<String>) {
    for name in names {
      locals[scope + name] = locals[name]
      types[scope + name] = types[name]
      if variables.contains(name) { variables.insert(scope + name) }
    }
  }

  /// They mean again what they did.
  mutating func close(_ scope: String, _ names: Set<String>) {
    for name in names {
      locals[name] = locals.removeValue(forKey: scope + name)
      types[name] = types.removeValue(forKey: scope + name)
      if variables.remove(scope + name) != nil { variables.insert(name) } else { variables.remove(name) }
      forget(name)
    }
  }

  private mutating func forget(_ name: String) {
    if !facts.isEmpty { facts = facts.filter { !$0.key.words.contains(name) } }
  }

  /// Notes that a condition was met that is not decided by what is known.
  mutating func ask(_ condition: String) {
    let words = condition.words
    if !asked.isDisjoint(with: words) { isEntangled = true }
    asked.formUnion(words)
  }

  /// What holds on every one of some ways.
  static func joined(_ worlds: [World]) -> World {
    guard var joined = worlds.first else { return World() }
    let names = worlds.dropFirst().reduce(Set(joined.locals.keys)) { $0.union($1.locals.keys) }
    for name in names {
      joined.locals[name] = .either(worlds.map { $0.locals[name] ?? .unknown("`\(name)` is not set on every way") })
    }
    joined.facts = joined.facts.filter { fact in worlds.allSatisfy { $0.facts[fact.key] == fact.value } }
    for world in worlds {
      joined.loose.formUnion(world.loose)
      joined.asked.formUnion(world.asked)
      joined.variables.formUnion(world.variables)
    }
    joined.isEntangled = true
    return joined
  }
}

extension [World] {
  private static let maximum = 24

  /// At most so many ways; more become one that can be any of them.
  var bounded: [World] {
    if count < 2 { return self }
    var seen: Set<World> = []
    let distinct = filter { seen.insert($0).inserted }
    return distinct.count > Self.maximum ? [World.joined(distinct)] : distinct
  }

  func each(_ change: (inout World) -> Void) -> [World] {
    map { world in
      var world = world
      change(&world)
      return world
    }
  }
}

extension String {
  /// The names in some Swift.
  var words: Set<String> {
    Set(split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }.map(String.init))
  }
}
