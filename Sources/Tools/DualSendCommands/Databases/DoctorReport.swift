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
      DamagedDatabase.setAside(beside: database.file).map { NamedDatabase($0, beside: database.path).path }
    }
    findings = diagnoses.flatMap(\.findings) + setAside.map { .setAside($0) }
  }

  private var inspections: [StoreInspection] { diagnoses.compactMap(\.inspection) }

  /// The sum over all databases.
  package var ledger: TrackingLedger { inspections.ledger }
  package var waitingEvents: Int { inspections.map(\.waitingEvents).reduce(0, +) }
  var waitingBytes: Int { inspections.map(\.waitingBytes).reduce(0, +) }
  var deadLetters: [String: Int] { inspections.deadLetters }
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
    var members = Self.members(inspections)
    members["databases"] = .array(
      diagnoses.map { diagnosis in
        var one = diagnosis.inspection.map { Self.members([$0]) } ?? [:]
        one["path"] = .string(diagnosis.database.path)
        return .object(one)
      })
    return .object(members)
  }

  private static func members(_ inspections: [StoreInspection]) -> [String: EventValue] {
    func sum(_ count: (StoreInspection) -> Int) -> EventValue { .int(Int64(inspections.map(count).reduce(0, +))) }
    return [
      "ledger": inspections.ledger.json, "waitingEvents": sum(\.waitingEvents), "waitingBytes": sum(\.waitingBytes),
      "failedEvents": sum(\.failedEvents), "damagedEvents": sum(\.damagedEvents),
      "deadLetters": .object(inspections.deadLetters.mapValues { .int(Int64($0)) }),
      "notBefore": inspections.compactMap(\.notBefore).max().map { .int($0) } ?? nil,
      "integrityFaults": .array(inspections.flatMap(\.integrityFaults).map { .string($0) }),
    ]
  }
}

extension [StoreInspection] {
  fileprivate var ledger: TrackingLedger { reduce(into: TrackingLedger()) { $0 += $1.ledger } }
  fileprivate var deadLetters: [String: Int] { reduce(into: [:]) { $0.merge($1.deadLetters, uniquingKeysWith: +) } }
}
