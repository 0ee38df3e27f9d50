import DualSendCore

extension DocumentDiagnostic.Code {
  /// A Markdown file that is not UTF-8, is too long, or contains control characters.
  static let unreadableMarkdown = DocumentDiagnostic.Code(rawValue: "DS0301")
  /// A Markdown file without exactly one first-level heading.
  static let invalidHeading = DocumentDiagnostic.Code(rawValue: "DS0302")
  /// An unknown or repeated section in a Markdown file.
  static let invalidSection = DocumentDiagnostic.Code(rawValue: "DS0303")
  /// A line in the parameter list that is not a parameter.
  static let invalidParameterLine = DocumentDiagnostic.Code(rawValue: "DS0304")
  /// An unknown type or option of a parameter.
  static let unknownParameterWord = DocumentDiagnostic.Code(rawValue: "DS0305")
  /// The name of an event or a key is empty or too long.
  static let invalidName = DocumentDiagnostic.Code(rawValue: "DS0306")
  /// Two events with the same name.
  static let repeatedEvent = DocumentDiagnostic.Code(rawValue: "DS0307")
  /// Two parameters with the same key.
  static let repeatedParameter = DocumentDiagnostic.Code(rawValue: "DS0308")
  /// Invalid closed values: empty, repeated, or of another type.
  static let unfitClosedValues = DocumentDiagnostic.Code(rawValue: "DS0309")
  /// Two names that give the same Swift identifier.
  static let sameIdentifier = DocumentDiagnostic.Code(rawValue: "DS0310")
  /// A Swift name that is not an identifier, or is reserved for generated code.
  static let invalidSwiftName = DocumentDiagnostic.Code(rawValue: "DS0311")
  /// A parameter without a row in the remapping table.
  static let missingRow = DocumentDiagnostic.Code(rawValue: "DS0312")
  /// A specification without any event.
  static let noEvents = DocumentDiagnostic.Code(rawValue: "DS0313")
  /// A decision that the examples of a drafted specification leave open.
  static let undecidedDraft = DocumentDiagnostic.Code(rawValue: "DS0315")
}
