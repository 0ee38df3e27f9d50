import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// A breaker's record, as `dualsend db check` shows it.
struct BreakerReport {
  private let record: BreakerRecord
  private let path: String

  /// Reads a record.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read, or is not a breaker's record.
  init(_ path: String) throws {
    guard let record = BreakerRecord(reading: try InputFile.exactBytes(path)) else {
      throw CommandError(
        "\(path) is not a breaker's record, or it is damaged", help: "name the file that holds `parts.storage(\"breaker\")`")
    }
    (self.record, self.path) = (record, path)
  }

  var text: String {
    var table = TextTable([.words("breaker"), .words(path)])
    table.addRow(["state", record.opening == nil ? "closed" : "open: the new side stays off"])
    if let opening = record.opening { table.addRow(["cause", opening.description]) }
    table.addRow(["app version", record.situation.appVersion])
    table.addRow(["revision", record.situation.revision.map(String.init) ?? "none"])
    table.addRow(["early ends in a row", record.earlyEnds.grouped])
    if record.unreported != nil { table.addRow(["report", "not sent yet"]) }
    return table.text
  }

  var json: EventValue {
    [
      "isOpen": .bool(record.opening != nil), "opening": record.opening.map { .object($0.members) } ?? .null,
      "appVersion": .string(record.situation.appVersion),
      "revision": record.situation.revision.map { .int($0) } ?? .null, "earlyEnds": .int(Int64(record.earlyEnds)),
      "isReported": .bool(record.unreported == nil),
    ]
  }

  var finding: DocumentDiagnostic? {
    record.opening.map { opening in
      DocumentDiagnostic(
        .warning, .breakerOpen, "the breaker keeps the new side off: \(opening)", file: path,
        help: "it closes with another app version, or when another revision of the rollout is in force")
    }
  }
}

extension DocumentDiagnostic.Code {
  /// A device's breaker keeps the new side off.
  static let breakerOpen = DocumentDiagnostic.Code(rawValue: "DS0609")
}

extension EventValue {
  /// Adds a member to an object. Another value stays unchanged.
  func adding(_ key: String, _ value: EventValue) -> EventValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
