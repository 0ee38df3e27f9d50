import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDatabase
import DualSendDelivery
import DualSendJSONLines
import DualSendTracking
import Foundation

/// `dualsend db salvage`: recovers the waiting events of a damaged database.
struct SalvageVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Recover the waiting events of a damaged database.",
    discussion: """
      Works on a copy, so it changes nothing; the temporary folder needs as much free space as the database has. Also \
      recovers events from the write-ahead log (WAL) of a truncated or missing database. A damaged event is left out.
      The output file is created with the first event. Exit status 1 if something could not be read.
      """
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Append the events to this file as JSON lines, ready to be posted.", valueName: "file"))
  var out: String
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var file: JSONLinesFile?
    var events = 0
    var findings: [DocumentDiagnostic] = []
    for database in try database.databases() {
      do {
        let salvage = try StoreSalvage(of: database.file) { event in
          var lines = try file ?? OutputFile.opened(out)
          // A second reference would copy the buffer.
          file = nil
          try lines.append(event.body)
          file = lines
        }
        events += salvage.events
        findings += Self.findings(salvage, database.path)
        if format != .json { terminal.result("\(salvage.events.counted("event")) read from \(database.path)") }
      } catch let error as TrackingStoreError {
        try file?.close()
        throw CommandError(error, database: database.path)
      }
    }
    try file?.close()
    if format == .json { terminal.result(["events": .int(Int64(events))]) }
    terminal.report(findings, format: format)
    return findings.isEmpty ? .clean : .findings
  }

  private static func findings(_ salvage: StoreSalvage, _ path: String) -> [DocumentDiagnostic] {
    var findings = salvage.faults.map { fault in
      DocumentDiagnostic(
        .error, .damagedDatabase, String(describing: fault), file: path,
        notes: [
          salvage.isScanned
            ? "the events were found page by page; some may have been delivered already: compare their ids"
            : "events in the damaged part could not be read"
        ])
    }
    if salvage.damagedEvents > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .damagedEvents, "\(salvage.damagedEvents.grouped) waiting events are damaged", file: path,
          notes: ["they were left out"]))
    }
    return findings
  }
}
