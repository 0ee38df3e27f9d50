/// One change of a text.
public struct SourceEdit: Sendable, Hashable {
  /// The bytes that go.
  public let range: Range<Int>
  /// What comes in their place.
  public let replacement: String
  /// How many blanks each line behind it loses.
  private(set) var outdent = 0
  /// Where the lines end that lose them.
  private(set) var outdentEnd = 0
  /// Whether it comes behind others at the same place.
  private(set) var isLast = false

  /// Creates a change.
  public init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  /// Behind others at the same place.
  func last() -> SourceEdit {
    var edit = self
    edit.isLast = true
    return edit
  }

  /// With fewer blanks before the lines that follow.
  func outdenting(by columns: Int, to end: Int) -> SourceEdit {
    var edit = self
    (edit.outdent, edit.outdentEnd) = (columns, end)
    return edit
  }
}

extension String {
  /// The text after some changes that do not overlap; every other byte stays as it is.
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
