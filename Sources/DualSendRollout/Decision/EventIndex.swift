/// Finds the candidate rules for an event's name: a radix trie over UTF-8 bytes in flat arrays.
///
/// Each node refers to a list of candidates in order, which ends where unconditional rules have decided every flag. A lookup
/// does not visit rules about other names.
public struct EventIndex: Sendable {
  struct Node: Sendable {
    /// The bytes on the edge from the parent, in ``EventIndex/labels``.
    var labelStart: Int32
    var labelCount: Int32
    /// The children, adjacent and sorted by the first byte of their labels.
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// The list for the name that ends here.
    var whole: Int32
    /// The list for all other names with this prefix.
    var below: Int32
  }

  /// A set of names that share a list: one name, or all names with a prefix that no longer pattern matches.
  public struct Atom: Sendable {
    /// The name or prefix.
    public let pattern: EventPattern
    let list: Int
  }

  let nodes: [Node]
  let labels: [UInt8]
  /// The first byte of each node's label.
  private let firstBytes: [UInt8]
  /// All lists, concatenated.
  let candidates: [Int32]
  /// The start of each list in ``candidates``, and then the end of the last one.
  let listStarts: [Int32]

  init(nodes: [Node], labels: [UInt8], candidates: [Int32], listStarts: [Int32]) {
    self.nodes = nodes
    self.labels = labels
    self.candidates = candidates
    self.listStarts = listStarts
    firstBytes = nodes.map { $0.labelCount == 0 ? 0 : labels[Int($0.labelStart)] }
  }

  var listCount: Int { listStarts.count - 1 }

  /// The range of a name's candidates in ``candidates``.
  @inline(__always)
  func candidateRange(for name: String) -> Range<Int> {
    range(ofList: list(for: name))
  }

  /// The rules of a list, in order.
  func candidates(ofList list: Int) -> [Int] {
    candidates[range(ofList: list)].map { Int($0) }
  }

  @inline(__always)
  private func range(ofList list: Int) -> Range<Int> {
    Int(listStarts[list])..<Int(listStarts[list + 1])
  }

  @inline(__always)
  func list(for name: String) -> Int {
    if let found = name.utf8.withContiguousStorageIfAvailable({ list(for: $0) }) { return found }
    var copy = name
    return copy.withUTF8 { list(for: $0) }
  }

  private func list(for name: UnsafeBufferPointer<UInt8>) -> Int {
    nodes.withUnsafeBufferPointer { nodes in
      labels.withUnsafeBufferPointer { labels in
        var node = nodes[0]
        var position = 0
        while position < name.count {
          guard let child = child(of: node, startingWith: name[position]) else { return Int(node.below) }
          let next = nodes[child]
          let count = Int(next.labelCount)
          guard name.count - position >= count else { return Int(node.below) }
          let label = Int(next.labelStart)
          for offset in 1..<max(1, count) where name[position + offset] != labels[label + offset] {
            return Int(node.below)
          }
          position += count
          node = next
        }
        return Int(node.whole)
      }
    }
  }

  @inline(__always)
  private func child(of node: Node, startingWith byte: UInt8) -> Int? {
    firstBytes.withUnsafeBufferPointer { firstBytes in
      var low = Int(node.firstChild)
      let end = low + Int(node.childCount)
      var high = end
      while low < high {
        let middle = (low + high) / 2
        if firstBytes[middle] < byte { low = middle + 1 } else { high = middle }
      }
      return low < end && firstBytes[low] == byte ? low : nil
    }
  }
}
