public import DualSendCore

extension DocumentDiagnostic.Code {
  /// A number in a health payload may have two meanings, and nothing tells which is meant.
  public static let ambiguousNumber = DocumentDiagnostic.Code(rawValue: "DS0901")
  /// A text in a health payload that is no quantity.
  public static let unreadableQuantity = DocumentDiagnostic.Code(rawValue: "DS0902")
  /// A unit in a health payload that is known in no language.
  public static let unknownUnit = DocumentDiagnostic.Code(rawValue: "DS0903")
  /// A health payload is nested deeper than is read.
  public static let emptiedContainers = DocumentDiagnostic.Code(rawValue: "DS0904")
}
