import EventModel

extension Diagnostic.Code {
  /// A path that cannot be read.
  static let invalidPath = Diagnostic.Code(rawValue: "DS0101")
  /// Two rows of one event name the same source.
  static let repeatedSource = Diagnostic.Code(rawValue: "DS0102")
  /// Two rows of one event write the same target.
  static let repeatedTarget = Diagnostic.Code(rawValue: "DS0103")
  /// One source contains another.
  static let nestedSources = Diagnostic.Code(rawValue: "DS0104")
  /// One target contains another, or needs an array where another needs an object.
  static let nestedTargets = Diagnostic.Code(rawValue: "DS0105")
  /// A type that conversions do not know.
  static let unknownType = Diagnostic.Code(rawValue: "DS0106")
  /// A value table that is empty, holds containers, or does not fit the row's type.
  static let unfitValueTable = Diagnostic.Code(rawValue: "DS0107")
  /// Source and target do not walk over the same number of arrays.
  static let unevenArrays = Diagnostic.Code(rawValue: "DS0108")
  /// A word that `unmapped` or `onClash` does not know.
  static let unknownWord = Diagnostic.Code(rawValue: "DS0109")
  /// An event name that can match nothing, or a new name where none can be.
  static let invalidEventName = Diagnostic.Code(rawValue: "DS0110")
  /// A default that does not fit the row's type.
  static let unfitDefault = Diagnostic.Code(rawValue: "DS0111")
  /// A row that changes nothing.
  static let idleRow = Diagnostic.Code(rawValue: "DS0112")
}
