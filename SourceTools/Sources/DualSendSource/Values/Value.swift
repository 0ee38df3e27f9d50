import DualSendCore
import DualSendInventory

/// Where a text stands in the sources, if it stands there as a whole.
struct Origin: Sendable, Hashable {
  let file: Int
  /// The bytes of the literal; of a case without a raw value, its name.
  let range: Range<Int>
  /// A case's name, which gives the raw value.
  var isCaseName = false
  /// A part of a literal with interpolations.
  var isSegment = false
  /// What stands there, if more follows in the text.
  var prefix: String?

  /// Of a text that goes on after what stands there.
  func beginning(_ text: String) -> Origin {
    var longer = self
    longer.prefix = prefix ?? text
    return longer
  }
}

/// What an expression can be.
indirect enum Value: Sendable, Hashable {
  /// A text that is known.
  case text(String, Origin?)
  /// A text of which parts are known; `nil` is a part that is not.
  case pattern([String?], reason: String, isCallers: Bool)
  /// A literal that is no text.
  case literal(EventValue)
  /// Any value of a simple type.
  case scalar(SentType)
  case dictionary(Dictionary)
  /// An array as it was written.
  case list([Value])
  /// An array of so-and-so many elements.
  case elements(Value)
  case enumCase(TypeReference, String, [Field])
  /// A value of a type of the app's own, with what its initializer set.
  case object(TypeReference, [String: Value])
  /// Any value of a type of the app's own, or of what conforms to it.
  case instance(TypeReference)
  case type(TypeReference)
  /// What the caller hands over; the declared type.
  case parameter(String, type: String)
  case oneOf([Value])
  case unknown(String)

  struct Field: Sendable, Hashable {
    let name: String
    let value: Value
  }

  struct Member: Sendable, Hashable {
    var value: Value
    var isOptional: Bool
    var origin: Origin?
    /// The expression of the key, where it stands in a literal or a subscript.
    var entry: Origin?
  }

  struct Dictionary: Sendable, Hashable {
    var members: [String: Member] = [:]
    /// Why there may be other keys.
    var open: String?
    /// Whether the caller knows the others.
    var isCallers = false
    /// Which keys there are depends on a choice inside of an expression.
    var isChosen = false
  }

  static let null = Value.literal(.null)
  /// More texts that one expression may come to are not told apart.
  static let maximumTexts = 64
}

extension Value {
  /// One of several; equal ones count once.
  static func either(_ values: [Value]) -> Value {
    var all: [Value] = []
    var seen: Set<Value> = []
    for value in values {
      let parts = if case .oneOf(let inner) = value { inner } else { [value] }
      for part in parts where seen.insert(part).inserted { all.append(part) }
    }
    if all.count > maximumDictionaries, let one = Dictionary.joined(all) { return .dictionary(one) }
    return all.count == 1 ? all[0] : .oneOf(all)
  }

  /// More dictionaries than these become one that has each of their keys, always or sometimes.
  private static let maximumDictionaries = 8

  var alternatives: [Value] { if case .oneOf(let all) = self { all } else { [self] } }

  /// The same for each alternative.
  func map(_ change: (Value) -> Value) -> Value {
    guard case .oneOf(let all) = self else { return change(self) }
    return .either(all.map(change))
  }

  /// Whether it can be nil; `nil` if that is not known.
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

  /// Without nil.
  var unwrapped: Value {
    switch self {
    case .oneOf(let all):
      let rest = all.filter { $0 != .null }
      return rest.isEmpty ? .unknown("a value that is always nil") : .either(rest.map(\.unwrapped))
    case .parameter(let name, let type): return .parameter(name, type: type.withoutOptional)
    default: return self
    }
  }

  /// Whether the caller decides about it.
  var isCallers: Bool {
    switch self {
    case .parameter: true
    case .pattern(_, _, let isCallers): isCallers
    case .oneOf(let all): all.contains(where: \.isCallers)
    case .dictionary(let shape): shape.isCallers
    case .list(let all): all.contains(where: \.isCallers)
    case .elements(let one): one.isCallers
    default: false
    }
  }

  /// Why it is not known.
  func reason(_ what: String) -> String {
    switch self {
    case .unknown(let why): "\(what): \(why)"
    case .pattern(_, let why, _): "\(what): \(why)"
    case .scalar(let type): "\(what): any \(type.rawValue)"
    case .parameter(let name, let type):
      "\(what): any \(type.isEmpty ? "value" : type.lowercasedFirst) of `\(name)`"
    case .instance(let type): "\(what): any `\(type.path)`"
    case .oneOf(let all): all.first { $0.plain == nil }?.reason(what) ?? what
    default: "\(what): it is no text"
    }
  }

  /// The text that it is.
  var plain: String? { if case .text(let text, _) = self { text } else { nil } }

  /// Its parts as a text; `nil` if it is none.
  var textParts: [String?]? {
    switch self {
    case .text(let text, _): [text]
    case .pattern(let parts, _, _): parts
    case .literal(.int(let number)): ["\(number)"]
    case .literal(.bool(let flag)): ["\(flag)"]
    default: nil
    }
  }
}

extension String {
  var isOptionalType: Bool {
    let text = hasPrefix("(") && hasSuffix(")") && !contains("->") ? String(dropFirst().dropLast()) : self
    return text.hasSuffix("?") || text.hasSuffix("!") || text.hasPrefix("Optional<")
  }

  var withoutOptional: String {
    var text = self
    while text.hasSuffix("?") || text.hasSuffix("!") { text = String(text.dropLast()) }
    if text.hasPrefix("Optional<"), text.hasSuffix(">") { text = String(text.dropFirst(9).dropLast()) }
    if text.hasPrefix("("), text.hasSuffix(")"), !text.contains("->"), !text.contains(",") {
      text = String(text.dropFirst().dropLast())
    }
    return text
  }

  fileprivate var lowercasedFirst: String { self == "String" ? "string" : "`\(self)`" }
}

extension Value.Dictionary {
  /// One that can be any of some; `nil` if not all of them are dictionaries.
  static func joined(_ all: [Value]) -> Value.Dictionary? {
    var shapes: [Value.Dictionary] = []
    for value in all {
      guard case .dictionary(let shape) = value else { return nil }
      shapes.append(shape)
    }
    var result = Value.Dictionary(isChosen: true)
    for key in shapes.reduce(into: Set<String>(), { $0.formUnion($1.members.keys) }) {
      let there = shapes.compactMap { $0.members[key] }
      let origins = Set(there.map(\.origin))
      let entries = Set(there.map(\.entry))
      result.members[key] = .init(
        value: .either(there.map(\.value)),
        isOptional: there.count < shapes.count || there.contains(where: \.isOptional),
        origin: origins.count == 1 ? there[0].origin : nil, entry: entries.count == 1 ? there[0].entry : nil)
    }
    result.open = shapes.compactMap(\.open).first
    result.isCallers = shapes.contains(where: \.isCallers)
    return result
  }
}
