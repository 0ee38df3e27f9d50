public import DualSendCore

/// Why a command could not run, other than an invalid document. The texts are escaped for printing.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One factual line.
  public let message: String
  /// How to fix it.
  public let help: String?

  /// Creates an error, and escapes the texts.
  public init(_ message: String, help: String? = nil) {
    let finding = DocumentDiagnostic(.error, .couldNotRun, message, help: help)
    (self.message, self.help) = (finding.message, finding.help)
  }

  /// `error:` and the message, then the help.
  public var description: String {
    "error: " + message + (help.map { "\n   = help: " + $0 } ?? "")
  }

  /// The error as a diagnostic, for JSON and workflows.
  public var finding: DocumentDiagnostic {
    DocumentDiagnostic(.error, .couldNotRun, message, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// A command could not run, other than for an invalid document.
  public static let couldNotRun = DocumentDiagnostic.Code(rawValue: "DS0400")
}
