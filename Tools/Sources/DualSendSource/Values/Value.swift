import DualSendCore
import DualSendInventory

/// The position of a text in the sources.
struct Origin: Sendable, Hashable {
  let file: Int
  /// The byte range of the literal, or of the name of a case without a raw value.
  let range: Range<Int>
  /// A case name that is the raw value.
  var isCaseName = false
}

/// The possible values of an expression.
indirect enum Value: Sendable, Hashable {
  /// A known text.
  case text(String, Origin?)
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
  /// A value of a type of the app, with the properties that its initializer set.
  case object(TypeReference, [String: Value])
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

  struct Member: Sendable, Hashable {
    var value: Value
    var isOptional: Bool
    /// The literal of the key.
    var origin: Origin?
  }

  struct Dictionary: Sendable, Hashable {
    var members: [String: Member] = [:]
    /// Why there may be other keys.
    var open: String?
    /// Whether the set of keys depends on a choice within an expression.
    var isChosen = false
    /// Whether the keys are the cases of an enum, each under its raw value, which the code does not yet read.
    var hasCaseKeys = false
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
    if all.count > maximumDictionaries, let one = Dictionary.joined(all) { return .dictionary(one) }
    if all.count > maximumAlternatives { return .unknown("it can be one of more than \(maximumAlternatives) values") }
    return all.count == 1 ? all[0] : .oneOf(all)
  }

  var alternatives: [Value] { if case .oneOf(let all) = self { all } else { [self] } }

  /// Transforms each alternative.
  func map(_ change: (Value) -> Value) -> Value {
    guard case .oneOf(let all) = self else { return change(self) }
    return .either(all.map(change))
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

  /// Whether it is a dictionary whose keys are the cases of an enum.
  var hasCaseKeys: Bool {
    alternatives.contains { if case .dictionary(let shape) = $0 { shape.hasCaseKeys } else { false } }
  }

  /// The reason that the value is unknown.
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

  /// The text of a known text.
  var plain: String? { if case .text(let text, _) = self { text } else { nil } }

  /// The parts of a text; `nil` for other values.
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
  /// A dictionary with more keys is open, so that the work is bounded.
  private static let maximumKeys = 512
  private static let maximumValues = 64

  /// The dictionary that covers several alternatives; `nil` if one of them is not a dictionary.
  static func joined(_ all: [Value]) -> Value.Dictionary? {
    let shapes = all.compactMap { if case .dictionary(let shape) = $0 { shape } else { nil } }
    guard shapes.count == all.count else { return nil }
    var result = Value.Dictionary(isChosen: true)
    result.open = shapes.compactMap(\.open).first
    result.hasCaseKeys = shapes.contains(where: \.hasCaseKeys)
    var keys = Set(shapes.flatMap(\.members.keys))
    if keys.count > maximumKeys {
      keys = Set(keys.sorted().prefix(maximumKeys))
      result.limit()
    }
    for key in keys {
      let there = shapes.compactMap { $0.members[key] }
      let first = there[0]
      let isOptional = there.count < shapes.count || there.contains(where: \.isOptional)
      var member = first
      if !there.allSatisfy({ $0 == first }) {
        member.value = Self.any(of: there.map(\.value))
        if there.contains(where: { $0.origin != first.origin }) { member.origin = nil }
      }
      member.isOptional = isOptional
      result.members[key] = member
    }
    return result
  }

  /// The value of one key. Of too many values, only the type is kept.
  static func any(of values: [Value]) -> Value {
    let all = Value.either(values)
    guard all.alternatives.count > maximumValues else { return all }
    let isText = all.alternatives.allSatisfy { $0.plain != nil }
    return .scalar(isText ? .string : .unknown)
  }

  /// Sets the value of a key; the key may have several alternatives.
  mutating func set(_ key: Value, _ member: Value.Member, text: String) {
    switch key {
    case .text(let name, let origin):
      if members[name] == nil, members.count >= Self.maximumKeys { return limit() }
      members[name] = member
      members[name]?.origin = origin
    case .oneOf(let all):
      for one in all {
        guard case .text(let name, let origin) = one, members.count < Self.maximumKeys else {
          set(one, member, text: text)
          continue
        }
        let there = members[name]
        members[name] = .init(
          value: there.map { Self.any(of: [$0.value, member.value]) } ?? member.value,
          isOptional: there?.isOptional ?? true, origin: there == nil ? origin : nil)
        isChosen = true
      }
    default:
      open = key.reason("the key `\(text)`")
    }
  }

  /// Removes a key.
  mutating func remove(_ key: Value) {
    if let text = key.plain {
      members[text] = nil
    } else {
      for key in members.keys { members[key]?.isOptional = true }
    }
  }

  /// Adds the keys of another dictionary.
  mutating func merge(_ added: Value.Dictionary) {
    let isLarge = members.count + added.members.count > Self.maximumKeys
    for key in isLarge ? added.members.keys.sorted() : Array(added.members.keys) {
      guard let member = added.members[key] else { continue }
      guard let there = members[key] else {
        if members.count < Self.maximumKeys { members[key] = member } else { limit() }
        continue
      }
      members[key] = .init(
        value: Self.any(of: [there.value, member.value]), isOptional: there.isOptional && member.isOptional,
        origin: there.origin == member.origin ? there.origin : nil)
    }
    open = open ?? added.open
    isChosen = isChosen || added.isChosen
    hasCaseKeys = hasCaseKeys || added.hasCaseKeys
  }

  private mutating func limit() { open = open ?? "it may have more than \(Self.maximumKeys) keys" }
}
