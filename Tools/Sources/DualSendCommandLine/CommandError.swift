public import DualSendCore

/// Why a command could not run, where no document is at fault. Its texts are fit to be printed, whatever they quote.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One factual line.
  public let message: String
  /// The way out.
  public let help: String?

  /// Makes an error of texts that may quote anything.
  public init(_ message: String, help: String? = nil) {
    let finding = DocumentDiagnostic(.error, .couldNotRun, message, help: help)
    (self.message, self.help) = (finding.message, finding.help)
  }

  /// `error:` and the message, then the way out.
  public var description: String {
    "error: " + message + (help.map { "\n   = help: " + $0 } ?? "")
  }

  /// The error as programs and workflows read it.
  public var finding: DocumentDiagnostic {
    DocumentDiagnostic(.error, .couldNotRun, message, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// A command could not run, where no document is at fault.
  public static let couldNotRun = DocumentDiagnostic.Code(rawValue: "DS0400")
}
