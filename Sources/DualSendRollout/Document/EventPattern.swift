import DualSendCore

/// A pattern for event names: one name, or every name that starts with a prefix. Compares UTF-8 bytes.
public enum EventPattern: Sendable, Hashable {
  /// One name.
  case exact(String)
  /// Every name that starts with this text, including the text itself; empty for every event.
  case prefix(String)

  /// Compares the UTF-8 bytes.
  public static func == (left: EventPattern, right: EventPattern) -> Bool {
    switch (left, right) {
    case (.exact(let left), .exact(let right)), (.prefix(let left), .prefix(let right)): left.isExactly(right)
    default: false
    }
  }

  /// Parses `home.tap` or `home.*`; `nil` for an empty text and for a `*` that is not at the end.
  public init?(_ text: String) {
    let stem = text.hasSuffix("*") ? String(text.dropLast()) : text
    guard !text.isEmpty, !stem.utf8.contains(UInt8(ascii: "*")) else { return nil }
    self = text.hasSuffix("*") ? .prefix(stem) : .exact(stem)
  }

  /// Whether the pattern matches an event's name.
  public func matches(_ name: String) -> Bool {
    switch self {
    case .exact(let text): name.utf8.elementsEqual(text.utf8)
    case .prefix(let text): name.utf8.starts(with: text.utf8)
    }
  }
}

extension EventPattern: CustomStringConvertible {
  /// The pattern as in a document.
  public var description: String {
    switch self {
    case .exact(let text): text
    case .prefix(let text): text + "*"
    }
  }
}
