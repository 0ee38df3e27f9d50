package import EventModel

extension Diagnostic.Code {
  /// A flag is not a percentage of at most three decimals.
  package static let invalidPercentage = Diagnostic.Code(rawValue: "DS0201")
  /// An event pattern is neither a name nor a prefix that ends in `*`.
  package static let invalidEventPattern = Diagnostic.Code(rawValue: "DS0202")
  /// A version condition cannot be read.
  package static let invalidVersionCondition = Diagnostic.Code(rawValue: "DS0203")
  /// A list that must name something is empty.
  package static let emptyList = Diagnostic.Code(rawValue: "DS0204")
  /// A list names something twice.
  package static let repeatedEntry = Diagnostic.Code(rawValue: "DS0205")
  /// The salt is empty.
  package static let emptySalt = Diagnostic.Code(rawValue: "DS0206")
  /// The revision is negative.
  package static let invalidRevision = Diagnostic.Code(rawValue: "DS0207")
  /// A word is none of those the format knows.
  package static let unknownWord = Diagnostic.Code(rawValue: "DS0208")
  /// A schedule's times cannot be read or do not increase.
  package static let invalidSchedule = Diagnostic.Code(rawValue: "DS0209")
  /// Some unit would have neither sink.
  package static let neitherSink = Diagnostic.Code(rawValue: "DS0210")
  /// The document is too large to be proved.
  package static let tooLargeToProve = Diagnostic.Code(rawValue: "DS0211")
  /// A rule sets no flag.
  package static let ruleWithoutFlag = Diagnostic.Code(rawValue: "DS0220")
  /// A rule's conditions contradict one another.
  package static let ruleNeverMatches = Diagnostic.Code(rawValue: "DS0221")
  /// Earlier rules always decide what a rule sets.
  package static let ruleNeverDecides = Diagnostic.Code(rawValue: "DS0222")
  /// Earlier rules always decide one of the flags that a rule sets.
  package static let flagNeverDecides = Diagnostic.Code(rawValue: "DS0223")
  /// Units without a sink are allowed where there are none.
  package static let needlessAllowNeither = Diagnostic.Code(rawValue: "DS0224")
}
