/// A parsed JSON text, with the place of everything in it.
package struct JSONDocument: Sendable {
  /// The outermost value.
  package let root: JSONNode
  /// The source text.
  package let source: SourceText
}

/// One value of a document, and its position.
package struct JSONNode: Sendable {
  /// A member of an object.
  package struct Member: Sendable {
    /// The key.
    package let key: String
    /// The byte offset of the key's opening quote.
    package let keyOffset: Int
    /// The value.
    package let value: JSONNode
  }

  /// A number as written in the text.
  package struct Number: Sendable, Hashable {
    /// The text, such as `12.500`.
    package let text: String
    /// Whether the text has neither a fraction nor an exponent.
    let isInteger: Bool
  }

  /// The value, by its JSON type.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// The byte offset of the value.
  package let offset: Int
  /// The value.
  package let content: Content
}

extension JSONNode {
  /// The value without positions.
  package var eventValue: EventValue {
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): number.eventValue
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.eventValue))
    case .object(let members):
      .object(Dictionary(members.map { ($0.key, $0.value.eventValue) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The JSON type's name with its article, for messages: `a string`, `an object`.
  package var typeDescription: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONNode.Number {
  /// An integer that fits `Int64` or `UInt64`, else a double.
  package var eventValue: EventValue {
    if isInteger, let integer = EventValueBuilder.integer(text.utf8) { return integer }
    return .double(Double(text) ?? 0)
  }
}

/// Builds nodes with positions, for documents that people edit.
enum JSONNodeBuilder: JSONBuilder {
  struct Members {
    var list: [JSONNode.Member] = []
    var keys: Set<String> = []
  }

  static func null(at offset: Int) -> JSONNode { JSONNode(offset: offset, content: .null) }
  static func bool(_ value: Bool, at offset: Int) -> JSONNode { JSONNode(offset: offset, content: .bool(value)) }
  static func string(_ text: String, at offset: Int) -> JSONNode { JSONNode(offset: offset, content: .string(text)) }
  static func array(_ elements: [JSONNode], at offset: Int) -> JSONNode {
    JSONNode(offset: offset, content: .array(elements))
  }
  static func object(_ members: Members, at offset: Int) -> JSONNode {
    JSONNode(offset: offset, content: .object(members.list))
  }

  static func number(
    _ text: UnsafeBufferPointer<UInt8>, isInteger: Bool, at offset: Int
  ) throws(JSONError) -> JSONNode {
    let text = String(decoding: text, as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw JSONError(reason: .numberOutOfRange, offset: offset)
    }
    return JSONNode(offset: offset, content: .number(JSONNode.Number(text: text, isInteger: isInteger)))
  }

  static var limitsTexts: Bool { true }
  static var noMembers: Members { Members() }

  static func add(_ key: String, at keyOffset: Int, _ value: JSONNode, to members: inout Members) -> String? {
    members.list.append(JSONNode.Member(key: key, keyOffset: keyOffset, value: value))
    let (isNew, other) = members.keys.insert(key)
    return isNew ? nil : other
  }
}

extension [JSONNode.Member] {
  /// The members without comments.
  ///
  /// A comment has the key `"//"` or `"_comment"` and any value. Documents that people edit may have them in any
  /// object.
  package var withoutComments: [JSONNode.Member] {
    contains(where: \.isComment) ? filter { !$0.isComment } : self
  }
}

extension JSONNode.Member {
  /// Whether the member is a comment.
  package var isComment: Bool { Self.isComment(key) }

  /// Whether a member with this key is a comment.
  package static func isComment(_ key: String) -> Bool {
    key == "//" || key == "_comment"
  }
}
