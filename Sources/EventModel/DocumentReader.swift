/// Collects findings while a document is taken apart: one reader, every fault in one run.
///
/// The rooms that own a format (a remapping table, a rollout document) walk the nodes themselves and use this for what
/// they share: places, unknown keys, wrong types.
package struct DocumentReader {
  package let document: JSONDocument
  package private(set) var diagnostics: [Diagnostic] = []

  /// Reads the text, or reports why it is not JSON as one `DS0001` finding.
  package init(_ bytes: some Sequence<UInt8>, name: String?, reader: JSONReader = JSONReader()) throws(DocumentError) {
    do {
      document = try reader.document(bytes, name: name)
    } catch {
      throw DocumentError([error.diagnostic(in: SourceText(bytes, name: name))])
    }
  }

  package var hasErrors: Bool {
    diagnostics.contains { $0.severity == .error }
  }

  package mutating func report(
    _ code: Diagnostic.Code, _ message: String, at offset: Int, path: EventPath,
    severity: Diagnostic.Severity = .error, notes: [String] = [], help: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        severity, code, message, file: document.source.name, position: document.source.position(at: offset),
        path: path, notes: notes, help: help))
  }

  /// The members of an object by key; reports a wrong type as `DS0002` and every key that is not known as `DS0003`.
  package mutating func members(
    of node: JSONNode, at path: EventPath, known: [String]
  ) -> [String: JSONNode.Member]? {
    guard case .object(let members) = node.content else {
      wrongType(node, at: path, expected: "an object")
      return nil
    }
    for member in members where !known.contains(member.key) {
      let nearest = nearestWord(to: member.key, among: known)
      report(
        .unknownKey, "unknown key `\(member.key)`", at: member.keyOffset, path: path.appending(member.key),
        help: nearest.map { "did you mean `\($0)`?" } ?? "known keys: " + known.sorted().joined(separator: ", "))
    }
    return Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func string(_ node: JSONNode, at path: EventPath) -> String? {
    if case .string(let text) = node.content { return text }
    wrongType(node, at: path, expected: "a string")
    return nil
  }

  package mutating func bool(_ node: JSONNode, at path: EventPath) -> Bool? {
    if case .bool(let flag) = node.content { return flag }
    wrongType(node, at: path, expected: "`true` or `false`")
    return nil
  }

  package mutating func integer(_ node: JSONNode, at path: EventPath) -> Int64? {
    if case .number(let number) = node.content, case .int(let integer) = number.eventValue { return integer }
    wrongType(node, at: path, expected: "a whole number")
    return nil
  }

  /// The elements of an array with their paths.
  package mutating func elements(_ node: JSONNode, at path: EventPath) -> [(node: JSONNode, path: EventPath)]? {
    if case .array(let elements) = node.content {
      return elements.enumerated().map { ($0.element, path.appending($0.offset)) }
    }
    wrongType(node, at: path, expected: "an array")
    return nil
  }

  package mutating func wrongType(_ node: JSONNode, at path: EventPath, expected: String) {
    report(.wrongType, "expected \(expected), found \(node.typeDescription)", at: node.offset, path: path)
  }
}

extension Diagnostic.Code {
  /// The text is not JSON.
  package static let invalidJSON = Diagnostic.Code(rawValue: "DS0001")
  /// A value has the wrong JSON type.
  package static let wrongType = Diagnostic.Code(rawValue: "DS0002")
  /// A key that the format does not know.
  package static let unknownKey = Diagnostic.Code(rawValue: "DS0003")
  /// A key that the format demands is not there.
  package static let missingKey = Diagnostic.Code(rawValue: "DS0004")
  /// The format is newer than this version reads.
  package static let unsupportedFormat = Diagnostic.Code(rawValue: "DS0005")
}

extension JSONError {
  /// The error as a finding with its place in the text.
  package func diagnostic(in source: SourceText) -> Diagnostic {
    Diagnostic(
      .error, .invalidJSON, description, file: source.name, position: source.position(at: offset), help: help)
  }
}
