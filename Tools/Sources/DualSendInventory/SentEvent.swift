import DualSendCore

/// One shape of an event that a call site can send.
public struct SentEvent: Sendable, Hashable {
  /// The event's old name, or a pattern of names.
  public let name: String
  /// Whether the name is a pattern: `*` matches any text; `\*` and `\\` match the character itself.
  public let isPattern: Bool
  /// Whether keys may be sent that are not listed.
  public let isOpen: Bool
  /// The leaves and empty containers, sorted by key, without duplicates.
  public let parameters: [SentParameter]

  /// Creates an event. The parameters may be in any order; those with the same key are merged.
  public init(name: String, isPattern: Bool = false, isOpen: Bool = false, parameters: [SentParameter] = []) {
    self.name = name
    self.isPattern = isPattern
    self.isOpen = isOpen
    let byKey = Dictionary(parameters.map { (ExactText($0.key), $0) }, uniquingKeysWith: { $0.merged(with: $1) })
    self.parameters = byKey.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Compares all properties. Texts are equal if their UTF-8 bytes are.
  public static func == (left: SentEvent, right: SentEvent) -> Bool {
    left.name.isExactly(right.name) && left.isPattern == right.isPattern && left.isOpen == right.isOpen
      && left.parameters == right.parameters
  }

  /// Whether the name is equal or matches the pattern.
  public func mayBeNamed(_ name: String) -> Bool {
    isPattern ? NamePattern(self.name)?.matches(name) ?? true : self.name.isExactly(name)
  }
}

extension SentEvent {
  var json: EventValue {
    var members: [String: EventValue] = [
      "name": .string(name), "open": .bool(isOpen), "parameters": .array(parameters.map(\.json)),
    ]
    if isPattern { members["isPattern"] = true }
    return .object(members)
  }
}
