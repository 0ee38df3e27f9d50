/// Why a command could not run, where no document is at fault.
package struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One factual line.
  package let message: String
  /// The way out.
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  package var description: String {
    "error: " + message + (help.map { "\n   = help: " + $0 } ?? "")
  }
}
