public import DualSendCore

extension DocumentDiagnostic.Code {
  /// A path that cannot be read.
  static let invalidPath = DocumentDiagnostic.Code(rawValue: "DS0101")
  /// Two rows of one event name the same source.
  static let repeatedSource = DocumentDiagnostic.Code(rawValue: "DS0102")
  /// Two rows of one event write the same target.
  static let repeatedTarget = DocumentDiagnostic.Code(rawValue: "DS0103")
  /// One source contains another.
  static let nestedSources = DocumentDiagnostic.Code(rawValue: "DS0104")
  /// One target contains another, or needs an array where another needs an object.
  static let nestedTargets = DocumentDiagnostic.Code(rawValue: "DS0105")
  /// A type that conversions do not know.
  static let unknownType = DocumentDiagnostic.Code(rawValue: "DS0106")
  /// A value table that is empty, holds containers, or does not fit the row's type.
  static let unfitValueTable = DocumentDiagnostic.Code(rawValue: "DS0107")
  /// Source and target do not walk over the same number of arrays.
  static let unevenArrays = DocumentDiagnostic.Code(rawValue: "DS0108")
  /// A word that `unmapped` or `onClash` does not know.
  static let unknownWord = DocumentDiagnostic.Code(rawValue: "DS0109")
  /// An event name that can match nothing, or a new name where none can be.
  static let invalidEventName = DocumentDiagnostic.Code(rawValue: "DS0110")
  /// A default that does not fit the row's type.
  static let unfitDefault = DocumentDiagnostic.Code(rawValue: "DS0111")
  /// Two targets of one event are equal to Unicode, and their bytes are not.
  static let equivalentTargets = DocumentDiagnostic.Code(rawValue: "DS0113")
}

extension DocumentDiagnostic.Code {
  /// A row that changes nothing.
  public static let idleRow = DocumentDiagnostic.Code(rawValue: "DS0112")
}
