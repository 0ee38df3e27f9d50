import DualSend
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendTables

/// The remapping table that the console compares with.
struct LiveTable: Sendable {
  /// The position and text of a row.
  struct Row: Sendable, Hashable {
    let line: Int
    /// The row's own line, without white space around it.
    let text: String

    /// The row for the page.
    var json: EventValue { ["line": .int(Int64(line)), "text": .string(text)] }
  }

  let table: RemappingTable
  /// The normalisation of both sides before the comparison.
  let normalisation: Normalisation
  /// The differences between two recordings of the old stream; `nil` if noise was not measured.
  let noise: ParityReport?
  /// The row of an event that wrote a value of the new payload; `nil` for a value that no row wrote.
  let row: @Sendable (_ event: String, RemappingTrace.Origin) -> Row?

  init(
    _ table: RemappingTable, normalisation: Normalisation = .none, noise: ParityReport? = nil,
    row: @escaping @Sendable (_ event: String, RemappingTrace.Origin) -> Row?
  ) {
    (self.table, self.normalisation, self.noise, self.row) = (table, normalisation, noise, row)
  }
}

/// Finds the row of a table's text that wrote a value.
struct TableRows: Sendable {
  private let table: RemappingTable
  private let places: TablePlaces
  private let lines: [Substring]

  /// - Parameter bytes: the table's text.
  init(_ table: RemappingTable, _ bytes: [UInt8]) {
    self.table = table
    places = TablePlaces(bytes)
    lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// The row; `nil` for a value that no row wrote.
  func row(_ event: String, _ origin: RemappingTrace.Origin) -> LiveTable.Row? {
    switch origin {
    case .row(let source, _): row(event) { $0.covers(source) }
    case .defaultValue(let source): row(event) { $0 == source }
    case .constant, .unmapped: nil
    }
  }

  private func row(_ event: String, where isIt: (KeyPathPattern) -> Bool) -> LiveTable.Row? {
    let rows = table.rule(for: event).rows
    guard let source = rows.first(where: { isIt($0.source) })?.source else { return nil }
    let own = TableCoverage.Row(event: ExactText(event), source: source)
    let shared = TableCoverage.Row(event: TableCoverage.wildcard, source: source)
    return (places.place(of: own) ?? places.place(of: shared)).map { row(at: $0) }
  }

  /// The row with its key at a position.
  func row(at position: DocumentDiagnostic.Position) -> LiveTable.Row {
    let line = lines.indices.contains(position.line - 1) ? lines[position.line - 1] : ""
    return LiveTable.Row(line: position.line, text: line.trimmingPrefix { $0.isWhitespace }.printable(limit: 500))
  }
}

extension KeyPathPattern {
  /// Whether the pattern matches a path.
  fileprivate func covers(_ path: EventPath) -> Bool {
    guard steps.count == path.steps.count else { return false }
    return zip(steps, path.steps).allSatisfy { step, place in
      switch (step, place) {
      case (.key(let key), .key(let other)): key.isExactly(other)
      case (.eachElement, .index): true
      default: false
      }
    }
  }
}
