import DualSendCommandLine
import DualSendCore
package import DualSendDatabase
import DualSendTracking
import Foundation

/// The findings about one database.
package struct DatabaseDiagnosis: Sendable {
  package let database: NamedDatabase
  /// `nil` if the database is too damaged to read.
  package let inspection: StoreInspection?
  let findings: [DocumentDiagnostic]

  /// - Throws: ``TrackingStoreError`` if the database cannot be read for a reason other than damage.
  init(_ database: NamedDatabase) throws(TrackingStoreError) {
    self.database = database
    (inspection, findings) = try Self.inspect(database)
  }

  private static func inspect(
    _ database: NamedDatabase
  ) throws(TrackingStoreError) -> (StoreInspection?, [DocumentDiagnostic]) {
    do {
      let inspection = try StoreInspection(database.file)
      return (inspection, findings(inspection, database.path))
    } catch {
      guard error.kind == .damaged else { throw error }
      let finding = DocumentDiagnostic(
        .error, .damagedDatabase, String(describing: error), file: database.path,
        notes: ["the tracker sets the file aside at its next launch and starts with an empty database"],
        help: "read what is left with `dualsend db salvage \(database.path) --output events.jsonl`")
      return (nil, [finding])
    }
  }

  private static func findings(_ inspection: StoreInspection, _ path: String) -> [DocumentDiagnostic] {
    var findings: [DocumentDiagnostic] = []
    if !inspection.ledger.isBalanced {
      findings.append(
        DocumentDiagnostic(
          .error, .unbalancedLedger, "the ledger does not balance: \(inspection.ledger)", file: path,
          help: "something other than a tracker changed the database, or it is damaged"))
    }
    if inspection.ledger.pending != inspection.waitingEvents || inspection.countedBytes != inspection.waitingBytes {
      findings.append(
        DocumentDiagnostic(
          .error, .miscountedEvents,
          "the ledger counts \(inspection.ledger.pending.grouped) waiting events of \(inspection.countedBytes.grouped)"
            + " bytes, but the database holds \(inspection.waitingEvents.grouped) of \(inspection.waitingBytes.grouped) bytes",
          file: path, help: "rows were deleted or added by something other than a tracker"))
    }
    if !inspection.integrityFaults.isEmpty {
      findings.append(
        DocumentDiagnostic(
          .error, .damagedDatabase, "the database is damaged", file: path,
          notes: inspection.integrityFaults,
          help: "read what is left with `dualsend db salvage \(path) --output events.jsonl`"))
    }
    if inspection.damagedEvents > 0 {
      findings.append(
        DocumentDiagnostic(
          .error, .damagedEvents, "\(inspection.damagedEvents.grouped) waiting events are damaged", file: path,
          help: "the tracker does not send them: it makes them dead letters, with their bytes unchanged"))
    }
    if inspection.ledger.deadLettersErased > 0 {
      findings.append(.deadLettersErased(inspection.ledger, path))
    }
    if !inspection.deadLetters.isEmpty {
      findings.append(.deadLettersWait(inspection.deadLetters.values.reduce(0, +), path))
    }
    return findings
  }
}

extension DocumentDiagnostic {
  /// Warns about dead letters.
  static func deadLettersWait(_ count: Int, _ path: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .deadLettersWait, "the collector refused \(count.counted("event")) for good", file: path,
      help: "see them with `dualsend db letters \(path)`")
  }

  /// Reports dead letters that were erased.
  static func deadLettersErased(_ ledger: TrackingLedger, _ path: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .deadLettersErased,
      "\(ledger.deadLettersErased.grouped) events are lost: the collector refused them, and newer dead letters took their place",
      file: path,
      help: "raise `TrackerConfiguration.Quota.deadLetters`, and handle dead letters before the limit is reached")
  }

  /// Reports a damaged database beside the current one.
  static func setAside(_ path: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .databaseSetAside, "a damaged database was set aside", file: path,
      help: "read what is left with `dualsend db salvage \(path) --output events.jsonl`, then delete it")
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
  /// Waiting events differ from what was stored.
  static let damagedEvents = DocumentDiagnostic.Code(rawValue: "DS0606")
  /// Dead letters were erased to make room for newer ones.
  static let deadLettersErased = DocumentDiagnostic.Code(rawValue: "DS0608")
  /// A condition of `db check --fail-if` holds.
  static let alarm = DocumentDiagnostic.Code(rawValue: "DS0607")
}
