/// An event that a call can log.
struct Shape: Hashable, Sendable {
  let name: Value
  let parameters: Value.Dictionary
  /// The functions between the call and the logger, outermost first.
  var via: [String] = []
  var reasons: Set<String> = []

  /// The event alone.
  var event: Shape { Shape(name: name, parameters: parameters) }

  /// Whether the event depends on the caller of the enclosing function.
  var isCallers: Bool { name.isCallers }

  /// An unknown event.
  static func open(_ reason: String) -> Shape {
    Shape(name: .unknown(reason), parameters: .init(open: reason))
  }
}

/// Functions that log what their callers pass.
struct WrapperIndex: Sendable {
  /// The positions of the logging calls in their file, by the number of the declaration.
  private(set) var all: [Int: Set<Int>] = [:]
  /// The functions with a call of their own name that is a place by itself, because it does not depend on their callers.
  private(set) var logging: Set<Int> = []
  /// The declarations by name.
  private(set) var byName: [String: [Int]] = [:]

  /// Notes a function with such a call; `false` if it is known.
  mutating func note(logging number: Int) -> Bool { logging.insert(number).inserted }

  /// Adds a logging call in a function.
  ///
  /// - Returns: whether the call is new.
  mutating func add(_ offset: Int, in number: Int, _ one: Declaration) -> Bool {
    if all[number] == nil { byName[one.name, default: []].append(number) }
    return all[number, default: []].insert(offset).inserted
  }
}

/// A call that may log.
struct FoundCall: Sendable {
  let position: SourcePosition
  /// The end of the called expression, which identifies the call in its file.
  let offset: Int
  /// The position of the function's name.
  let name: Int
  /// The described function, if the call is a direct one.
  let function: LoggingFunction?
  let shapes: [Shape]
  /// The declaration of the enclosing function, if its calls can be followed.
  let enclosing: Int?
  /// The wrappers that the call may mean.
  let wrappers: Set<Int>

  var isCallers: Bool { enclosing != nil && shapes.contains(where: \.isCallers) }
}
