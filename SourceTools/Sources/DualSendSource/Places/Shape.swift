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
  var isCallers = false
}

/// A function whose callers decide what it logs.
struct Wrapper: Hashable, Sendable {
  let declaration: Int
  /// Where in its file the calls stand that log.
  var calls: Set<Int>
}

/// A call that may log, with all that is known of it.
struct FoundCall: Sendable {
  let standpoint: Standpoint
  /// By which it is told from the others of its file.
  let offset: Int
  let file: Int
  let range: Range<Int>
  /// The bytes of the code that it is run with.
  let around: Range<Int>
  /// The described function that it calls, if it calls one itself.
  let function: LoggingFunction?
  var shapes: [Shape]
  /// The declaration of the function around it, if calls of that can be followed.
  let enclosing: Int?
  /// The wrappers that it calls.
  var wrappers: Set<Int> = []
  /// Why nothing is known.
  var obstacle: String?

  var isCallers: Bool { enclosing != nil && shapes.contains(where: \.isCallers) }
}
