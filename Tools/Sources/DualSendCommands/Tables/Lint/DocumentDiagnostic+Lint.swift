import DualSendCore
import DualSendRemapping
import DualSendRollout

extension DocumentDiagnostic.Code {
  /// `allow` names a code that no warning has.
  static let unknownAllowance = DocumentDiagnostic.Code(rawValue: "DS0009")

  /// Two events of a table get one name.
  static let sharedEventName = DocumentDiagnostic.Code(rawValue: "DS0114")
  /// An event's own row takes along what `*` drops.
  static let cancelledDrop = DocumentDiagnostic.Code(rawValue: "DS0115")
  /// A number in a value table is written in a way in which no number is looked up.
  static let unmatchableNumber = DocumentDiagnostic.Code(rawValue: "DS0116")
  /// Different values become the same.
  static let manyToOne = DocumentDiagnostic.Code(rawValue: "DS0117")
  /// A value table gives values of different types.
  static let mixedTypes = DocumentDiagnostic.Code(rawValue: "DS0118")
  /// A value table says nothing about values that it does not name.
  static let tableWithoutDefault = DocumentDiagnostic.Code(rawValue: "DS0119")
  /// A default is of another type than the values beside it.
  static let strangeDefault = DocumentDiagnostic.Code(rawValue: "DS0120")
  /// A row makes an integer of what the table takes for a double elsewhere.
  static let cutFraction = DocumentDiagnostic.Code(rawValue: "DS0121")
  /// Nothing of an event is left.
  static let dropsEverything = DocumentDiagnostic.Code(rawValue: "DS0122")
  /// A `*` that stands for itself.
  static let literalWildcard = DocumentDiagnostic.Code(rawValue: "DS0123")
  /// White space at an end of a name.
  static let straySpace = DocumentDiagnostic.Code(rawValue: "DS0124")
  /// Two names differ in nothing but upper and lower case.
  static let differsInCase = DocumentDiagnostic.Code(rawValue: "DS0125")
  /// Rows take one container for an array and for an object.
  static let arrayAndObject = DocumentDiagnostic.Code(rawValue: "DS0126")
  /// A row drops what is dropped anyway.
  static let redundantDrop = DocumentDiagnostic.Code(rawValue: "DS0127")

  /// A table was to be undone, and cannot be.
  static let notInvertible = DocumentDiagnostic.Code(rawValue: "DS0128")
  /// Lines were to be turned back that the table does not write.
  static let notRemapped = DocumentDiagnostic.Code(rawValue: "DS0129")
  /// Events were turned back that may have been logged as they are.
  static let ambiguousOrigin = DocumentDiagnostic.Code(rawValue: "DS0130")

  /// A `?` that stands for itself.
  static let literalQuestionMark = DocumentDiagnostic.Code(rawValue: "DS0230")
  /// A `match` that asks nothing.
  static let emptyMatch = DocumentDiagnostic.Code(rawValue: "DS0231")
  /// `attributes` that ask nothing.
  static let emptyAttributes = DocumentDiagnostic.Code(rawValue: "DS0232")
  /// A step of a schedule in the year 0000.
  static let yearZero = DocumentDiagnostic.Code(rawValue: "DS0233")
  /// A step of a schedule in the second 60 of a minute.
  static let leapSecond = DocumentDiagnostic.Code(rawValue: "DS0234")

  /// What `allow` can silence: every warning about a document that people edit.
  static let silenceable: Set<DocumentDiagnostic.Code> = [
    idleRow, sharedEventName, cancelledDrop, unmatchableNumber, manyToOne, mixedTypes, tableWithoutDefault,
    strangeDefault, cutFraction, dropsEverything, literalWildcard, straySpace, differsInCase, arrayAndObject,
    redundantDrop, repeatedEntry, ruleWithoutFlag, ruleNeverMatches, ruleNeverDecides, flagNeverDecides,
    needlessAllowNeither, literalQuestionMark, emptyMatch, emptyAttributes, yearZero, leapSecond,
    unseenEvents, unseenContext,
  ]
}
