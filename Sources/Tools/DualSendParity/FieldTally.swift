import DualSendCore

/// Counts the fields of one event over all pairs.
///
/// The fields are nodes of a tree, so that counting does not build paths. All elements of an array share one node. Beyond
/// a limit, all further fields share one node, because payloads with data as keys would grow the tree without bound.
struct FieldTally: FieldVisitor {
  private struct Node {
    let path: String
    var counts = FieldCounts()
    var examples = SmallestTexts()
    var members: [ExactText: Int] = [:]
    var element: Int?
  }

  /// The most fields of one event that have their own node.
  static let maximumFields = 2_000
  /// The path under which further fields are counted.
  static let otherFields = "(other fields)"

  private var nodes = [Node(path: "")]
  private var overflow: Int?
  /// Whether a field of the current pair differs.
  private(set) var differs = false
  private var id = ""

  /// Starts a pair. The id is used in examples.
  mutating func begin(id: String) {
    self.id = id
    differs = false
  }

  var root: Int { 0 }

  mutating func member(_ key: String, of place: Int) -> Int {
    if let known = nodes[place].members[ExactText(key)] { return known }
    if place == overflow { return place }
    let parent = nodes[place].path
    let node = add(parent + (parent.isEmpty ? "" : ".") + key.replacing(".", with: "\\."))
    nodes[place].members[ExactText(key)] = node == overflow ? nil : node
    return node
  }

  mutating func element(_: Int, of place: Int) -> Int {
    if let known = nodes[place].element { return known }
    if place == overflow { return place }
    let node = add(nodes[place].path + "[]")
    nodes[place].element = node == overflow ? nil : node
    return node
  }

  mutating func record(_ outcome: FieldOutcome, at place: Int) {
    nodes[place].counts[outcome] += 1
    if outcome.isDifference {
      differs = true
      nodes[place].examples.insert(id)
    }
  }

  /// Counts all fields of an equal pair.
  mutating func recordEqual(at places: [Int]) {
    for place in places { nodes[place].counts[.equal] += 1 }
  }

  /// The counted fields, sorted by path.
  var fields: [FieldParity] {
    var fields: [ExactText: FieldParity] = [:]
    for node in nodes where node.counts != FieldCounts() {
      let field = FieldParity(path: node.path, counts: node.counts, examples: node.examples.texts)
      // A key `a[]` and the elements of an array `a` have the same path.
      if fields[ExactText(node.path)]?.merge(field) == nil { fields[ExactText(node.path)] = field }
    }
    return fields.values.sorted { String.byteOrder($0.path, $1.path) }
  }

  private mutating func add(_ path: String) -> Int {
    if let overflow { return overflow }
    let isFull = nodes.count > Self.maximumFields
    nodes.append(Node(path: isFull ? Self.otherFields : path))
    if isFull { overflow = nodes.count - 1 }
    return nodes.count - 1
  }
}

/// Keeps the smallest of many texts, so that examples do not depend on the order of lines.
struct SmallestTexts {
  private(set) var texts: [String] = []

  mutating func insert(_ text: String) {
    if texts.count == ParityReport.maximumExamples {
      guard let last = texts.last, String.byteOrder(text, last) else { return }
    }
    let position = texts.firstIndex { !String.byteOrder($0, text) } ?? texts.count
    if position < texts.count, texts[position].isExactly(text) { return }
    texts.insert(text, at: position)
    if texts.count > ParityReport.maximumExamples { texts.removeLast() }
  }
}
