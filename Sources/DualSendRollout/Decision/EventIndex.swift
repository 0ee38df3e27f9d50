/// Which rules can matter for an event name: a radix trie over UTF-8 bytes in flat arrays.
///
/// Every node holds a finished list: rules in order, cut where nothing can be left to decide. Rules about other names
/// are in other lists, so they cost a lookup nothing.
public struct EventIndex: Sendable {
  struct Node: Sendable {
    /// The bytes that lead here from the parent, in ``EventIndex/labels``.
    var labelStart: Int32
    var labelCount: Int32
    /// The children, which stand side by side, ordered by the first byte of their labels.
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// The list for the name that ends here.
    var whole: Int32
    /// The list for all other names that pass here.
    var below: Int32
  }

  /// A set of names that share a list: one name, or all names under a prefix that no longer pattern covers.
  public struct Atom: Sendable {
    /// The names that the set is made of.
    public let pattern: EventPattern
    let list: Int
  }

  let nodes: [Node]
  let labels: [UInt8]
  /// The first byte of each node's label, by node.
  private let firstBytes: [UInt8]
  /// All lists, one after the other.
  let candidates: [Int32]
  /// Where each list starts in ``candidates``, and behind them where the last one ends.
  let listStarts: [Int32]

  init(nodes: [Node], labels: [UInt8], candidates: [Int32], listStarts: [Int32]) {
    self.nodes = nodes
    self.labels = labels
    self.candidates = candidates
    self.listStarts = listStarts
    firstBytes = nodes.map { $0.labelCount == 0 ? 0 : labels[Int($0.labelStart)] }
  }

  /// How many lists there are.
  var listCount: Int { listStarts.count - 1 }

  /// Where the rules that can matter for a name stand in ``candidates``.
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
