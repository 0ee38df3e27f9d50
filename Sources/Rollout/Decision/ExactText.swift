/// A text that equals another only byte by byte, as a unit ID must, whose bytes decide its bucket.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether two texts are equal byte by byte.
  ///
  /// Texts that Unicode calls different have different bytes, and those are told apart much faster.
  func isExactly(_ other: String) -> Bool {
    self == other && utf8.elementsEqual(other.utf8)
  }
}
