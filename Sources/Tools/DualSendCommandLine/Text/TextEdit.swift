/// An edit of a text, which keeps the rest as its author formatted it.
package struct TextEdit: Sendable, Hashable {
  /// The bytes that are replaced.
  package let range: Range<Int>
  /// The bytes in their place.
  package let replacement: [UInt8]

  /// Replaces the bytes of a range.
  package init(_ range: Range<Int>, _ replacement: some StringProtocol) {
    (self.range, self.replacement) = (range, Array(replacement.utf8))
  }

  /// Inserts before an offset.
  package init(at offset: Int, _ inserted: some StringProtocol) {
    self.init(offset..<offset, inserted)
  }

  /// The text with edits. Of edits that overlap, the first is made.
  ///
  /// - Parameter slice: the part of the text to return; by default all of it. The edits are in it.
  package static func apply(
    _ edits: some Sequence<TextEdit>, to text: [UInt8], in slice: Range<Int>? = nil
  ) -> [UInt8] {
    let slice = slice ?? text.indices
    var result: [UInt8] = []
    var position = slice.lowerBound
    for edit in edits.sorted(by: isBefore) where edit.range.lowerBound >= position {
      result += text[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    return result + text[position..<slice.upperBound]
  }

  /// Orders by all properties, so that edits in any order give the same text.
  private static func isBefore(_ left: TextEdit, _ right: TextEdit) -> Bool {
    let (one, other) = (left.range, right.range)
    if one == other { return left.replacement.lexicographicallyPrecedes(right.replacement) }
    return (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
  }
}
