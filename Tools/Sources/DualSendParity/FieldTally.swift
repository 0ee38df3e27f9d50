import DualSendCore

/// Counts the fields of one event while pairs go by.
///
/// Fields live in a tree, so that counting one needs no path to be put together. Array elements share one place. Payloads
/// whose keys are data (ids as keys) would grow the tree for ever; past the limit such fields share one place too.
struct FieldTally: FieldVisitor {
  private struct Node {
    let path: String
    var counts = FieldCounts()
    var examples = SmallestTexts()
    var members: [ExactText: Int] = [:]
    var element: Int?
  }

  /// The most fields of one event that are told apart.
  static let maximumFields = 2_000
  /// What fields beyond that are counted under.
  static let otherFields = "(other fields)"

  private var nodes = [Node(path: "")]
  private var overflow: Int?
  /// Whether a field of the current pair differs.
  private var differs = false
  private var id = ""

  /// Starts a pair; the id is what examples name it by.
  mutating func begin(id: String) {
    self.id = id
    differs = false
  }

  /// Whether a field of the pair since ``begin(id:)`` differs.
  var currentDiffers: Bool { differs }

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
    if outcome.isMismatch {
      differs = true
      nodes[place].examples.insert(id)
    }
  }

  /// Records that all of a pair's fields are equal.
  mutating func recordEqual(at places: [Int]) {
    for place in places { nodes[place].counts[.equal] += 1 }
  }

  /// The fields that were met, sorted by path.
  var fields: [FieldParity] {
    nodes.filter { $0.counts != FieldCounts() }.map { node in
      FieldParity(path: node.path, counts: node.counts, examples: node.examples.texts)
    }.sorted { String.byteOrder($0.path, $1.path) }
  }

  private mutating func add(_ path: String) -> Int {
    if let overflow { return overflow }
    let isFull = nodes.count > Self.maximumFields
    nodes.append(Node(path: isFull ? Self.otherFields : path))
    if isFull { overflow = nodes.count - 1 }
    return nodes.count - 1
  }
}

/// The smallest few of many texts, so that examples do not depend on the order of lines.
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
