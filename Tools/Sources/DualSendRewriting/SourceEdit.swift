/// One change of a text.
public struct SourceEdit: Sendable, Hashable {
  /// The bytes that are replaced.
  public let range: Range<Int>
  /// The replacement.
  public let replacement: String
  /// How many blanks are removed from each following line.
  private(set) var outdent = 0
  /// The end of the lines from which blanks are removed.
  private(set) var outdentEnd = 0
  /// Whether it comes after other edits at the same position.
  private(set) var isLast = false

  /// Creates a change.
  public init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  /// The same edit, after others at the same position.
  func last() -> SourceEdit {
    var edit = self
    edit.isLast = true
    return edit
  }

  /// The same edit, with fewer blanks before the lines that follow.
  func outdenting(by columns: Int, to end: Int) -> SourceEdit {
    var edit = self
    (edit.outdent, edit.outdentEnd) = (columns, end)
    return edit
  }
}

extension String {
  /// The text after edits that do not overlap; all other bytes stay the same.
  func applying(_ edits: [SourceEdit]) -> String {
    var bytes: [UInt8] = []
    var (outdent, outdentEnd, skipped) = (0, 0, 0)
    func add(_ new: some Sequence<UInt8>, at place: Int) {
      guard place < outdentEnd else { return bytes += new }
      for byte in new {
        if skipped < outdent, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
          skipped += 1
        } else {
          skipped = byte == UInt8(ascii: "\n") ? 0 : outdent
          bytes.append(byte)
        }
      }
    }
    let old = Array(utf8)
    var position = 0
    func order(_ edit: SourceEdit) -> (Int, Int, Int, String) {
      (edit.range.lowerBound, edit.range.upperBound, edit.isLast ? 1 : 0, edit.replacement)
    }
    for edit in edits.sorted(by: { order($0) < order($1) }) {
      guard edit.range.lowerBound >= position, edit.range.upperBound <= old.count else { continue }
      add(old[position..<edit.range.lowerBound], at: position)
      add(edit.replacement.utf8, at: edit.range.lowerBound)
      if edit.outdent > 0 { (outdent, outdentEnd, skipped) = (edit.outdent, edit.outdentEnd, edit.outdent) }
      position = edit.range.upperBound
    }
    bytes += old[position...]
    return String(decoding: bytes, as: UTF8.self)
  }
}
