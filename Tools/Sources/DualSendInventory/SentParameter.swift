public import DualSendCore

/// One leaf, or one empty container, of the payload that a call site sends.
public struct SentParameter: Sendable, Hashable {
  /// Its place, in the notation of a remapping table's rows: `item.id`, `lines[].sku`, `a\.b`.
  public let key: String
  /// Whether it may be missing.
  public let isOptional: Bool
  /// The types that it can have, sorted, each once.
  public let types: [SentType]
  /// Every value that can be sent, sorted by canonical text, each once; `nil` where not all of them are literals.
  public let values: [EventValue]?

  /// Creates a parameter; types and values may come in any order.
  public init(key: String, isOptional: Bool, types: some Sequence<SentType>, values: [EventValue]? = nil) {
    self.key = key
    self.isOptional = isOptional
    self.types = Set(types).sorted()
    self.values = values.map { values in
      let byText = Dictionary(values.map { (ExactText($0.canonicalText), $0) }, uniquingKeysWith: { first, _ in first })
      return byText.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Whether both are the same; texts are if their UTF-8 bytes are.
  public static func == (left: SentParameter, right: SentParameter) -> Bool {
    left.key.isExactly(right.key) && left.isOptional == right.isOptional && left.types == right.types
      && left.values == right.values
  }

  /// What both of two parameters of one key can be.
  func merged(with other: SentParameter) -> SentParameter {
    let values = self.values.flatMap { mine in other.values.map { mine + $0 } }
    return SentParameter(
      key: key, isOptional: isOptional || other.isOptional, types: types + other.types, values: values)
  }
}

extension SentParameter {
  var json: EventValue {
    var members: [String: EventValue] = [
      "key": .string(key), "optional": .bool(isOptional), "types": .array(types.map { .string($0.rawValue) }),
    ]
    if let values { members["values"] = .array(values) }
    return .object(members)
  }
}
