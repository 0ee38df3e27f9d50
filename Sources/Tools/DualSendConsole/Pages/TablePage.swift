import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendTables
import Foundation

/// The page that shows the remapping table with the counts of its rows, and tries a payload.
actor TablePage {
  private static let partCount = 2000

  /// A valid table and its text.
  private struct InForce {
    let bytes: [UInt8]
    let table: RemappingTable
    let rows: TableRows
  }

  private let path: String?
  private let normalisation: Normalisation
  private let recordings: OldRecordings?
  private let pairs: LiveComparison
  /// The text at the last refresh, or why it could not be read.
  private var seen: Result<[UInt8], CommandError>?
  /// The table that pairs are compared with; `nil` without --remap.
  private var inForce: InForce?
  /// The reason why the current text is not valid; `nil` if it is.
  private var problem: String?
  /// The last coverage, with its table and last change.
  private var counted: (bytes: [UInt8], newest: Int64, json: EventValue)?

  init(options: ConsoleOptions, pairs: LiveComparison) async throws {
    path = options.join.remap
    self.pairs = pairs
    normalisation = try options.join.normalisation()
    recordings = OldRecordings(options)
    guard let path else { return }
    let bytes = try InputFile.bytes(path)
    seen = .success(bytes)
    try await putInForce(bytes, path)
  }

  /// Reads the table again, and puts it in force if it has changed and is valid.
  func refresh() async {
    guard let path else { return }
    let text = Result { try InputFile.bytes(path) }.mapError { CommandError(reading: path, $0) }
    guard seen != text else { return }
    seen = text
    do {
      let bytes = try text.get()
      problem = nil
      // The same text as before: keep the counts.
      if bytes == inForce?.bytes { return await pairs.noteChange(of: .table) }
      try await putInForce(bytes, path)
    } catch {
      let finding = (error as? DocumentError)?.diagnostics.first
      problem =
        finding.map { "\(path) is not a valid table: \($0.place)\($0.message)" }
        ?? CommandError(reading: path, error).message
      await pairs.noteChange(of: .table)
    }
  }

  /// Compares with a table from now on, less the measured noise.
  private func putInForce(_ bytes: [UInt8], _ path: String) async throws {
    let table = try RemappingTable(reading: bytes, name: path)
    let noise = try recordings?.noise(through: table, normalisation)
    let rows = TableRows(table, bytes)
    inForce = InForce(bytes: bytes, table: table, rows: rows)
    await pairs.setTable(LiveTable(table, normalisation: normalisation, noise: noise, row: rows.row))
  }

  var state: EventValue {
    path.map { ["name": .string($0), "problem": problem.map { .string($0) } ?? .null] } ?? .null
  }

  private func current() async throws -> InForce {
    await refresh()
    guard let inForce else {
      throw ConsoleFailure(404, "the console has no remapping table", help: "start the console with --remap")
    }
    return inForce
  }

  // MARK: Coverage

  /// The table in force, and its coverage by the newest old events.
  func coverage() async throws -> EventValue {
    let inForce = try await current()
    guard case .object(var members) = await counts(of: inForce) else { return .null }
    members["problem"] = problem.map { .string($0) } ?? .null
    return .object(members)
  }

  private func counts(of inForce: InForce) async -> EventValue {
    let newest = await pairs.newest
    if let counted, counted.bytes == inForce.bytes, counted.newest == newest { return counted.json }
    var count = CoverageCount(of: inForce.table)
    var (end, events): (Int64?, Int) = (nil, 0)
    repeat {
      let part = await pairs.oldEvents(before: end, limit: Self.partCount)
      for event in part.events { count.add(event.name, payload: event.parameters) }
      events += part.events.count
      end = part.end
    } while end != nil
    let json = Self.json(count.coverage(TablePlaces(inForce.bytes)), of: inForce, events: events)
    counted = (inForce.bytes, newest, json)
    return json
  }

  private static func json(_ coverage: TableCoverage, of inForce: InForce, events: Int) -> EventValue {
    let placed = coverage.rows.compactMap { row, count in
      coverage.places.place(of: row).map { (place: $0, row: row, count: count) }
    }.sorted { $0.place < $1.place }
    let keys = coverage.keysWithoutRow.sorted { left, right in
      left.value.count == right.value.count
        ? (left.key.event, left.key.text) < (right.key.event, right.key.text) : left.value.count > right.value.count
    }
    return [
      "text": .string(String(decoding: inForce.bytes, as: UTF8.self)),
      "rows": .array(
        placed.map { place, row, count in
          [
            "line": .int(Int64(place.line)), "event": .string(row.event.text),
            "place": .string("\(row.event.text) · \(row.source)"),
            "text": .string(inForce.rows.row(at: place).text), "fired": .int(Int64(count)),
          ]
        }),
      "keys": .array(
        keys.prefix(1000).map { key, finding in
          ["event": .string(key.event.text), "key": .string(key.text), "count": .int(Int64(finding.count))]
        }),
      "events": [
        "seen": .int(Int64(events)), "inTable": .int(Int64(coverage.events.count)),
        "unseen": .array(coverage.unseenEvents.map { .string($0.text) }),
        "withoutEntry": .array(coverage.eventsWithoutEntry.keys.sorted().prefix(1000).map { .string($0.text) }),
      ],
    ]
  }

  // MARK: Trying

  /// Remaps one payload with the table in force.
  func attempt(_ request: ConsoleRequest) async throws -> EventValue {
    let name = try request.text("name")
    let payload = try request.object("parameters")
    let inForce = try await current()
    let (remapped, trace) = inForce.table.trace(name, payload: payload)
    let rows = inForce.rows
    return [
      "event": ["name": .string(remapped.name), "payload": .object(remapped.payload)],
      "known": .bool(inForce.table.hasEntry(for: name)),
      "trace": .array(trace.outputs.map { Self.json($0, trace, rows, name) }),
      "dropped": .array(
        trace.inputs.filter(\.isGone).map { input in
          [
            "path": .string(input.path.description), "how": .string(input.destination.words),
            "row": rows.row(name, .row(source: input.path, .unchanged))?.json ?? .null,
          ]
        }),
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
    case .dropped, .droppedUnmapped, .yielded, .lost: true
    }
  }
}

extension DocumentDiagnostic {
  /// The beginning of a message about a line; empty if the line is not known.
  fileprivate var place: String { position.map { "line \($0.line): " } ?? "" }
}

/// Two recordings of the old stream, whose differences are noise.
private struct OldRecordings: Sendable {
  private let first: URL
  private let second: URL
  private let join: JoinRule

  /// The recordings of `--calibrate`; `nil` without the option.
  init?(_ options: ConsoleOptions) {
    guard options.calibrate.count == 2 else { return nil }
    (first, second) = (URL(fileURLWithPath: options.calibrate[0]), URL(fileURLWithPath: options.calibrate[1]))
    join = options.join.byID
  }

  /// Compares the recordings in the same way as the old and the new stream.
  ///
  /// - Throws: `ParityError` if a file cannot be read, `CommandError` if they have no event in common.
  func noise(through table: RemappingTable, _ normalisation: Normalisation) throws -> ParityReport {
    let comparer = ParityComparer(table: table, normalisation: normalisation, join: join)
    let report = try comparer.compare(old: first, new: second, form: .legacy)
    guard report.total.pairs > 0 else {
      throw CommandError(
        "\(first.path) and \(second.path) have no event in common",
        help: "they are joined by event id, so both must record the same events (`dualsend parity --by-order "
          + "--calibrate` accepts recordings without ids)")
    }
    return report
  }
}
