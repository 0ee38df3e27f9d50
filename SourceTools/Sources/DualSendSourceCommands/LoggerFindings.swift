import DualSendCore
import DualSendRewriting

extension LoggerDecision {
  /// The decision as a finding.
  var finding: DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .decidingLogger,
      "`\(type.isEmpty ? "" : type + ".")logEvents` leaves events out by itself (`\(condition)`): the tracker does not ask",
      file: file, position: DocumentDiagnostic.Position(line: line, column: 1),
      help: "ask in front of both loggers, or tell the tracker the consent")
  }
}

extension DocumentDiagnostic {
  /// A logger that nothing else can take the place of.
  static func typedLogger(_ type: String, _ file: String, _ line: Int) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .typedLogger, "a variable of the type `\(type)` holds the logger: it was left as it is", file: file,
      position: Position(line: line, column: 1), help: "declare the variable as of the protocol's type, or of none")
  }
}

extension DocumentDiagnostic.Code {
  /// A variable is declared as of the old logger's type.
  static let typedLogger = DocumentDiagnostic.Code(rawValue: "DS1304")
  /// The old logger decides which events it logs.
  static let decidingLogger = DocumentDiagnostic.Code(rawValue: "DS1303")
}
