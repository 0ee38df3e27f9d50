import DualSendCore
import DualSendRewriting

extension LoggerDecision {
  /// This decision as a finding.
  var finding: DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .decidingLogger,
      "`\(type.isEmpty ? "" : type + ".")logEvents` leaves events out by itself (`\(condition)`): the tracker does not ask",
      file: file, position: DocumentDiagnostic.Position(line: line, column: 1),
      help: "ask in front of both loggers, or tell the tracker the consent")
  }
}

extension DocumentDiagnostic {
  /// A logger that cannot be replaced, because its variable has its concrete type.
  static func typedLogger(_ type: String, _ file: String, _ line: Int) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .typedLogger, "a variable of the type `\(type)` holds the logger: it was left as it is", file: file,
      position: Position(line: line, column: 1), help: "declare the variable as of the protocol's type, or of none")
  }
}

extension DocumentDiagnostic.Code {
  /// A variable is declared with the old logger's concrete type.
  static let typedLogger = DocumentDiagnostic.Code(rawValue: "DS1304")
  /// The old logger drops events itself.
  static let decidingLogger = DocumentDiagnostic.Code(rawValue: "DS1303")
}
