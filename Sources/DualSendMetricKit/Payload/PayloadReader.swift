import DualSendCore

/// Takes a payload apart, node by node. What it does not know it keeps, with its path; a known key with a value that
/// cannot stand there is an error.
struct PayloadReader {
  /// The longest payload that is read, in bytes.
  static let maximumBytes = 4 << 20
  /// The deepest nesting that is read. Each frame of a call stack is two levels, and systems end at 512 frames.
  static let maximumDepth = 1_100
  /// The deepest nesting that any thread's stack has room for.
  private static let comfortableDepth = 64

  var document: DocumentReader
  private(set) var counts = HealthTextCounts()
  private(set) var unknown: [String: EventValue] = [:]
  /// What this pass learned about the payload's separators.
  private(set) var learned: NumberEvidence
  private let evidence: NumberEvidence

  /// Reads a payload twice: first to learn how it writes numbers, then for the numbers.
  static func read<Payload: ReadablePayload>(
    _ bytes: [UInt8], name: String?, format: HealthNumberFormat?
  ) throws(DocumentError) -> Payload {
    guard bytes.count <= maximumBytes else {
      let source = SourceText([], name: name)
      throw DocumentError([JSONError(reason: .tooLarge(limit: maximumBytes), offset: 0).diagnostic(in: source)])
    }
    let pruner = JSONPruner(bytes, maximumDepth: maximumDepth)
    let work: @Sendable () -> Result<Payload, DocumentError> = {
      do throws(DocumentError) { return .success(try read(pruner, name: name, format: format)) } catch {
        return .failure(error)
      }
    }
    return try (pruner.depth > comfortableDepth ? RoomyThread.run(work) : work()).get()
  }

  private static func read<Payload: ReadablePayload>(
    _ pruner: JSONPruner, name: String?, format: HealthNumberFormat?
  ) throws(DocumentError) -> Payload {
    // What was emptied still stands there, one level deeper.
    let json = JSONReader(maximumDepth: maximumDepth + 1, maximumBytes: maximumBytes)
    let document = try DocumentReader(pruner.bytes, name: name, reader: json)
    var first = PayloadReader(document, evidence: NumberEvidence(format: format))
    _ = Payload(first.members(document.document.root, at: EventPath()), &first)
    var reader = PayloadReader(document, evidence: first.learned)
    if pruner.count > 0 { reader.reportEmptied(pruner.count, beyond: maximumDepth, at: 0, path: EventPath()) }
    var payload = Payload(reader.members(document.document.root, at: EventPath()), &reader)
    let findings = reader.document.diagnostics
    if reader.document.hasErrors { throw DocumentError(findings) }
    (payload.unknown, payload.findings, payload.textCounts) = (reader.unknown, findings.sorted(), reader.counts)
    return payload
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
    let place = path.appending(member.key)
    unknown[place.description] = value(of: member.value, at: place)
  }

  /// A value as it is, without what no event can hold because it is nested too deep.
  mutating func value(of node: JSONNode, at path: EventPath) -> EventValue {
    var emptied = 0
    let value = node.value(levels: Self.comfortableDepth, emptied: &emptied)
    if emptied > 0 { reportEmptied(emptied, beyond: Self.comfortableDepth, at: node.offset, path: path) }
    return value
  }

  private mutating func reportEmptied(_ count: Int, beyond depth: Int, at offset: Int, path: EventPath) {
    counts.emptiedContainers += count
    document.report(
      .emptiedContainers, "\(count) containers are nested deeper than \(depth), and were emptied", at: offset,
      path: path, severity: .warning)
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

/// What a ``PayloadReader`` reads, beside which stands what it met on the way.
protocol ReadablePayload: Sendable {
  var unknown: [String: EventValue] { get set }
  var findings: [DocumentDiagnostic] { get set }
  var textCounts: HealthTextCounts { get set }

  /// Takes the members of the payload's object.
  init(_ members: [JSONNode.Member], _ reader: inout PayloadReader)
}

extension JSONNode {
  /// The value without its places, and without what lies deeper than so many levels.
  fileprivate func value(levels: Int, emptied: inout Int) -> EventValue {
    switch content {
    case .array(let elements) where levels == 0:
      emptied += elements.isEmpty ? 0 : 1
      return .array([])
    case .object(let members) where levels == 0:
      emptied += members.isEmpty ? 0 : 1
      return .object([:])
    case .array(let elements): return .array(elements.map { $0.value(levels: levels - 1, emptied: &emptied) })
    case .object(let members):
      let values = members.map { ($0.key, $0.value.value(levels: levels - 1, emptied: &emptied)) }
      return .object(Dictionary(values, uniquingKeysWith: { first, _ in first }))
    default: return eventValue
    }
  }
}
