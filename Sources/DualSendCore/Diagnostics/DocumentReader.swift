/// Collects findings while a document is taken apart: one reader, every fault in one run.
///
/// The rooms that own a format (a remapping table, a rollout document) walk the nodes themselves and use this for what
/// they share: places, unknown keys, wrong types.
@_spi(Tools) public struct DocumentReader {
  /// Beyond this many findings only their number is kept: nobody reads on, and a hostile document could hold millions.
  public static let maximumFindings = 100

  private struct Finding {
    let severity: DocumentDiagnostic.Severity
    let code: DocumentDiagnostic.Code
    let message: String
    let offset: Int
    let path: EventPath
    let notes: [String]
    let help: String?
  }

  public let document: JSONDocument
  public private(set) var hasErrors = false
  private var findings: [Finding] = []
  private var overflow: (severity: DocumentDiagnostic.Severity, offset: Int, count: Int)?

  /// Reads the text, or reports why it is not JSON as one `DS0001` finding.
  public init(_ bytes: some Sequence<UInt8>, name: String?, reader: JSONReader = JSONReader()) throws(DocumentError) {
    do {
      document = try reader.document(bytes, name: name)
    } catch {
      throw DocumentError([error.diagnostic(in: SourceText(bytes, name: name))])
    }
  }

  /// What was found so far, at most ``maximumFindings`` and one that counts the others. Goes once through the text.
  public var diagnostics: [DocumentDiagnostic] {
    let source = document.source
    let positions = source.positions(at: Set(findings.map(\.offset) + [overflow?.offset].compactMap { $0 }))
    var diagnostics = findings.map { finding in
      DocumentDiagnostic(
        finding.severity, finding.code, finding.message, file: source.name, position: positions[finding.offset],
        path: finding.path, notes: finding.notes, help: finding.help)
    }
    if let overflow {
      diagnostics.append(
        DocumentDiagnostic(
          overflow.severity, .moreFindings, "and \(overflow.count) more, from here on", file: source.name,
          position: positions[overflow.offset]))
    }
    return diagnostics
  }

  /// Keeps a finding, or counts it if there are too many already; then its help is not worked out.
  public mutating func report(
    _ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, path: EventPath,
    severity: DocumentDiagnostic.Severity = .error, notes: [String] = [], help: @autoclosure () -> String? = nil
  ) {
    if severity == .error { hasErrors = true }
    guard findings.count < Self.maximumFindings else {
      overflow = (
        min(overflow?.severity ?? severity, severity), overflow?.offset ?? offset, (overflow?.count ?? 0) + 1
      )
      return
    }
    findings.append(
      Finding(
        severity: severity, code: code, message: message, offset: offset, path: path, notes: notes, help: help()))
  }

  /// The members of an object by key; reports a wrong type as `DS0002` and every key that is not known as `DS0003`.
  public mutating func members(
    of node: JSONNode, at path: EventPath, known: [String]
  ) -> [String: JSONNode.Member]? {
    guard case .object(let members) = node.content else {
      wrongType(node, at: path, expected: "an object")
      return nil
    }
    for member in members where !known.contains(member.key) {
      report(
        .unknownKey, "unknown key `\(member.key)`", at: member.keyOffset, path: path.appending(member.key),
        help: nearestWord(to: member.key, among: known).map { "did you mean `\($0)`?" }
          ?? "known keys: " + known.sorted().joined(separator: ", "))
    }
    return Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public mutating func string(_ node: JSONNode, at path: EventPath) -> String? {
    if case .string(let text) = node.content { return text }
    wrongType(node, at: path, expected: "a string")
    return nil
  }

  public mutating func bool(_ node: JSONNode, at path: EventPath) -> Bool? {
    if case .bool(let flag) = node.content { return flag }
    wrongType(node, at: path, expected: "`true` or `false`")
    return nil
  }

  public mutating func integer(_ node: JSONNode, at path: EventPath) -> Int64? {
    if case .number(let number) = node.content, case .int(let integer) = number.eventValue { return integer }
    wrongType(node, at: path, expected: "a whole number")
    return nil
  }

  /// The elements of an array with their paths.
  public mutating func elements(_ node: JSONNode, at path: EventPath) -> [(node: JSONNode, path: EventPath)]? {
    if case .array(let elements) = node.content {
      return elements.enumerated().map { ($0.element, path.appending($0.offset)) }
    }
    wrongType(node, at: path, expected: "an array")
    return nil
  }

  public mutating func wrongType(_ node: JSONNode, at path: EventPath, expected: String) {
    report(.wrongType, "expected \(expected), found \(node.typeDescription)", at: node.offset, path: path)
  }
}

@_spi(Tools) extension DocumentDiagnostic.Code {
  /// The text is not JSON.
  public static let invalidJSON = DocumentDiagnostic.Code(rawValue: "DS0001")
  /// A value has the wrong JSON type.
  public static let wrongType = DocumentDiagnostic.Code(rawValue: "DS0002")
  /// A key that the format does not know.
  public static let unknownKey = DocumentDiagnostic.Code(rawValue: "DS0003")
  /// A key that the format demands is not there.
  public static let missingKey = DocumentDiagnostic.Code(rawValue: "DS0004")
  /// The format is newer than this version reads.
  public static let unsupportedFormat = DocumentDiagnostic.Code(rawValue: "DS0005")
  /// There are more findings than are kept.
  public static let moreFindings = DocumentDiagnostic.Code(rawValue: "DS0006")
}

@_spi(Tools) extension JSONError {
  /// The error as a finding with its place in the text.
  public func diagnostic(in source: SourceText) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .invalidJSON, description, file: source.name, position: source.position(at: offset), help: help)
  }
}
