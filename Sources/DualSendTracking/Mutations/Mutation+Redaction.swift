public import DualSendCore

extension Mutation {
  /// What replaces a redacted value.
  public enum Redaction: Sendable, Hashable {
    /// Removes key and value.
    case removal
    /// Replaces the value.
    case replacement(EventValue)
  }

  /// Redacts the values of keys, at any depth.
  ///
  /// - Parameters:
  ///   - patterns: keys, compared by bytes and ignoring the case of ASCII letters. `*` matches any number of
  ///     characters: `*email*`, `phone`, `card_*`.
  ///   - redaction: what replaces the value.
  ///   - scope: the sinks whose events are redacted.
  public static func redaction(
    of patterns: [String], leaving redaction: Redaction = .removal, for scope: Sink.Scope = .all
  ) -> Mutation {
    let patterns = patterns.map(KeyPattern.init)
    return Mutation("redaction", for: scope) { event in
      event.parameters = redacted(event.parameters, patterns, redaction)
    }
  }

  private static func redacted(
    _ members: [String: EventValue], _ patterns: [KeyPattern], _ redaction: Redaction
  ) -> [String: EventValue] {
    var result = members
    for (key, value) in members {
      if !patterns.contains(where: { $0.matches(key) }) {
        if value.isContainer { result[key] = redacted(value, patterns, redaction) }
      } else if case .replacement(let replacement) = redaction {
        result[key] = replacement
      } else {
        result[key] = nil
      }
    }
    return result
  }

  private static func redacted(_ value: EventValue, _ patterns: [KeyPattern], _ redaction: Redaction) -> EventValue {
    switch value {
    case .object(let members): .object(redacted(members, patterns, redaction))
    case .array(let elements): .array(elements.map { redacted($0, patterns, redaction) })
    default: value
    }
  }
}

extension EventValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}

/// A key with `*` for any characters.
struct KeyPattern: Sendable {
  /// The parts between the `*`, in lower case.
  private let pieces: [[UInt8]]

  init(_ text: String) {
    var pieces: [[UInt8]] = [[]]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "*") { pieces.append([]) } else { pieces[pieces.count - 1].append(byte.lowercasedASCII) }
    }
    self.pieces = pieces
  }

  func matches(_ key: String) -> Bool {
    let key = key.utf8.map(\.lowercasedASCII)
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return key == pieces.first }
    guard key.count >= first.count + last.count, Self.hasPiece(first, key, at: 0),
      Self.hasPiece(last, key, at: key.count - last.count)
    else { return false }
    // Match each piece as early as possible, which leaves the most room for the rest.
    var start = first.count
    for piece in pieces[1..<(pieces.count - 1)] {
      while !Self.hasPiece(piece, key, at: start) {
        start += 1
        if start + piece.count > key.count - last.count { return false }
      }
      start += piece.count
    }
    return start <= key.count - last.count
  }

  private static func hasPiece(_ piece: [UInt8], _ key: [UInt8], at start: Int) -> Bool {
    guard start + piece.count <= key.count else { return false }
    for offset in piece.indices where key[start + offset] != piece[offset] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self
  }
}
