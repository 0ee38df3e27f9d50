@_spi(Tools) package import DualSendCore
package import Foundation

/// What a command touches outside: results go to one stream, everything about the run to the other, requests by a
/// transport.
package struct Console: Sendable {
  /// One stream of text.
  package struct Stream: Sendable {
    /// Whether a person reads it as it is written.
    package let isTerminal: Bool
    /// How many characters fit into a line of the terminal; `nil` without one, or where it does not say.
    package let columns: Int?
    /// Writes the text as it is.
    package let write: @Sendable (String) -> Void

    package init(isTerminal: Bool, columns: Int? = nil, write: @escaping @Sendable (String) -> Void) {
      self.isTerminal = isTerminal
      self.columns = columns
      self.write = write
    }
  }

  /// Results: what a pipe or a file should get.
  package let results: Stream
  /// Diagnostics, progress and notes.
  package let diagnostics: Stream
  /// What a verb reads that is told to read `-`.
  package let input: FileHandle
  /// The environment that the command obeys.
  package let environment: [String: String]

  /// How it reaches a collector or a config server.
  package let transport: any HTTPTransport

  package init(
    results: Stream, diagnostics: Stream, input: FileHandle = .standardInput, environment: [String: String],
    transport: any HTTPTransport
  ) {
    self.results = results
    self.diagnostics = diagnostics
    self.input = input
    self.environment = environment
    self.transport = transport
  }

  /// Whether colour is unwanted even on a terminal (https://no-color.org).
  package var forbidsColor: Bool { environment["NO_COLOR"]?.isEmpty == false }

  /// The process's own standard output and standard error.
  package static func standard(transport: any HTTPTransport) -> Console {
    Console(
      results: Stream(.standardOutput), diagnostics: Stream(.standardError),
      environment: ProcessInfo.processInfo.environment, transport: transport)
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
  package func report(_ findings: [DocumentDiagnostic], format: OutputFormat = .text) {
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
    let descriptor = handle.fileDescriptor
    self.init(isTerminal: isatty(descriptor) == 1, columns: Self.columns(of: descriptor)) { text in
      try? handle.write(contentsOf: Data(text.utf8))
    }
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
