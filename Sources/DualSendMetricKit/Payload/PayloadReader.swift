@_spi(Tools) import DualSendCore

/// Takes a payload apart, node by node. What it does not know it keeps, with its path; a known key with a value that
/// cannot stand there is an error.
struct PayloadReader {
  /// The longest payload that is read, in bytes.
  static let maximumBytes = 4 << 20
  /// The deepest nesting that is read: call stacks of some hundred frames, on a thread with half a megabyte of stack.
  static let maximumDepth = 256

  var document: DocumentReader
  private(set) var counts = HealthTextCounts()
  private(set) var unknown: [String: EventValue] = [:]
  /// What this pass learned about the payload's separators.
  private(set) var learned: NumberEvidence
  private let evidence: NumberEvidence

  /// Reads a payload twice: first to learn how it writes numbers, then for the numbers.
  static func read<Payload>(
    _ bytes: [UInt8], name: String?, format: HealthNumberFormat?,
    _ body: (inout PayloadReader, [JSONNode.Member]) -> Payload
  ) throws(DocumentError) -> (payload: Payload, reader: PayloadReader) {
    let pruner = JSONPruner(bytes.count <= maximumBytes ? bytes : [], maximumDepth: maximumDepth)
    let document = try DocumentReader(
      bytes.count <= maximumBytes ? pruner.bytes : bytes, name: name,
      reader: JSONReader(maximumDepth: maximumDepth, maximumBytes: maximumBytes))
    var first = PayloadReader(document, evidence: NumberEvidence(format: format))
    let members = first.members(document.document.root, at: EventPath())
    _ = body(&first, members)
    var reader = PayloadReader(document, evidence: first.learned)
    if pruner.count > 0 {
      reader.counts.emptiedContainers = pruner.count
      reader.document.report(
        .emptiedContainers, "\(pruner.count) containers are nested deeper than \(maximumDepth), and were emptied",
        at: 0, path: EventPath(), severity: .warning)
    }
    let payload = body(&reader, reader.members(document.document.root, at: EventPath()))
    if reader.document.hasErrors { throw DocumentError(reader.document.diagnostics) }
    return (payload, reader)
  }

  private init(_ document: DocumentReader, evidence: NumberEvidence) {
    self.document = document
    self.evidence = evidence
    learned = evidence
  }

  /// An object's members; reports anything else, except `null`, which stands for none.
  mutating func members(_ node: JSONNode, at path: EventPath) -> [JSONNode.Member] {
    switch node.content {
    case .object(let members): return members
    case .null where !path.steps.isEmpty: return []
    default:
      document.wrongType(node, at: path, expected: "an object")
      return []
    }
  }

  /// An array's elements; reports anything else, except `null`, which stands for none.
  mutating func elements(_ node: JSONNode, at path: EventPath) -> [(node: JSONNode, path: EventPath)] {
    if case .null = node.content { return [] }
    return document.elements(node, at: path) ?? []
  }

  /// A text; `nil` for `null`.
  mutating func text(_ node: JSONNode, at path: EventPath) -> String? {
    if case .null = node.content { return nil }
    return document.string(node, at: path)
  }

  /// A flag, in any form that MetricKit gives one: `true`, `1`, `"1"`.
  mutating func flag(_ node: JSONNode, at path: EventPath) -> Bool {
    switch node.content {
    case .bool(let flag): return flag
    case .number(let number): return Double(number.text) != 0
    case .string(let text): return !["", "0", "false", "no"].contains(text.lowercased())
    case .null: return false
    default:
      document.wrongType(node, at: path, expected: "`true` or `false`")
      return false
    }
  }

  /// Keeps a member that is not known.
  mutating func keep(_ member: JSONNode.Member, at path: EventPath) {
    unknown[path.appending(member.key).description] = member.value.eventValue
  }

  /// Reads a quantity, and reports a text that is none or has two meanings.
  mutating func quantity(
    _ text: String, _ node: JSONNode, at path: EventPath, measures dimension: HealthUnit.Dimension
  ) -> HealthQuantity? {
    learned.add(text)
    guard let quantity = evidence.quantity(text, expecting: dimension) else {
      counts.unreadableTexts += 1
      document.report(
        .unreadableQuantity, "this text is no quantity, and is kept as it is", at: node.offset, path: path,
        severity: .warning)
      return nil
    }
    if quantity.certainty == .assumed {
      counts.ambiguousNumbers += 1
      document.report(
        .ambiguousNumber, "the separator may group digits or begin a fraction; it is taken to group them",
        at: node.offset, path: path, severity: .warning,
        help: "hand in the number format of the device that wrote the payload")
    }
    if quantity.unit.dimension == .unknown {
      counts.unknownUnits += 1
      document.report(
        .unknownUnit, "this unit is not known, and is kept as it is", at: node.offset, path: path, severity: .warning)
    }
    return quantity
  }
}
