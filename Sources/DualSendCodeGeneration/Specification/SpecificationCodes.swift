import DualSendCore

extension DocumentDiagnostic.Code {
  /// A Markdown file that is not UTF-8, too long, or holds control characters.
  static let unreadableMarkdown = DocumentDiagnostic.Code(rawValue: "DS0301")
  /// A Markdown file without its one heading of the first level.
  static let invalidHeading = DocumentDiagnostic.Code(rawValue: "DS0302")
  /// A section that a Markdown file does not have, or has twice.
  static let invalidSection = DocumentDiagnostic.Code(rawValue: "DS0303")
  /// A line among the parameters that describes none.
  static let invalidParameterLine = DocumentDiagnostic.Code(rawValue: "DS0304")
  /// A type, or a word beside it, that specifications do not know.
  static let unknownParameterWord = DocumentDiagnostic.Code(rawValue: "DS0305")
  /// A name of an event or a key that is empty or too long.
  static let invalidName = DocumentDiagnostic.Code(rawValue: "DS0306")
  /// Two events of one name.
  static let repeatedEvent = DocumentDiagnostic.Code(rawValue: "DS0307")
  /// Two parameters of one key.
  static let repeatedParameter = DocumentDiagnostic.Code(rawValue: "DS0308")
  /// Closed values that are none, repeat themselves or do not fit the type.
  static let unfitClosedValues = DocumentDiagnostic.Code(rawValue: "DS0309")
  /// Two names that become one Swift identifier.
  static let sameIdentifier = DocumentDiagnostic.Code(rawValue: "DS0310")
  /// A Swift name that is no identifier, or one that generated code needs itself.
  static let invalidSwiftName = DocumentDiagnostic.Code(rawValue: "DS0311")
  /// A parameter that no row of the remapping table takes.
  static let missingRow = DocumentDiagnostic.Code(rawValue: "DS0312")
  /// A specification without any event.
  static let noEvents = DocumentDiagnostic.Code(rawValue: "DS0313")
  /// What examples leave open in a specification that is drafted from them.
  static let undecidedDraft = DocumentDiagnostic.Code(rawValue: "DS0315")
}
