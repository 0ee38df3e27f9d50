import DualSendCore

extension DocumentDiagnostic.Code {
  /// A file is of no known kind of document.
  static let unknownDocument = DocumentDiagnostic.Code(rawValue: "DS0403")
  /// A planned rollout takes the new tracker away from units that have it.
  static let eviction = DocumentDiagnostic.Code(rawValue: "DS0404")
  /// A planned rollout leaves units that have a sink with none.
  static let sinkLoss = DocumentDiagnostic.Code(rawValue: "DS0405")
  /// Apps would refuse a planned rollout, because its revision is not higher.
  static let revisionNotRaised = DocumentDiagnostic.Code(rawValue: "DS0406")
  /// A planned rollout raises the new tracker's share although the two streams differ.
  static let advancesWithoutParity = DocumentDiagnostic.Code(rawValue: "DS0407")
  /// A rule names events that do not occur in a file of events.
  static let unseenEvents = DocumentDiagnostic.Code(rawValue: "DS0408")
  /// A rule names a version, platform or attribute that does not occur in a file of events.
  static let unseenContext = DocumentDiagnostic.Code(rawValue: "DS0409")
  /// The document to go back to has another salt, so that every unit would get another bucket.
  static let reshuffle = DocumentDiagnostic.Code(rawValue: "DS0410")
  /// The saved state of a watched rollout cannot be read or written.
  static let watchState = DocumentDiagnostic.Code(rawValue: "DS0411")
  /// A publication could not be recorded.
  static let unrecorded = DocumentDiagnostic.Code(rawValue: "DS0412")
  /// A line of the record of publications is not an entry.
  static let badEntry = DocumentDiagnostic.Code(rawValue: "DS0413")
  /// The document is not the one recorded last.
  static let changedOutside = DocumentDiagnostic.Code(rawValue: "DS0414")
  /// Generated code on disk is out of date.
  static let outdatedCode = DocumentDiagnostic.Code(rawValue: "DS0314")
}
