/// A text that equals another only byte by byte, as a unit ID must, whose bytes decide its bucket.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
