import DualSendCore

/// The possible values of an expression.
indirect enum Value: Sendable, Hashable {
  /// A known text.
  case text(String)
  /// A text with known parts; `nil` is an unknown part.
  case pattern([String?], reason: String, isCallers: Bool)
  /// A literal of another type.
  case literal(EventValue)
  /// Any value of a simple type.
  case scalar(SentType)
  case dictionary(Dictionary)
  /// An array with known elements.
  case list([Value])
  /// An array of any number of elements.
  case elements(Value)
  case enumCase(TypeReference, String, [Field])
  /// A value of a type of the app, with its properties.
  case object(Object)
  /// Any value of a type of the app, or of a type that conforms to it.
  case instance(TypeReference)
  case type(TypeReference)
  /// The argument of a caller; the declared type.
  case parameter(String, type: String)
  case oneOf([Value])
  case unknown(String)

  struct Field: Sendable, Hashable {
    let name: String
    let value: Value
  }

  struct Object: Sendable, Hashable {
    let type: TypeReference
    var fields: [String: Value]
  }

  struct Member: Sendable, Hashable {
    var value: Value
    var isOptional: Bool
  }

  struct Dictionary: Sendable, Hashable {
    var members: [String: Member] = [:]
    /// Why there may be other keys.
    var open: String?
    /// Whether the set of keys depends on a choice within an expression.
    var isChosen = false
    /// Whether the keys are cases of an enum, of which the members have the raw values.
    var isKeyedByCases = false
  }

  static let null = Value.literal(.null)
  /// An expression with more possible texts is unknown.
  static let maximumTexts = 64
  /// More dictionaries than this are merged into one, in which each key is present always or sometimes.
  private static let maximumDictionaries = 8
  /// A value with more alternatives is unknown. Large enough for the cases of a large enum.
  private static let maximumAlternatives = 2_048
}

extension Value {
  /// One of several values; equal values count once.
  static func either(_ values: [Value]) -> Value {
    var all: [Value] = []
    var seen: Set<Value> = []
    for value in values {
      let parts = if case .oneOf(let inner) = value { inner } else { [value] }
      for part in parts where seen.insert(part).inserted { all.append(part) }
    }
    if all.count > maximumDictionaries, let one = Dictionary.joined(all, isChosen: true) { return .dictionary(one) }
    if all.count > maximumAlternatives { return .unknown("it can be one of more than \(maximumAlternatives) values") }
    return all.count == 1 ? all[0] : .oneOf(all)
  }

  var alternatives: [Value] { if case .oneOf(let all) = self { all } else { [self] } }

  /// Transforms each alternative.
  func map(_ change: (Value) -> Value) -> Value {
    guard case .oneOf(let all) = self else { return change(self) }
    return .either(all.map(change))
  }

  /// How many alternatives, or keys, the value has.
  var size: Int {
    switch self {
    case .oneOf(let all): all.count
    case .dictionary(let shape): shape.members.count
    default: 1
    }
  }

  /// Whether the value can be nil; `nil` if unknown.
  var mayBeNil: Bool? {
    switch self {
    case .literal(.null): return true
    case .oneOf(let all):
      let each = all.map(\.mayBeNil)
      return each.contains(true) ? true : each.contains(nil) ? nil : false
    case .unknown: return nil
    case .parameter(_, let type): return type.isEmpty ? nil : type.isOptionalType
    default: return false
    }
  }

  /// The value without nil.
  var unwrapped: Value {
    switch self {
    case .oneOf(let all):
      let rest = all.filter { $0 != .null }
      return rest.isEmpty ? .unknown("a value that is always nil") : .either(rest.map(\.unwrapped))
    case .parameter(let name, let type): return .parameter(name, type: type.withoutOptional)
    default: return self
    }
  }

  /// Whether the value depends on the caller.
  var isCallers: Bool {
    switch self {
    case .parameter: true
    case .pattern(_, _, let isCallers): isCallers
    case .oneOf(let all): all.contains(where: \.isCallers)
    case .list(let all): all.contains(where: \.isCallers)
    case .elements(let one): one.isCallers
    default: false
    }
  }

