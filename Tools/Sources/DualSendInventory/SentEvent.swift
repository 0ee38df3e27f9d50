import DualSendCore

/// One shape of an event that a call site can send.
public struct SentEvent: Sendable, Hashable {
  /// The event's old name, or a pattern of names.
  public let name: String
  /// Whether the name is a pattern: each `*` stands for any text, `\*` and `\\` for the character itself.
  public let isPattern: Bool
  /// Whether further keys may be sent than are listed.
  public let isOpen: Bool
  /// Leaves and empty containers, sorted by key, each key once.
  public let parameters: [SentParameter]

  /// Creates an event; parameters may come in any order, and those of one key become one that can be either.
  public init(name: String, isPattern: Bool = false, isOpen: Bool = false, parameters: [SentParameter] = []) {
    self.name = name
    self.isPattern = isPattern
    self.isOpen = isOpen
    let byKey = Dictionary(parameters.map { (ExactText($0.key), $0) }, uniquingKeysWith: { $0.merged(with: $1) })
    self.parameters = byKey.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether both are the same; texts are if their UTF-8 bytes are.
  public static func == (left: SentEvent, right: SentEvent) -> Bool {
    left.name.isExactly(right.name) && left.isPattern == right.isPattern && left.isOpen == right.isOpen
      && left.parameters == right.parameters
  }

  /// Whether an event of this name can be meant: the very name, or one that the pattern fits.
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
