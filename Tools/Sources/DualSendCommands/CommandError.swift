@_spi(Tools) import DualSendCore

/// Why a command could not run, where no document is at fault. Its texts are fit to be printed, whatever they quote.
package struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One factual line.
  package let message: String
  /// The way out.
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    let finding = DocumentDiagnostic(.error, .couldNotRun, message, help: help)
    (self.message, self.help) = (finding.message, finding.help)
  }

  package var description: String {
    "error: " + message + (help.map { "\n   = help: " + $0 } ?? "")
  }

  /// The error as programs and workflows read it.
  var finding: DocumentDiagnostic {
    DocumentDiagnostic(.error, .couldNotRun, message, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// A command could not run, where no document is at fault.
  static let couldNotRun = DocumentDiagnostic.Code(rawValue: "DS0400")
}
