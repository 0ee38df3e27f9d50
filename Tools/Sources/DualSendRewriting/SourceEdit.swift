/// One change of a text.
struct SourceEdit: Hashable {
  /// The bytes that are replaced.
  let range: Range<Int>
  let replacement: String

  init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

extension String {
  /// The text after edits that do not overlap; all other bytes stay the same.
  func applying(_ edits: [SourceEdit]) -> String {
    var bytes: [UInt8] = []
    let old = Array(utf8)
    var position = 0
    func order(_ edit: SourceEdit) -> (Int, Int, String) {
      (edit.range.lowerBound, edit.range.upperBound, edit.replacement)
    }
    for edit in edits.sorted(by: { order($0) < order($1) }) {
      guard edit.range.lowerBound >= position, edit.range.upperBound <= old.count else { continue }
      bytes += old[position..<edit.range.lowerBound]
      bytes += edit.replacement.utf8
      position = edit.range.upperBound
    }
    bytes += old[position...]
    return String(decoding: bytes, as: UTF8.self)
  }
}
