import ArgumentParser
@_spi(Tools) import DualSendCore
import DualSendDatabase
@_spi(Tools) import DualSendTracking
import Foundation

/// `dualsend doctor`: what is in a tracker's database, and what to do about it.
struct DoctorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look into a tracker's database: what waits, whether the ledger balances, whether the file is sound.",
    discussion: "Changes nothing; the database may be in use. Exit status 1 if something needs to be done."
  )

  @OptionGroup var database: DatabaseArgument
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let file = try database.file()
    do {
      let inspection = try StoreInspection(file)
      if format == .json { console.result(json(inspection)) } else { console.result(text(inspection)) }
      let findings = findings(inspection) + setAside
      console.report(findings, format: format)
      return findings.isEmpty ? .clean : .findings
    } catch  where error.kind == .damaged {
      console.report(
        [
          DocumentDiagnostic(
            .error, .damagedDatabase, String(describing: error), file: database.path,
            notes: ["the tracker sets the file aside at its next launch and starts afresh"],
            help: "read what is left with `dualsend salvage \(database.path) --out events.jsonl`")
        ], format: format)
      return .findings
    } catch {
      throw CommandError("\(database.path): \(error)")
    }
  }

  private func text(_ inspection: StoreInspection) -> String {
    var table = TextTable([.words("database"), .words(database.path)])
    table.addRow(["ledger", "\(inspection.ledger)"])
    table.addRow(["waiting", "\(inspection.waitingEvents.grouped) events, \(inspection.waitingBytes.grouped) bytes"])
    if let times = inspection.times {
      let (first, last) = (
        Timestamp.text(milliseconds: times.lowerBound), Timestamp.text(milliseconds: times.upperBound)
      )
      table.addRow(["from … to", "\(first) … \(last)"])
    }
    table.addRow(["in failed requests", inspection.failedEvents.grouped])
    for (reason, count) in inspection.deadLetters.sorted(by: { $0.key < $1.key }) {
      table.addRow(["dead letters", "\(count.grouped) \(reason)"])
    }
    if let notBefore = inspection.notBefore, notBefore > TimeSource.system.wallMilliseconds() {
      table.addRow(["server asks to wait until", Timestamp.text(milliseconds: notBefore)])
    }
    table.addRow(["integrity", inspection.integrityFaults.isEmpty ? "sound" : "damaged"])
    return table.text
  }

  private func json(_ inspection: StoreInspection) -> EventValue {
    [
      "ledger": inspection.ledger.json, "waitingEvents": .int(Int64(inspection.waitingEvents)),
      "waitingBytes": .int(Int64(inspection.waitingBytes)), "failedEvents": .int(Int64(inspection.failedEvents)),
      "deadLetters": .object(inspection.deadLetters.mapValues { .int(Int64($0)) }),
      "notBefore": inspection.notBefore.map { .int($0) } ?? nil,
      "integrityFaults": .array(inspection.integrityFaults.map { .string($0) }),
    ]
  }

  private func findings(_ inspection: StoreInspection) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    if !inspection.ledger.isBalanced {
      findings.append(
        DocumentDiagnostic(
          .error, .unbalancedLedger, "the ledger does not balance: \(inspection.ledger)", file: database.path,
          help: "something other than a tracker changed the database, or it is damaged"))
    }
    if inspection.ledger.pending != inspection.waitingEvents || inspection.countedBytes != inspection.waitingBytes {
      findings.append(
        DocumentDiagnostic(
          .error, .miscountedEvents,
          "the ledger counts \(inspection.ledger.pending.grouped) waiting events of \(inspection.countedBytes.grouped)"
            + " bytes, but \(inspection.waitingEvents.grouped) of \(inspection.waitingBytes.grouped) are there",
          file: database.path, help: "rows were deleted or added by something other than a tracker"))
    }
    if !inspection.integrityFaults.isEmpty {
      findings.append(
        DocumentDiagnostic(
          .error, .damagedDatabase, "SQLite finds the database damaged", file: database.path,
          notes: inspection.integrityFaults,
          help: "read what is left with `dualsend salvage \(database.path) --out events.jsonl`"))
    }
    if !inspection.deadLetters.isEmpty {
      findings.append(
        DocumentDiagnostic(
          .warning, .deadLettersWait,
          "\(inspection.deadLetters.values.reduce(0, +).grouped) events were refused by the collector for good",
          file: database.path, help: "see them with `dualsend deadletters \(database.path)`"))
    }
    return findings
  }

  /// Damaged databases that were set aside beside this one.
  private var setAside: [DocumentDiagnostic] {
    let file = URL(fileURLWithPath: database.path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)) ?? []
    return names.sorted().filter { name in
      name.hasPrefix(file.lastPathComponent + ".damaged-") && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
    }.map { name in
      let path = file.deletingLastPathComponent().appendingPathComponent(name).relativePath
      return DocumentDiagnostic(
        .warning, .databaseSetAside, "a damaged database was set aside", file: path,
        help: "read what is left with `dualsend salvage \(path) --out events.jsonl`, then delete it")
    }
  }
}

extension DocumentDiagnostic.Code {
  /// The counters of a tracker's database do not add up.
  static let unbalancedLedger = DocumentDiagnostic.Code(rawValue: "DS0601")
  /// The counters of a tracker's database do not match its rows.
  static let miscountedEvents = DocumentDiagnostic.Code(rawValue: "DS0602")
  /// A tracker's database is damaged.
  static let damagedDatabase = DocumentDiagnostic.Code(rawValue: "DS0603")
  /// Events were refused by the collector for good.
  static let deadLettersWait = DocumentDiagnostic.Code(rawValue: "DS0604")
  /// A damaged database stands beside the current one.
  static let databaseSetAside = DocumentDiagnostic.Code(rawValue: "DS0605")
}
