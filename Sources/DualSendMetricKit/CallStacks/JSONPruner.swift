/// Removes containers below a depth from a JSON text, so that deep call stacks and hostile texts can be read.
///
/// Replaces the content of these containers with white space, so that offsets stay the same.
struct JSONPruner {
  /// The text, limited to the depth.
  private(set) var bytes: [UInt8]
  /// The number of emptied containers.
  private(set) var count = 0
  /// The original depth.
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
        // Leave unbalanced text to the reader, which reports it.
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
