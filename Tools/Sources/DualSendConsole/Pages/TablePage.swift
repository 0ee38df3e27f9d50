import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRemapping
import Foundation

/// The page to edit and try the remapping table, and to see its coverage.
actor TablePage {
  private static let partCount = 2000

  private let path: String?
  private let normalisation: Normalisation
  private let recordings: OldRecordings?
  private let pairs: LiveComparison
  /// The text at the last refresh; the inner `nil` if it could not be read.
  private var seen: [UInt8]??
  /// The text of the table that pairs are compared with.
  private var inForce: [UInt8]?
  /// The reason why the current text is not valid; `nil` if it is.
  private var problem: String?
  /// The last coverage, with its table and last change.
  private var counted: (bytes: [UInt8], newest: Int64, json: EventValue)?

  init(options: ConsoleOptions, pairs: LiveComparison) async throws {
    path = options.remap
    self.pairs = pairs
    let normalise = options.normalise
    normalisation =
      try Normalisation.presets[normalise] ?? Normalisation(try InputFile.bytes(normalise), name: normalise)
    recordings = OldRecordings(options)
    guard let path else { return }
    let bytes = try InputFile.bytes(path)
    (seen, inForce) = (.some(bytes), bytes)
    await pairs.setTable(try live(RemappingTable(bytes, name: path), bytes))
  }

  /// Reads the table again, and puts it in force if it has changed and is valid.
  func refresh() async {
    guard let path else { return }
    let bytes = try? InputFile.bytes(path)
    guard seen != .some(bytes) else { return }
    seen = .some(bytes)
    guard let bytes else {
      problem = "\(path) cannot be read"
      return await pairs.noteChange(of: .table)
    }
    do {
      problem = nil
      // The same text as before: keep the counts.
      if bytes == inForce { return await pairs.noteChange(of: .table) }
      let table = try live(RemappingTable(bytes, name: path), bytes)
      inForce = bytes
      await pairs.setTable(table)
    } catch {
      let finding = (error as? DocumentError)?.diagnostics.first
      problem = finding.map { "\(path) is not a valid table: \($0.message)" } ?? String(describing: error)
      await pairs.noteChange(of: .table)
    }
  }

  /// The table for the comparison, with the measured noise.
  private func live(_ table: RemappingTable, _ bytes: [UInt8]) throws -> LiveTable {
    let noise = try recordings?.noise(through: table, normalisation)
    return LiveTable(table, normalisation: normalisation, noise: noise, row: TableRows(table, bytes).row)
  }

  var state: EventValue {
    path.map { ["name": .string($0), "problem": problem.map { .string($0) } ?? .null] } ?? .null
  }

  private func tablePath() throws(ConsoleFailure) -> String {
    guard let path else {
      throw ConsoleFailure(404, "the console has no remapping table", help: "start the console with --remap")
    }
    return path
  }

  private func diagnostics(of text: String) -> EventValue {
    PlacedDiagnostics(in: text).json(DocumentAudit(of: Array(text.utf8), name: "the text").findings)
  }

  // MARK: Coverage

  /// The coverage of the table by the newest old events.
  func coverage() async throws -> EventValue {
    let bytes = try InputFile.bytes(try tablePath())
    await refresh()
    let newest = await pairs.newest
    if let counted, counted.bytes == bytes, counted.newest == newest { return counted.json }
    let text = String(decoding: bytes, as: UTF8.self)
    // An invalid table is shown too, so that it can be corrected.
    guard let table = try? RemappingTable(bytes, name: path) else {
      return ["text": .string(text), "tag": EditConflict.tag(of: bytes), "rows": [], "keys": [], "events": [:]]
    }
    var count = CoverageCount(of: table)
    var (end, events): (Int64?, Int) = (nil, 0)
    repeat {
      let part = await pairs.oldEvents(before: end, limit: Self.partCount)
      for event in part.events { count.add(event.name, payload: event.parameters) }
      events += part.events.count
      end = part.end
    } while end != nil
    let json = Self.json(
      count.coverage(TablePlaces(bytes)), rows: TableRows(table, bytes), text: text, events: events)
    counted = (bytes, newest, json)
    return json
  }

  private static func json(_ coverage: TableCoverage, rows: TableRows, text: String, events: Int) -> EventValue {
    let placed = coverage.rows.compactMap { row, count in
      coverage.places.place(of: row).map { (place: $0, row: row, count: count) }
    }.sorted { $0.place < $1.place }
    let keys = coverage.keysWithoutRow.sorted { left, right in
      left.value.count == right.value.count
        ? (left.key.event, left.key.text) < (right.key.event, right.key.text) : left.value.count > right.value.count
    }
    return [
      "text": .string(text), "tag": EditConflict.tag(of: Array(text.utf8)),
      "rows": .array(
        placed.map { place, row, count in
          [
            "line": .int(Int64(place.line)), "event": .string(row.event.text),
            "place": .string("\(row.event.text) · \(row.source)"), "text": .string(rows.row(at: place).text),
            "fired": .int(Int64(count)),
          ]
        }),
      "keys": .array(
        keys.prefix(1000).map { key, finding in
          [
            "event": .string(key.event.text), "key": .string(key.text), "count": .int(Int64(finding.count)),
            "draft": ["event": .string(key.event.text), "key": .string(key.text), "to": .string(key.text)],
          ]
        }),
      "events": [
        "seen": .int(Int64(events)), "inTable": .int(Int64(coverage.events.count)),
        "unseen": .array(coverage.unseenEvents.map { .string($0.text) }),
        "withoutEntry": .array(coverage.eventsWithoutEntry.keys.sorted().prefix(1000).map { .string($0.text) }),
      ],
    ]
  }

  // MARK: Editing

  func check(_ request: ConsoleRequest) throws -> EventValue {
    ["diagnostics": diagnostics(of: try request.text("text"))]
  }

  /// Adds the drafted row for a key.
  func accept(_ request: ConsoleRequest) throws -> EventValue {
    let draft = ConsoleRequest(members: try request.object("draft"))
    var text = try TableText(try request.text("text"))
    let edited = try text.insertRow(try draft.text("key"), to: try draft.text("to"), in: try draft.text("event"))
    return ["text": .string(edited), "diagnostics": diagnostics(of: edited)]
  }

  func save(_ request: ConsoleRequest) async throws -> EventValue {
    let (path, text) = (try tablePath(), try request.text("text"))
    try EditConflict(current: try? InputFile.bytes(path)).refuse(request, edited: text)
    let bytes = Array(text.utf8)
    let findings = DocumentAudit(of: bytes, name: path).findings
    let placed = PlacedDiagnostics(in: text).json(findings)
    guard !findings.contains(where: { $0.severity == .error }), let table = try? RemappingTable(bytes, name: path)
    else {
      throw ConsoleFailure(422, "the table is refused", members: ["diagnostics": placed])
    }
    let live = try live(table, bytes)
    try InputFile.replace(path, with: bytes)
    (seen, inForce, problem) = (.some(bytes), bytes, nil)
    await pairs.setTable(live)
    return ["diagnostics": placed, "tag": EditConflict.tag(of: bytes)]
  }

  /// Remaps one payload with the table, or with an unsaved text.
  func attempt(_ request: ConsoleRequest) throws -> EventValue {
    let text = try request.optionalText("text") ?? String(decoding: try InputFile.bytes(try tablePath()), as: UTF8.self)
    let name = try request.text("name")
    let payload = try request.object("parameters")
    let bytes = Array(text.utf8)
    let table: RemappingTable
    do { table = try RemappingTable(bytes, name: "the text") } catch {
      return [
        "event": .null, "known": false, "trace": [], "dropped": [],
        "diagnostics": PlacedDiagnostics(in: text).json(error.diagnostics),
      ]
    }
    let (remapped, trace) = table.trace(name, payload: payload)
    let rows = TableRows(table, bytes)
    return [
      "event": ["name": .string(remapped.name), "payload": .object(remapped.payload)],
      "known": .bool(table.hasEntry(for: name)),
      "trace": .array(trace.outputs.map { Self.json($0, trace, rows, name) }),
      "dropped": .array(
        trace.inputs.filter(\.isGone).map { input in
          [
            "path": .string(input.path.description), "how": .string(input.destination.words),
            "row": rows.row(name, .row(source: input.path, .unchanged))?.json ?? .null,
          ]
        }),
      "diagnostics": diagnostics(of: text),
    ]
  }

  private static func json(
    _ output: RemappingTrace.Output, _ trace: RemappingTrace, _ rows: TableRows, _ name: String
  ) -> EventValue {
    var (from, how): (EventPath?, String) = (nil, output.origin.addition ?? "")
    switch output.origin {
    case .row(let source, _): from = source
    case .unmapped: from = output.path
    case .constant, .defaultValue: break
    }
    if let from { how = trace.inputs.first { $0.path == from }?.destination.words ?? "" }
    return [
      "path": .string(output.path.description), "from": from.map { .string($0.description) } ?? .null,
      "how": .string(how), "row": rows.row(name, output.origin)?.json ?? .null,
    ]
  }
}

extension RemappingTrace.Input {
  /// Whether the value is not in the new payload.
  fileprivate var isGone: Bool {
    switch destination {
    case .moved, .kept: false
    case .dropped, .droppedUnmapped, .lost: true
    }
  }
}
