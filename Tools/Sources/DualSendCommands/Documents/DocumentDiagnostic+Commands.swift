import DualSendCore

extension DocumentDiagnostic.Code {
  /// A file is none of the documents that people edit.
  static let unknownDocument = DocumentDiagnostic.Code(rawValue: "DS0403")
  /// A planned rollout takes the new tracker away from units that have it.
  static let eviction = DocumentDiagnostic.Code(rawValue: "DS0404")
  /// A planned rollout leaves units that have a sink with none.
  static let sinkLoss = DocumentDiagnostic.Code(rawValue: "DS0405")
  /// A planned rollout has a revision that apps refuse in place of the one before.
  static let revisionNotRaised = DocumentDiagnostic.Code(rawValue: "DS0406")
  /// A planned rollout sends events to more units of the new tracker although the two streams differ.
  static let advancesWithoutParity = DocumentDiagnostic.Code(rawValue: "DS0407")
  /// A rule asks for events that a file of events has none of.
  static let unseenEvents = DocumentDiagnostic.Code(rawValue: "DS0408")
  /// A rule asks for a version, platform or attribute that a file of events has none of.
  static let unseenContext = DocumentDiagnostic.Code(rawValue: "DS0409")
  /// The document to go back to has another salt, so that every unit would get another bucket.
  static let reshuffle = DocumentDiagnostic.Code(rawValue: "DS0410")
  /// What is known of a watched rollout cannot be kept or read.
  static let watchState = DocumentDiagnostic.Code(rawValue: "DS0411")
  /// Generated code on disk is not what the specification and the table give.
  static let outdatedCode = DocumentDiagnostic.Code(rawValue: "DS0314")
}
