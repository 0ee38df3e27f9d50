public import DualSendCore
public import DualSendRemapping

/// A remapping table with the positions of its entries, for findings about missing rows.
public struct RemappingSource: Sendable {
  /// The table.
  public let table: RemappingTable
  private let file: String?
  private let events: [ExactText: DocumentDiagnostic.Position]
  private let start: DocumentDiagnostic.Position?

  /// Reads and checks a table.
  ///
  /// - Throws: all findings, like `RemappingTable`.
  public init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    let bytes = Array(bytes)
    table = try RemappingTable(bytes, name: name)
    file = name
    // An accepted table is JSON with an object of events.
    let document = try DocumentReader(bytes, name: name).document
    guard case .object(let members) = document.root.content,
      let entries = members.first(where: { $0.key == "events" }),
      case .object(let events) = entries.value.content
    else {
      (self.events, start) = ([:], nil)
      return
    }
    let positions = document.source.positions(at: Set(events.map(\.keyOffset) + [entries.keyOffset]))
    start = positions[entries.keyOffset]
    self.events = Dictionary(
      events.compactMap { event in positions[event.keyOffset].map { (ExactText(event.key), $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The warning about a parameter without a row.
  func missingRow(for key: String, of event: String) -> DocumentDiagnostic {
    let hasEntry = table.hasEntry(for: event)
    let path = EventPath([.key("events")])
    let key = EventValue.string(key).canonicalText
    return DocumentDiagnostic(
      .warning, .missingRow, "no row maps \(key) of `\(event)`: the generated code does not compile", file: file,
      position: events[ExactText(event)] ?? start,
      path: hasEntry ? path.appending(event).appending("parameters") : path,
      help: hasEntry
        ? "add a row; \(key): \(key) if it stays as it is" : "add an entry for the event, and a row for each parameter")
  }
}
