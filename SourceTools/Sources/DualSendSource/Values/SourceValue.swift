public import DualSendCore

/// What an expression can be, as far as the sources say.
public struct SourceValue: Hashable, Sendable {
  /// What is known of it.
  public let shape: Shape
  /// Whether something about it is up to whoever calls the function that it stands in.
  public private(set) var dependsOnCaller = false
  /// How many levels of values stand in it.
  fileprivate let nesting: Int

  /// A value; open if more stands in it than anybody writes, as where a function puts one into itself again and again.
  init(_ shape: Shape, dependsOnCaller: Bool = false) {
    let nesting = shape.nesting
    let isTooDeep = nesting > Self.maximumNesting
    self.shape = isTooDeep ? .open("it is nested too deeply") : shape
    self.nesting = isTooDeep ? 0 : nesting
    self.dependsOnCaller = dependsOnCaller
  }

  private static let maximumNesting = 48

  /// What can be known of a value.
  public indirect enum Shape: Hashable, Sendable {
    /// This very string, number, boolean or `null`.
    case literal(EventValue)
    /// A string of which parts are known.
    case text([TextPart])
    /// Some value of a kind that has no parts.
    case scalar(ScalarKind)
    /// A dictionary.
    case object(ObjectShape)
    /// An array of exactly these elements.
    case list([SourceValue])
    /// An array of any number of elements, each of them like this.
    case elements(SourceValue)
    /// A tuple; a label is empty where there is none.
    case tuple([Field])
    /// A case of an enum of the sources, and its associated values.
    case enumCase(type: TypeID, name: String, values: [Field])
    /// A value of a type of the sources, and what its initializer was given; `nil` if that is not known.
    case instance(type: TypeID, fields: [Field]?)
    /// A type by its name.
    case type(TypeID)
    /// One of these, at least two.
    case oneOf([SourceValue])
    /// Nobody knows.
    case open(String)
  }

  /// A value with a label.
  public struct Field: Hashable, Sendable {
    let label: String
    let value: SourceValue
  }

  /// A piece of a string.
  public enum TextPart: Hashable, Sendable {
    case known(String)
    /// Any text; why it is not known.
    case open(String)
  }

  /// A kind of value that an event's parameter can be, without parts.
  public enum ScalarKind: String, Hashable, Sendable {
    case string, int, double, bool, date

    /// The type of the standard library that stands for it.
    var swiftName: String {
      switch self {
      case .string: "String"
      case .int: "Int"
      case .double: "Double"
      case .bool: "Bool"
      case .date: "Date"
      }
    }
  }

  /// A dictionary's keys.
  public struct ObjectShape: Hashable, Sendable {
    /// A key's value, and whether the key may be missing.
    public struct Member: Hashable, Sendable {
      var value: SourceValue
      var isOptional = false
    }

    /// Compared as the app's own dictionaries compare them.
    var members: [String: Member] = [:]
    /// Why there may be more keys than these, if there may be.
    var open: String?
  }
}

/// A type of the sources: where it is declared, so that two types of one name are told apart.
public struct TypeID: Hashable, Sendable {
  /// With the types around it, dotted.
  let name: String
  /// The number of the file if other files cannot see the type.
  let file: Int?
}

extension SourceValue {
  static let null = SourceValue(.literal(.null))

  static func text(_ text: String) -> SourceValue { SourceValue(.literal(.string(text))) }

  static func scalar(_ kind: ScalarKind) -> SourceValue { SourceValue(.scalar(kind)) }

  static func open(_ reason: String, dependsOnCaller: Bool = false) -> SourceValue {
    SourceValue(.open(reason), dependsOnCaller: dependsOnCaller)
  }

  /// The same value, up to the caller if this or another one is.
  func tainted(by other: SourceValue) -> SourceValue { tainted(other.dependsOnCaller) }

  func tainted(_ isTainted: Bool) -> SourceValue {
    var value = self
    if isTainted { value.dependsOnCaller = true }
    return value
  }

  /// The text, if it is known.
  var knownText: String? {
    if case .literal(.string(let text)) = shape { text } else { nil }
  }

  var isNull: Bool { shape == .literal(.null) }

  /// Each of the values that this can be.
  var alternatives: [SourceValue] {
    guard case .oneOf(let values) = shape else { return [self] }
    return values.map { $0.tainted(by: self) }
  }

  /// What is known of it if it is not `nil`.
  var unwrapped: SourceValue {
    let present = alternatives.filter { !$0.isNull }
    return present.isEmpty ? self : .oneOf(present)
  }

  /// Whether it is an array that is known not to be empty.
  var hasElements: Bool {
    if case .list(let elements) = shape { !elements.isEmpty } else { false }
  }

  var canBeNull: Bool { alternatives.contains(where: \.isNull) }

  /// One of several, each named once; a lot of them are not told apart.
  static func oneOf(_ values: [SourceValue]) -> SourceValue {
    var distinct: [SourceValue] = []
    var seen: Set<SourceValue> = []
    for value in values.flatMap(\.alternatives) where seen.insert(value).inserted { distinct.append(value) }
    guard distinct.count > 1 else { return distinct.first ?? .open("it has no value") }
    let isTainted = distinct.contains(where: \.dependsOnCaller)
    guard distinct.count <= maximumAlternatives else {
      return .open("it is one of more than \(maximumAlternatives) values", dependsOnCaller: isTainted)
    }
    return SourceValue(.oneOf(distinct), dependsOnCaller: isTainted)
  }

  private static let maximumAlternatives = 64

  /// The value as any number of turns of a loop leave it: an array may grow.
  func widened(with other: SourceValue) -> SourceValue {
    if self == other { return self }
    switch (shape, other.shape) {
    case (.list, .list), (.list, .elements), (.elements, .list), (.elements, .elements):
      return SourceValue(
        .elements(.oneOf(elementValues + other.elementValues)),
        dependsOnCaller: dependsOnCaller || other.dependsOnCaller)
    default: return joined(with: other)
    }
  }

  /// The value as both paths through a function leave it.
  func joined(with other: SourceValue) -> SourceValue {
    if self == other { return self }
    if case (.object(let left), .object(let right)) = (shape, other.shape) {
      return SourceValue(.object(left.joined(with: right)), dependsOnCaller: dependsOnCaller || other.dependsOnCaller)
    }
    return .oneOf([self, other])
  }
}

extension SourceValue.Shape {
  fileprivate var nesting: Int {
    let inner: Int?
    switch self {
    case .object(let object): inner = object.members.values.lazy.map(\.value.nesting).max()
    case .list(let values), .oneOf(let values): inner = values.lazy.map(\.nesting).max()
    case .elements(let element): inner = element.nesting
    case .tuple(let fields), .enumCase(_, _, let fields), .instance(_, let fields?):
      inner = fields.lazy.map(\.value.nesting).max()
    case .literal, .text, .scalar, .instance(_, nil), .type, .open: return 0
    }
    return (inner ?? 0) + 1
  }
}

extension SourceValue.ObjectShape {
  func joined(with other: SourceValue.ObjectShape) -> SourceValue.ObjectShape {
    var joined = SourceValue.ObjectShape(open: open ?? other.open)
    for (key, member) in members {
      if let there = other.members[key] {
        joined.members[key] = Member(
          value: member.value.joined(with: there.value), isOptional: member.isOptional || there.isOptional)
      } else {
        joined.members[key] = Member(value: member.value, isOptional: true)
      }
    }
    for (key, member) in other.members where members[key] == nil {
      joined.members[key] = Member(value: member.value, isOptional: true)
    }
    return joined
  }
}
