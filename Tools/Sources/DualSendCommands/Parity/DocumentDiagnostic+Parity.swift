import DualSendCore

extension DocumentDiagnostic.Code {
  /// More events of a name differ, are lost or are unexpected than allowed.
  static let failsParity = DocumentDiagnostic.Code(rawValue: "DS0701")
  /// Too few events were seen to show that the failures are within the limit.
  static let tooLittleEvidence = DocumentDiagnostic.Code(rawValue: "DS0702")
  /// A stream has more malformed lines than allowed.
  static let brokenLines = DocumentDiagnostic.Code(rawValue: "DS0703")
  /// There was nothing to compare.
  static let nothingCompared = DocumentDiagnostic.Code(rawValue: "DS0704")
  /// Events carry decisions that their apps cannot have made.
  static let contradictsRollout = DocumentDiagnostic.Code(rawValue: "DS0707")
  /// A report does not judge events that only one stream has.
  static let lossNotJudged = DocumentDiagnostic.Code(rawValue: "DS0705")
  /// A report measured another revision than the one in force.
  static let measuredElsewhere = DocumentDiagnostic.Code(rawValue: "DS0706")
}
