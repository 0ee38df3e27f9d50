import DualSendCommandLine
package import DualSendCore
import DualSendDatabase
import DualSendDelivery
package import DualSendTracking
import Foundation

/// The findings of `dualsend db check` about a tracker's databases.
package struct DoctorReport: Sendable {
  package let diagnoses: [DatabaseDiagnosis]
  /// The findings about each database, then those about databases set aside.
  package let findings: [DocumentDiagnostic]

  /// - Throws: ``CommandError`` if a database cannot be read for a reason other than damage.
  package init(_ databases: [NamedDatabase]) throws {
    diagnoses = try databases.map { database in
      do throws(TrackingStoreError) { return try DatabaseDiagnosis(database) } catch {
        throw CommandError(error, database: database.path)
      }
    }
    let setAside = databases.flatMap { database in
      StoreFormat.databasesSetAside(beside: database.file).map { NamedDatabase($0, beside: database.path).path }
    }
    findings = diagnoses.flatMap(\.findings) + setAside.map { .setAside($0) }
  }

  private var inspections: [StoreInspection] { diagnoses.compactMap(\.inspection) }

  /// The sum over all databases.
  package var ledger: TrackingLedger { inspections.reduce(into: TrackingLedger()) { $0 += $1.ledger } }
  package var waitingEvents: Int { inspections.map(\.waitingEvents).reduce(0, +) }
  var waitingBytes: Int { inspections.map(\.waitingBytes).reduce(0, +) }
  var deadLetters: [String: Int] {
    inspections.map(\.deadLetters).reduce([:]) { $0.merging($1, uniquingKeysWith: +) }
  }
  /// When the oldest waiting event happened, in milliseconds since 1970-01-01T00:00:00Z; `nil` if none waits.
  var oldestEvent: Int64? { inspections.compactMap(\.times?.lowerBound).min() }

  func text(now: Int64) -> String {
    var tables = diagnoses.map { diagnosis in
      guard let inspection = diagnosis.inspection else {
        var table = TextTable([.words("database"), .words(diagnosis.database.path)])
        table.addRow(["integrity", "damaged"])
        return table.text
      }
      return Self.table(inspection, diagnosis.database.path, now: now).text
    }
    if diagnoses.count > 1 {
      var table = TextTable([.words("databases"), .words("\(diagnoses.count) together")])
      table.addRow(["ledger", "\(ledger)"])
      table.addRow(["waiting", "\(waitingEvents.counted("event")), \(waitingBytes.counted("byte"))"])
      tables.append(table.text)
    }
    return tables.joined(separator: "\n")
  }

  private static func table(_ inspection: StoreInspection, _ path: String, now: Int64) -> TextTable {
    var table = TextTable([.words("database"), .words(path)])
    table.addRow(["ledger", "\(inspection.ledger)"])
    table.addRow([
      "waiting", "\(inspection.waitingEvents.counted("event")), \(inspection.waitingBytes.counted("byte"))",
    ])
    if let times = inspection.times {
      let (first, last) = (
        Timestamp.text(milliseconds: times.lowerBound), Timestamp.text(milliseconds: times.upperBound)
      )
      table.addRow(["from … to", "\(first) … \(last)"])
    }
    table.addRow(["in failed requests", inspection.failedEvents.grouped])
    for (reason, count) in inspection.deadLetters.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      table.addRow(["dead letters", "\(count.grouped) \(reason)"])
    }
    if let notBefore = inspection.notBefore, notBefore > now {
      table.addRow(["server asks to wait until", Timestamp.text(milliseconds: notBefore)])
    }
    let isSound = inspection.integrityFaults.isEmpty && inspection.damagedEvents == 0
    table.addRow(["integrity", isSound ? "sound" : "damaged"])
    return table
  }

  /// The figures of all databases together, then of each database.
  var json: EventValue {
    var members = Self.members(
      ledger: ledger, waitingEvents: waitingEvents, waitingBytes: waitingBytes,
      failedEvents: inspections.map(\.failedEvents).reduce(0, +),
      damagedEvents: inspections.map(\.damagedEvents).reduce(0, +), deadLetters: deadLetters,
      notBefore: inspections.compactMap(\.notBefore).max(), integrityFaults: inspections.flatMap(\.integrityFaults))
    members["databases"] = .array(
      diagnoses.map { diagnosis in
        guard let inspection = diagnosis.inspection else { return ["path": .string(diagnosis.database.path)] }
        var one = Self.members(
          ledger: inspection.ledger, waitingEvents: inspection.waitingEvents, waitingBytes: inspection.waitingBytes,
          failedEvents: inspection.failedEvents, damagedEvents: inspection.damagedEvents,
          deadLetters: inspection.deadLetters, notBefore: inspection.notBefore,
          integrityFaults: inspection.integrityFaults)
        one["path"] = .string(diagnosis.database.path)
        return .object(one)
      })
    return .object(members)
  }

  private static func members(
    ledger: TrackingLedger, waitingEvents: Int, waitingBytes: Int, failedEvents: Int, damagedEvents: Int,
    deadLetters: [String: Int], notBefore: Int64?, integrityFaults: [String]
  ) -> [String: EventValue] {
    [
      "ledger": ledger.json, "waitingEvents": .int(Int64(waitingEvents)), "waitingBytes": .int(Int64(waitingBytes)),
      "failedEvents": .int(Int64(failedEvents)), "damagedEvents": .int(Int64(damagedEvents)),
      "deadLetters": .object(deadLetters.mapValues { .int(Int64($0)) }),
      "notBefore": notBefore.map { .int($0) } ?? nil,
      "integrityFaults": .array(integrityFaults.map { .string($0) }),
    ]
  }
}
