import DualSendCore

extension DocumentDiagnostic.Code {
  /// More of an event differs, is lost or is unexpected than is allowed.
  static let failsParity = DocumentDiagnostic.Code(rawValue: "DS0701")
  /// Too few events were seen to say that no more fails than is allowed.
  static let tooLittleEvidence = DocumentDiagnostic.Code(rawValue: "DS0702")
  /// A stream has more lines that are no events than are allowed.
  static let brokenLines = DocumentDiagnostic.Code(rawValue: "DS0703")
  /// Nothing was there to be compared.
  static let nothingCompared = DocumentDiagnostic.Code(rawValue: "DS0704")
  /// Events carry decisions that their apps cannot have made.
  static let contradictsRollout = DocumentDiagnostic.Code(rawValue: "DS0707")
  /// A report does not judge events that only one stream has.
  static let lossNotJudged = DocumentDiagnostic.Code(rawValue: "DS0705")
  /// A report is of another revision than the one in force.
  static let measuredElsewhere = DocumentDiagnostic.Code(rawValue: "DS0706")
}
