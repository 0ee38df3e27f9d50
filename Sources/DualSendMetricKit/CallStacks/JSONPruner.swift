/// Cuts what is nested too deep out of a JSON text: call stacks nest two levels a frame, and a hostile one any number.
///
/// Everything keeps its place: white space stands where the container's content was.
struct JSONPruner {
  /// The text, which a reader of so many levels can read if it is JSON.
  private(set) var bytes: [UInt8]
  /// How many containers were emptied.
  private(set) var count = 0
  /// How deep the text was nested before.
  private(set) var depth = 0

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    var depth = 0
    var start: Int?
    var isInString = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if isInString { break }
        depth += 1
        self.depth = max(self.depth, depth)
        if depth > maximumDepth, start == nil { start = position }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if isInString { break }
        depth -= 1
        // A text that closes more than it opens is left to the reader, which says where.
        if depth < 0 { return }
        if depth == maximumDepth, let opening = start {
          empty(opening...position)
          start = nil
        }
      default: break
      }
      position += 1
    }
  }

  private mutating func empty(_ range: ClosedRange<Int>) {
    let isArray = bytes[range.lowerBound] == UInt8(ascii: "[")
    count += 1
    for position in range.dropFirst() where bytes[position] != UInt8(ascii: "\n") {
      bytes[position] = UInt8(ascii: " ")
    }
    bytes[range.upperBound] = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
  }
}
