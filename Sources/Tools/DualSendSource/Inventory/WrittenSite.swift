/// A place, with the positions of its names and keys in the sources.
package struct WrittenSite: Sendable {
  /// A text and its position.
  package struct Text: Sendable, Hashable {
    package let text: String
    package let origin: Origin
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
  /// The position of the call.
  package let place: Origin
  /// The names and keys that have a position.
  package var texts: [Text] { events.flatMap { [$0.nameText] + $0.keys.map(\.text) }.compactMap { $0 } }
  /// Whether the call finally reaches the old logger's own function.
  package let isOldLoggers: Bool
  /// The described function that the place calls directly.
  package let function: LoggingFunction?
  package let events: [Event]
  /// The calls of the old logger in the functions between.
  package let through: Set<Origin>
  /// The names of the functions between.
  package let forwarders: Set<String>
}

extension WrittenSite {
  /// A place that names a function.
  init(_ site: CallSite, naming function: String) {
    (self.site, place, isOldLoggers, self.function) = (site, Origin(file: 0, range: 0..<0), false, nil)
    (events, through, forwarders) = ([], [], [function])
  }

  init(_ call: FoundCall, _ site: CallSite) {
    (self.site, place, function) = (site, call.place, call.function)
    let old = call.shapes.filter { $0.function?.isOldLogger == true }
    isOldLoggers = !old.isEmpty
    through = call.function == nil ? Set(old.compactMap(\.call)) : []
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
      let text = member.origin.map { Text(text: key, origin: $0) }
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
    self.init(text: text, origin: origin)
  }
}

/// A constant or a case whose text is a name or a key.
package struct DeclaredText: Sendable {
  /// The name with its type: `Key.id`.
  package let name: String
  /// The last name of its enum; `nil` for a constant.
  package let owner: String?
}
