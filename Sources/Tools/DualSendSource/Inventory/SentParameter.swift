package import DualSendCore

/// A leaf or an empty container of the payload that a call site sends.
package struct SentParameter: Sendable, Hashable {
  /// The path, as in a remapping table: `item.id`, `lines[].sku`, `a\.b`.
  package let key: String
  /// Whether it may be absent.
  package let isOptional: Bool
  /// The possible types, sorted, without duplicates.
  package let types: [SentType]
  /// All possible values, sorted by canonical text, without duplicates; `nil` if not all of them are literals.
  package let values: [EventValue]?

  /// Creates a parameter. Types and values may be in any order.
  package init(key: String, isOptional: Bool, types: some Sequence<SentType>, values: [EventValue]? = nil) {
    self.key = key
    self.isOptional = isOptional
    self.types = Set(types).sorted()
    self.values = values.map { values in
      let byText = Dictionary(values.map { (ExactText($0.canonicalText), $0) }, uniquingKeysWith: { first, _ in first })
      return byText.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Compares all properties. Texts are equal if their UTF-8 bytes are.
  package static func == (left: SentParameter, right: SentParameter) -> Bool {
    left.json.canonicalText.isExactly(right.json.canonicalText)
  }

  /// What covers several parameters with the same key, at least one.
  static func either(_ all: [SentParameter], isOptional: Bool) -> SentParameter {
    let values = all.compactMap(\.values)
    return SentParameter(
      key: all[0].key, isOptional: isOptional, types: all.flatMap(\.types),
      values: values.count == all.count ? values.flatMap { $0 } : nil)
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

  init(json: EventValue) {
    self.init(
      key: json["key"].text, isOptional: json["optional"] == true,
      types: json["types"].elements.compactMap { SentType(rawValue: $0.text) },
      values: json["values"] == .null ? nil : json["values"].elements)
  }
}

/// The type of a value, named as in remapping tables.
package enum SentType: String, Sendable, Hashable, CaseIterable {
  case string, int, double, bool, date, null, array, object
  /// The type is unknown.
  case unknown
}

extension SentType: Comparable {
  /// Orders by name.
  package static func < (left: SentType, right: SentType) -> Bool {
    left.rawValue < right.rawValue
  }
}
