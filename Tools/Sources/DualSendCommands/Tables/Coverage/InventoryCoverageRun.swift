import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendRemapping

/// Runs `coverage --inventory`.
struct InventoryCoverageRun {
  /// The limit of different names. More than that are probably data.
  private static let maximumNames = 100_000

  let inventory: String
  let table: String?
  let events: String?
  let isStrict: Bool
  let limit: Int
  let format: OutputFormat

  /// - Returns: findings if there is any, or a line of the stream was malformed.
  func run(on terminal: Terminal) throws -> CommandStatus {
    let bytes = try table.map { try InputFile.bytes($0) }
    let remapping = try bytes.map { try RemappingTable($0, name: table) }
    if let remapping { terminal.report(remapping.warnings, format: format) }
    let inventory = try Inventory(InputFile.bytes(inventory), name: inventory)
    // Of an empty one every row of the table would be unused.
    if inventory.callSites.isEmpty {
      throw CommandError(
        "\(self.inventory) lists no call site", help: "did `dualsend inventory` read the right sources?")
    }
    var lines = try events.map { try LegacyLines($0, input: terminal.input) }
    let coverage = InventoryCoverage(
      inventory: inventory, table: remapping, seen: try Self.names(in: &lines, on: terminal))
    let findings = coverage.findings(
      tableName: table, TablePlaces(bytes ?? []), eventsName: events, isStrict: isStrict, isGrouped: format == .text)
    if format == .json {
      terminal.result(coverage.json(findings))
    } else {
      terminal.result(coverage.text(limit: limit))
      report(findings, on: terminal)
    }
    lines?.reportMalformed(on: terminal, format: format)
    // A key that is kept without a row is a warning; --strict makes it an error.
    let isFaulty = findings.contains { $0.severity == .error || $0.code != .keyWithoutRow }
    return !isFaulty && (lines?.malformedCount ?? 0) == 0 ? .clean : .findings
  }

  /// Reports findings up to the limit of each kind, and counts the others.
  private func report(_ findings: [DocumentDiagnostic], on terminal: Terminal) {
    guard limit > 0 else { return terminal.report(findings, format: format) }
    var counts: [DocumentDiagnostic.Code: Int] = [:]
    let shown = findings.filter { finding in
      counts[finding.code, default: 0] += 1
      return counts[finding.code, default: 0] <= limit
    }
    terminal.report(shown, format: format)
    for (code, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > limit {
      terminal.note("… and \((count - limit).counted("more finding")) \(code.rawValue); see --limit")
    }
  }

  private static func names(in lines: inout LegacyLines?, on terminal: Terminal) throws -> [ExactText: Int]? {
    guard lines != nil else { return nil }
    var seen: [ExactText: Int] = [:]
    try lines?.forEach("coverage", on: terminal) { line in
      let name = ExactText(line.event.name)
      if seen[name] != nil || seen.count < maximumNames { seen[name, default: 0] += 1 }
    }
    return seen
  }
}
