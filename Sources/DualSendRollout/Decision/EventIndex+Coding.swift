extension EventIndex {
  private static let numbersOfNode = 6

  func write(to writer: inout BinaryWriter) {
    writer.write(
      nodes.flatMap { [$0.labelStart, $0.labelCount, $0.firstChild, $0.childCount, $0.whole, $0.below] })
    writer.write(labels)
    writer.write(candidates)
    writer.write(listStarts)
  }

  /// - Parameters:
  ///   - reader: stands at the start of the index.
  ///   - ruleCount: the number of rules; candidates must be below it.
  init(_ reader: inout BinaryReader, ruleCount: Int) throws(BinaryReader.Damage) {
    let numbers = try reader.numbers()
    let labels = try reader.block()
    let candidates = try reader.numbers()
    let listStarts = try reader.numbers()
    let nodes = stride(from: 0, through: numbers.count - Self.numbersOfNode, by: Self.numbersOfNode).map {
      Node(
        labelStart: numbers[$0], labelCount: numbers[$0 + 1], firstChild: numbers[$0 + 2], childCount: numbers[$0 + 3],
        whole: numbers[$0 + 4], below: numbers[$0 + 5])
    }
    guard !nodes.isEmpty, numbers.count == nodes.count * Self.numbersOfNode,
      candidates.allSatisfy({ (0..<ruleCount).contains(Int($0)) }),
      listStarts.count > 1, listStarts[0] == 0, listStarts[listStarts.count - 1] == Int32(exactly: candidates.count),
      zip(listStarts, listStarts.dropFirst()).allSatisfy({ $0 <= $1 }),
      nodes.indices.allSatisfy({
        Self.isSound(nodes[$0], at: $0, among: nodes.count, labels: labels.count, lists: listStarts.count - 1)
      })
    else { throw BinaryReader.Damage() }
    self.init(nodes: nodes, labels: labels, candidates: candidates, listStarts: listStarts)
  }

  /// Whether a lookup through this node stays within the arrays and terminates.
  private static func isSound(_ node: Node, at position: Int, among nodes: Int, labels: Int, lists: Int) -> Bool {
    guard node.labelStart >= 0, node.firstChild >= 0, node.childCount >= 0 else { return false }
    // Every node except the root consumes at least one byte of the name, and children follow their parents.
    return (position == 0 ? node.labelCount == 0 : node.labelCount > 0)
      && Int(node.labelStart) + Int(node.labelCount) <= labels
      && Int(node.firstChild) + Int(node.childCount) <= nodes
      && (node.childCount == 0 || Int(node.firstChild) > position)
      && (0..<lists).contains(Int(node.whole)) && (0..<lists).contains(Int(node.below))
  }
}
