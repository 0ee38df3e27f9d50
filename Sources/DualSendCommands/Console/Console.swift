package import EventModel
import Foundation

/// Where a command's words go: results to one stream, everything about the run to the other.
package struct Console: Sendable {
  /// One stream of text.
  package struct Stream: Sendable {
    /// Whether a person reads it as it is written.
    package let isTerminal: Bool
    /// Writes the text as it is.
    package let write: @Sendable (String) -> Void

    package init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
      self.isTerminal = isTerminal
      self.write = write
    }
  }

  /// Results: what a pipe or a file should get.
  package let results: Stream
  /// Diagnostics, progress and notes.
  package let diagnostics: Stream
  /// Whether colour is unwanted even on a terminal (https://no-color.org).
  package let forbidsColor: Bool

  package init(results: Stream, diagnostics: Stream, environment: [String: String]) {
    self.results = results
    self.diagnostics = diagnostics
    forbidsColor = environment["NO_COLOR"]?.isEmpty == false
  }

  /// The process's own standard output and standard error.
  package static func standard() -> Console {
    Console(
      results: Stream(.standardOutput), diagnostics: Stream(.standardError),
      environment: ProcessInfo.processInfo.environment)
  }

  /// Writes a result and ends its line.
  package func result(_ text: String) {
    results.write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a result as one line of canonical JSON.
  package func result(_ value: EventValue) {
    result(value.canonicalText)
  }

  /// Writes something about the run and ends its line.
  package func note(_ text: String) {
    diagnostics.write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes findings, sorted; nothing if there are none.
  package func report(_ findings: [Diagnostic], format: OutputFormat = .text) {
    guard !findings.isEmpty else { return }
    note(DiagnosticRenderer(style(format)).render(findings))
  }

  private func style(_ format: OutputFormat) -> DiagnosticRenderer.Style {
    switch format {
    case .text: .text(isColored: diagnostics.isTerminal && !forbidsColor)
    case .json: .json
    case .github: .github
    }
  }
}

extension Console.Stream {
  fileprivate init(_ handle: FileHandle) {
    // A reader that went away, as with `| head`, ends the process by SIGPIPE before this can fail.
    self.init(isTerminal: isatty(handle.fileDescriptor) == 1) { text in
      try? handle.write(contentsOf: Data(text.utf8))
    }
  }
}