  /// The reason that the value is unknown.
  func reason(_ what: String) -> String {
    switch self {
    case .unknown(let why): "\(what): \(why)"
    case .pattern(_, let why, _): "\(what): \(why)"
    case .scalar(let type): "\(what): any \(type.rawValue)"
    case .parameter(let name, let type):
      "\(what): any \(type.isEmpty ? "value" : type == "String" ? "string" : "`\(type)`") of `\(name)`"
    case .instance(let type): "\(what): any `\(type.path)`"
    case .oneOf(let all): all.first { $0.plain == nil }?.reason(what) ?? what
    default: "\(what): it is no text"
    }
  }

  /// The text of a known text.
  var plain: String? { if case .text(let text) = self { text } else { nil } }
}

// MARK: - Operations

extension Value {
  /// Whether it is a text, possibly with unknown parts.
  var isText: Bool {
    switch self {
    case .text, .pattern, .scalar(.string), .parameter(_, type: "String"): true
    default: false
    }
  }

  /// The concatenation of two texts.
  func appending(_ other: Value) -> Value {
    if case .text(let one) = self, case .text(let two) = other { return .text(one + two) }
    func parts(_ value: Value) -> (parts: [String?], reason: String, isCallers: Bool) {
      switch value {
      case .text(let text): ([text], "", false)
      case .pattern(let parts, let reason, let isCallers): (parts, reason, isCallers)
      case .parameter(let name, let type):
        // A wrapper may build the name from a parameter, but not from a property of it.
        ([nil], value.reason("a part of it"), type == "String" && !name.contains("."))
      default: ([nil], value.reason("a part of it"), false)
      }
    }
    let (first, second) = (parts(self), parts(other))
    var all: [String?] = []
    for part in first.parts + second.parts {
      if let part, let last = all.last ?? nil {
        all[all.count - 1] = last + part
      } else if part != nil || all.isEmpty || all[all.count - 1] != nil {
        all.append(part)
      }
    }
    return .pattern(
      all.filter { $0 != "" }, reason: first.reason.isEmpty ? second.reason : first.reason,
      isCallers: first.isCallers || second.isCallers)
  }

  /// Two arrays or texts in one; `nil` for other values, and for too many texts.
  func sum(with other: Value) -> Value? {
    if case .list(let one) = self, case .list(let two) = other { return .list(one + two) }
    let (lefts, rights) = (alternatives, other.alternatives)
    let isText = (lefts + rights).contains { one in
      switch one {
      case .text, .pattern, .scalar(.string): true
      default: false
      }
    }
    guard isText, lefts.count * rights.count <= max(Self.maximumTexts, lefts.count, rights.count) else { return nil }
    return .either(lefts.flatMap { one in rights.map(one.appending) })
  }

  /// The value of an operator before it.
  func after(_ name: String) -> Value {
    switch (name, self) {
    case ("-", .literal(.int(let number))): .literal(.int(-number))
    case ("-", .literal(.double(let number))): .literal(.double(-number))
    case ("-", .scalar(let type)): .scalar(type)
    case ("!", _): .scalar(.bool)
    default: .scalar(.unknown)
    }
  }

  /// Whether two values are equal; `nil` if that is not known.
  func isEqual(to other: Value) -> Bool? {
    switch (self, other) {
    case (.text(let one), .text(let two)): one == two
    case (.enumCase(_, let one, let fields), .enumCase(_, let two, let others)) where fields.isEmpty && others.isEmpty:
      one == two
    case (_, .literal(.null)) where mayBeNil == false: false
    case (.literal(let one), .literal(let two)): one == two
    default: nil
    }
  }

  /// The value behind `?.`: a member of nil is nil.
  var chained: Value { mayBeNil == false ? self : .either([unwrapped, .null]) }
}
