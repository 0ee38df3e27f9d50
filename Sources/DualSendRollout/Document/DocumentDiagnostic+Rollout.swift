public import DualSendCore

extension DocumentDiagnostic.Code {
  /// A flag is not a percentage of at most three decimals.
  public static let invalidPercentage = DocumentDiagnostic.Code(rawValue: "DS0201")
  /// An event pattern is neither a name nor a prefix followed by `*`.
  public static let invalidEventPattern = DocumentDiagnostic.Code(rawValue: "DS0202")
  /// A version condition is malformed.
  public static let invalidVersionCondition = DocumentDiagnostic.Code(rawValue: "DS0203")
  /// A list is empty.
  public static let emptyList = DocumentDiagnostic.Code(rawValue: "DS0204")
  /// A list contains an entry twice.
  public static let repeatedEntry = DocumentDiagnostic.Code(rawValue: "DS0205")
  /// The salt is empty.
  public static let emptySalt = DocumentDiagnostic.Code(rawValue: "DS0206")
  /// The revision is negative.
  public static let invalidRevision = DocumentDiagnostic.Code(rawValue: "DS0207")
  /// A value is not one of the words that the format allows.
  public static let unknownWord = DocumentDiagnostic.Code(rawValue: "DS0208")
  /// A schedule's times are malformed or do not increase.
  public static let invalidSchedule = DocumentDiagnostic.Code(rawValue: "DS0209")
  /// Some units would have neither sink.
  public static let neitherSink = DocumentDiagnostic.Code(rawValue: "DS0210")
  /// The document is too large to be proved.
  public static let tooLargeToProve = DocumentDiagnostic.Code(rawValue: "DS0211")
  /// A sink's id is malformed, or is the id of a principal sink.
  public static let invalidSinkID = DocumentDiagnostic.Code(rawValue: "DS0212")
  /// One id names a sink of each side.
  public static let repeatedSink = DocumentDiagnostic.Code(rawValue: "DS0213")
  /// A rule narrows a sink that the top level does not name.
  public static let unknownSink = DocumentDiagnostic.Code(rawValue: "DS0214")
  /// A document of format 1 names sinks.
  public static let sinksNeedFormat = DocumentDiagnostic.Code(rawValue: "DS0215")
  /// A document names too many sinks.
  public static let tooManySinks = DocumentDiagnostic.Code(rawValue: "DS0216")
  /// A rule sets no flag.
  public static let ruleWithoutFlag = DocumentDiagnostic.Code(rawValue: "DS0220")
  /// A rule's conditions contradict one another.
  public static let ruleNeverMatches = DocumentDiagnostic.Code(rawValue: "DS0221")
  /// Earlier rules always decide everything that a rule sets.
  public static let ruleNeverDecides = DocumentDiagnostic.Code(rawValue: "DS0222")
  /// Earlier rules always decide one of the flags that a rule sets.
  public static let flagNeverDecides = DocumentDiagnostic.Code(rawValue: "DS0223")
  /// `allowNeither` is set where every unit has a sink.
  public static let needlessAllowNeither = DocumentDiagnostic.Code(rawValue: "DS0224")
}
