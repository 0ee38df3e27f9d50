/// A text that equals another only byte by byte, as a unit ID must, whose bytes decide its bucket.
@_spi(Tools) public struct ExactText: Hashable, Sendable {
  /// The text itself.
  public let text: String

  /// Wraps a text.
  public init(_ text: String) {
    self.text = text
  }

  /// Compares the UTF-8 bytes.
  public static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  /// Hashes the UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

@_spi(Tools) extension String {
  /// Whether two texts are equal byte by byte.
  public func isExactly(_ other: String) -> Bool {
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
      }
    }
    // Only texts of another system's making have their bytes elsewhere.
    return isEqual.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}
