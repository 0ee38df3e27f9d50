import DualSendCore
import DualSendRemapping

/// Warns about valid parts of a table that are probably mistakes.
///
/// The warnings follow from the table alone, without knowledge of the events. Apps do not run it.
struct TableLint {
  let table: TableOutline
  private(set) var reader: DocumentReader
  /// The byte at which each line starts.
  private let lineStarts: [Int]

  /// The warnings that the table does not silence.
  ///
  /// - Parameter bytes: a table that was accepted.
  static func findings(in bytes: [UInt8], name: String) throws(DocumentError) -> [DocumentDiagnostic] {
    var lint = TableLint(try DocumentReader(bytes, name: name))
    lint.readAllowances()
    lint.checkNames()
    for event in [lint.table.shared].compactMap({ $0 }) + lint.table.events {
      lint.checkSpaces(event)
      lint.checkPaths(event)
      lint.checkDrops(event)
      for row in event.rows { lint.checkValues(row) }
    }
    lint.checkTypes()
    return lint.reader.diagnostics
  }

  private init(_ reader: DocumentReader) {
    self.reader = reader
    let bytes = reader.document.source.bytes
    lineStarts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    table = TableOutline(of: reader.document.root)
  }

  private mutating func readAllowances() {
    let path = EventPath([.key("events")])
    for entry in reader.document.root.entries(of: "events") {
      let path = path.appending(entry.key)
      readAllowance(of: entry.value, at: path)
      for row in entry.value.entries(of: "parameters") {
        readAllowance(of: row.value, at: path.appending("parameters").appending(row.key))
      }
    }
  }

  private mutating func readAllowance(of node: JSONNode, at path: EventPath) {
    reader.readAllowance(node.member("allow"), at: path)
    reader.warnOfUnknownAllowances(node.member("allow"), at: path)
  }

  mutating func warn(
    _ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, path: EventPath, notes: [String] = [],
    help: String
  ) {
    reader.report(code, message, at: offset, path: path, severity: .warning, notes: notes, help: help)
  }

  /// The line of a byte.
  func line(_ offset: Int) -> Int {
    // Binary search: a table may have thousands of findings, each with a note.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The rows of `*` that apply to an event because it does not replace them.
  func inheritedRows(of event: TableOutline.Event) -> [TableOutline.Row] {
    guard event.name != TableOutline.wildcard, let shared = table.shared else { return [] }
    return shared.rows.filter { row in !event.rows.contains { $0.source == row.source } }
  }

  /// Whether values without a row are dropped.
  func dropsUnmapped(_ event: TableOutline.Event) -> Bool {
    event.dropsUnmapped ?? table.shared?.dropsUnmapped ?? false
  }
}

extension DocumentReader {
  /// Warns about codes in an `allow` that silence nothing.
  mutating func warnOfUnknownAllowances(_ member: JSONNode.Member?, at path: EventPath) {
    guard let member, case .array(let elements) = member.value.content else { return }
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.content,
        !DocumentDiagnostic.Code.silenceable.contains(DocumentDiagnostic.Code(rawValue: text))
      else { continue }
      report(
        .unknownAllowance, "no warning about a document has the code `\(text)`", at: element.offset,
        path: path.appending(member.key).appending(index), severity: .warning,
        help: "remove it; errors cannot be silenced")
    }
  }
}
