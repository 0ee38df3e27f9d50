import DualSendCore
import DualSendRemapping
import DualSendRollout

extension DocumentDiagnostic.Code {
  /// `allow` names a code that no warning has.
  static let unknownAllowance = DocumentDiagnostic.Code(rawValue: "DS0009")

  /// Two events of a table get one name.
  static let sharedEventName = DocumentDiagnostic.Code(rawValue: "DS0114")
  /// An event's own row keeps a value that `*` drops.
  static let cancelledDrop = DocumentDiagnostic.Code(rawValue: "DS0115")
  /// A number in a value table never matches, because it is not in canonical form.
  static let unmatchableNumber = DocumentDiagnostic.Code(rawValue: "DS0116")
  /// Different values become equal.
  static let manyToOne = DocumentDiagnostic.Code(rawValue: "DS0117")
  /// A value table gives values of different types.
  static let mixedTypes = DocumentDiagnostic.Code(rawValue: "DS0118")
  /// A value table has no default for values that it does not name.
  static let tableWithoutDefault = DocumentDiagnostic.Code(rawValue: "DS0119")
  /// A default has another type than the values of its table.
  static let strangeDefault = DocumentDiagnostic.Code(rawValue: "DS0120")
  /// A row converts to an integer where another part of the table expects a double.
  static let cutFraction = DocumentDiagnostic.Code(rawValue: "DS0121")
  /// Every value of an event is dropped.
  static let dropsEverything = DocumentDiagnostic.Code(rawValue: "DS0122")
  /// A `*` that is a literal character.
  static let literalWildcard = DocumentDiagnostic.Code(rawValue: "DS0123")
  /// White space at an end of a name.
  static let straySpace = DocumentDiagnostic.Code(rawValue: "DS0124")
  /// Two names differ only in case.
  static let differsInCase = DocumentDiagnostic.Code(rawValue: "DS0125")
  /// Rows expect both an array and an object in one place.
  static let arrayAndObject = DocumentDiagnostic.Code(rawValue: "DS0126")
  /// A row drops a value that would be dropped without it.
  static let redundantDrop = DocumentDiagnostic.Code(rawValue: "DS0127")

  /// A table cannot be undone.
  static let notInvertible = DocumentDiagnostic.Code(rawValue: "DS0128")
  /// Events to be undone were not made by the table.
  static let notRemapped = DocumentDiagnostic.Code(rawValue: "DS0129")
  /// Undone events may have been logged in their present form.
  static let ambiguousOrigin = DocumentDiagnostic.Code(rawValue: "DS0130")

  /// A `?` that is a literal character.
  static let literalQuestionMark = DocumentDiagnostic.Code(rawValue: "DS0230")
  /// A `match` without conditions.
  static let emptyMatch = DocumentDiagnostic.Code(rawValue: "DS0231")
  /// `attributes` without conditions.
  static let emptyAttributes = DocumentDiagnostic.Code(rawValue: "DS0232")
  /// A step of a schedule in the year 0000.
  static let yearZero = DocumentDiagnostic.Code(rawValue: "DS0233")
  /// A step of a schedule in the second 60 of a minute.
  static let leapSecond = DocumentDiagnostic.Code(rawValue: "DS0234")
  /// A text with an invisible character.
  static let invisibleCharacter = DocumentDiagnostic.Code(rawValue: "DS0235")

  /// The warnings that `allow` can silence: all warnings about documents.
  static let silenceable: Set<DocumentDiagnostic.Code> = [
    idleRow, sharedEventName, cancelledDrop, unmatchableNumber, manyToOne, mixedTypes, tableWithoutDefault,
    strangeDefault, cutFraction, dropsEverything, literalWildcard, straySpace, differsInCase, arrayAndObject,
    redundantDrop, repeatedEntry, ruleWithoutFlag, ruleNeverMatches, ruleNeverDecides, flagNeverDecides,
    partOfAPercent, otherSpelling, needlessAllowNeither, literalQuestionMark, emptyMatch, emptyAttributes, yearZero,
    leapSecond, invisibleCharacter,
    unseenEvents, unseenContext,
  ]
}
