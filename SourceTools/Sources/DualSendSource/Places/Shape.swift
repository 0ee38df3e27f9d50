/// One event that a call can log.
struct Shape: Hashable, Sendable {
  let name: Value
  let parameters: Value.Dictionary
  /// The functions on the way, outermost first.
  var via: [String] = []
  /// The described function that is called in the end.
  var function: LoggingFunction?
  /// Where that call stands.
  var call: Origin?
  var reasons: Set<String> = []

  /// Whether the caller of the function around it decides about it.
  var isCallers: Bool { name.isCallers }

  /// Any event.
  static func open(_ reason: String) -> Shape {
    Shape(name: .unknown(reason), parameters: .init(open: reason))
  }
}

/// The functions whose callers decide what they log.
struct WrapperIndex: Sendable {
  /// By the number of the declaration: where in its file the calls stand that log.
  private(set) var all: [Int: Set<Int>] = [:]
  /// By name, then by the type that declares them.
  private(set) var byName: [String: [String: [Int]]] = [:]

  func named(_ name: String) -> [Int] { (byName[name] ?? [:]).values.flatMap { $0 }.sorted() }

  func named(_ name: String, of owners: [String]) -> [Int] {
    guard let own = byName[name] else { return [] }
    return owners.flatMap { own[$0] ?? [] }
  }

  /// Adds a call in a function.
  ///
  /// - Returns: whether it is new.
  mutating func add(_ offset: Int, in number: Int, _ one: Declaration) -> Bool {
    if all[number] == nil { byName[one.name, default: [:]][one.owner, default: []].append(number) }
    return all[number, default: []].insert(offset).inserted
  }
}

/// A call that may log, with all that is known of it.
struct FoundCall: Sendable {
  let position: SourcePosition
  /// Where the called expression ends: identifies the call in its file.
  let offset: Int
  let file: Int
  let range: Range<Int>
  /// The bytes of the function or property around it.
  let around: Range<Int>
  /// The described function that it calls, if it calls one itself.
  let function: LoggingFunction?
  let shapes: [Shape]
  /// The declaration of the function around it, if calls of that can be followed.
  let enclosing: Int?
  /// The wrappers that it calls.
  let wrappers: Set<Int>

  var isCallers: Bool { enclosing != nil && shapes.contains(where: \.isCallers) }
}
