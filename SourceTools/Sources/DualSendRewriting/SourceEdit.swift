/// One change of a text.
public struct SourceEdit: Sendable, Hashable {
  /// The bytes that go.
  public let range: Range<Int>
  /// What comes in their place.
  public let replacement: String

  /// Creates a change.
  public init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

extension String {
  /// The text after some changes that do not overlap; every other byte stays as it is.
  func applying(_ edits: [SourceEdit]) -> String {
    var bytes: [UInt8] = []
    let old = Array(utf8)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard edit.range.lowerBound >= position, edit.range.upperBound <= old.count else { continue }
      bytes += old[position..<edit.range.lowerBound]
      bytes += edit.replacement.utf8
      position = edit.range.upperBound
    }
    bytes += old[position...]
    return String(decoding: bytes, as: UTF8.self)
  }
}
