package import DualSendInventory

/// A place, with the positions of its names and keys in the sources.
package struct WrittenSite: Sendable {
  /// A text and its position.
  package struct Text: Sendable, Hashable {
    package let text: String
    /// The file's number.
    package let file: Int
    /// The bytes of the literal, or of the name of a case that gives its raw value.
    package let range: Range<Int>
    package let isCaseName: Bool
  }

  /// The position of a call.
  package struct Entry: Sendable, Hashable {
    package let file: Int
    package let range: Range<Int>
  }

  /// One event. A computed text has no position, and is `nil`.
  package struct Event: Sendable, Hashable {
    package let name: String
    package let nameText: Text?
    package let keys: [Key]
    /// The texts that are sent as values.
    package let values: Set<Text>
  }

  package struct Key: Sendable, Hashable {
    /// The keys from the outside in.
    package let path: [String]
    package let text: Text?
  }

  package let site: CallSite
  package let file: Int
  /// The bytes of the call.
  package let range: Range<Int>
  /// The names and keys that have a position.
  package var texts: [Text] { events.flatMap { [$0.nameText] + $0.keys.map(\.text) }.compactMap { $0 } }
  /// The position of the call.
  package var place: Entry { Entry(file: file, range: range) }
  /// Whether the call finally reaches the old logger's own function.
  package let isOldLoggers: Bool
  /// The described function that the place calls directly.
  package let function: LoggingFunction?
  package let events: [Event]
  /// The calls of the old logger in the functions between.
  package let through: Set<Entry>
  /// The names of the functions between.
  package let forwarders: Set<String>
}

extension WrittenSite {
  /// A place that names a function.
  init(_ site: CallSite, naming function: String) {
    (self.site, file, range, isOldLoggers, self.function) = (site, 0, 0..<0, false, nil)
    (events, through, forwarders) = ([], [], [function])
  }

  init(_ call: FoundCall, _ site: CallSite) {
    self.site = site
    (file, range, function) = (call.file, call.range, call.function)
    let old = call.shapes.filter { $0.function?.isOldLogger == true }
    isOldLoggers = !old.isEmpty
    through = call.function == nil ? Set(old.compactMap(\.call).map { Entry(file: $0.file, range: $0.range) }) : []
    forwarders = Set(call.shapes.flatMap(\.via).map { String($0.prefix { $0 != "(" }) })
    events = call.shapes.map { shape in
      Event(
        name: shape.name.plain ?? "", nameText: Text(shape.name), keys: Self.keys(shape.parameters, below: []),
        values: Set(Self.texts(.dictionary(shape.parameters))))
    }
  }

  private static func texts(_ value: Value) -> [Text] {
    switch value {
    case .dictionary(let shape): shape.members.values.flatMap { texts($0.value) }
    case .list(let all), .oneOf(let all): all.flatMap(texts)
    case .elements(let one): texts(one)
    default: Text(value).map { [$0] } ?? []
    }
  }

  private static func keys(_ shape: Value.Dictionary, below path: [String]) -> [Key] {
    shape.members.sorted { $0.key < $1.key }.flatMap { key, member -> [Key] in
      let text = member.origin.map { Text(key, $0) }
      let inner = member.value.alternatives.flatMap { value -> [Key] in
        if case .dictionary(let shape) = value { keys(shape, below: path + [key]) } else { [] }
      }
      return [Key(path: path + [key], text: text)] + inner
    }
  }
}

extension WrittenSite.Text {
  init?(_ value: Value) {
    guard case .text(let text, let origin?) = value else { return nil }
    self.init(text, origin)
  }

  init(_ text: String, _ origin: Origin) {
    self.init(text: text, file: origin.file, range: origin.range, isCaseName: origin.isCaseName)
  }
}

/// A constant or a case whose text is a name or a key.
package struct DeclaredText: Sendable {
  /// The name with its type: `Key.id`.
  package let name: String
  /// The last name of its enum; `nil` for a constant.
  package let owner: String?
}
