/// Which rules can matter for an event name: a radix trie over UTF-8 bytes in flat arrays.
///
/// Every node holds a finished list: rules in order, cut where nothing can be left to decide. Rules about other names
/// are in other lists, so they cost a lookup nothing.
struct EventIndex: Sendable {
  struct Node: Sendable {
    /// The bytes that lead here from the parent.
    var label: Range<Int>
    /// The children, which stand side by side, ordered by the first byte of their labels.
    var children: Range<Int>
    /// The list for the name that ends here.
    var whole: Int
    /// The list for all other names that pass here.
    var below: Int
  }

  /// A set of names that share a list: one name, or all names under a prefix that no longer pattern covers.
  struct Atom: Sendable {
    let pattern: EventPattern
    let list: Int
  }

  let nodes: [Node]
  let labels: [UInt8]
  /// The first byte of each node's label, by node.
  let firstBytes: [UInt8]
  let lists: [[Int]]
  /// Every set of names that the patterns tell apart, sorted by the bytes of the pattern.
  let atoms: [Atom]

  /// The rules that can matter for a name.
  func candidates(for name: String) -> [Int] {
    lists[list(for: name)]
  }

  func list(for name: String) -> Int {
    if let found = name.utf8.withContiguousStorageIfAvailable({ list(for: $0) }) { return found }
    var copy = name
    return copy.withUTF8 { list(for: $0) }
  }

  private func list(for name: UnsafeBufferPointer<UInt8>) -> Int {
    var node = nodes[0]
    var position = 0
    while position < name.count {
      guard let child = child(of: node, startingWith: name[position]) else { return node.below }
      let next = nodes[child]
      guard name.count - position >= next.label.count else { return node.below }
      for offset in next.label {
        guard name[position] == labels[offset] else { return node.below }
        position += 1
      }
      node = next
    }
    return node.whole
  }

  private func child(of node: Node, startingWith byte: UInt8) -> Int? {
    var low = node.children.lowerBound
    var high = node.children.upperBound
    while low < high {
      let middle = (low + high) / 2
      if firstBytes[middle] < byte { low = middle + 1 } else { high = middle }
    }
    return low < node.children.upperBound && firstBytes[low] == byte ? low : nil
  }
}
