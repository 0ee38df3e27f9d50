public import DualSendCore
public import Foundation

/// What a command touches outside: results go to one stream, everything about the run to the other, requests by a
/// transport.
///
/// Nothing that a document, an event, a server or a file name holds reaches a stream as it is: see ``PrintableText``.
public struct Console: Sendable {
  /// One stream of text.
  public struct Stream: Sendable {
    /// Whether a person reads it as it is written.
    public let isTerminal: Bool
    /// How many characters fit into a line of the terminal; `nil` without one, or where it does not say.
    public let columns: Int?
    /// Writes the text as it is: for data, and for text that is fit to be printed.
    public let write: @Sendable (String) -> Void

    /// A stream that writes by a function.
    public init(isTerminal: Bool, columns: Int? = nil, write: @escaping @Sendable (String) -> Void) {
      self.isTerminal = isTerminal
      self.columns = columns
      self.write = write
    }
  }

  /// Results: what a pipe or a file should get.
  public let results: Stream
  /// Diagnostics, progress and notes.
  public let diagnostics: Stream
  /// What a verb reads that is told to read `-`.
  public let input: FileHandle
  /// The environment that the command obeys.
  public let environment: [String: String]

  /// How it reaches a collector or a config server.
  public let transport: any HTTPTransport

  /// The form of diagnostics and notes.
  private var format = OutputFormat.text

  /// A console of one's own, as a test has.
  public init(
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
  public var forbidsColor: Bool { environment["NO_COLOR"]?.isEmpty == false }

  /// The process's own standard output and standard error.
  public static func standard(transport: any HTTPTransport) -> Console {
    Console(
      results: Stream(.standardOutput), diagnostics: Stream(.standardError),
      environment: ProcessInfo.processInfo.environment, transport: transport)
  }

  /// This console for a command whose diagnostics and notes have a form.
  public func writing(_ format: OutputFormat) -> Console {
    var console = self
    console.format = format
    return console
  }

  /// Writes a result and ends its line.
  public func result(_ text: String) {
    results.write(Self.ended(PrintableText.lines(text)))
  }

  /// Writes a result as one line of canonical JSON, in which whatever a terminal would obey is escaped.
  public func result(_ value: EventValue) {
    result(value.canonicalText)
  }

  /// Writes lines of data to where they are piped as they are, and fit to be read to a terminal.
  public func data(_ lines: String) {
    results.write(results.isTerminal ? PrintableText.lines(lines) : lines)
  }

  /// Writes a document in JSON. What a terminal would obey is escaped in the notation of JSON, so that the document means
  /// the same.
  public func document(_ json: String) {
    results.write(Self.ended(PrintableText.lines(json)))
  }

  /// Writes one line about the run; an object with the one key `note` where programs read it.
  public func note(_ text: String) {
    let line = text.hidingSecrets.printable(limit: 2 * PrintableText.lineLimit)
    switch format {
    case .json:
      let prefix = "note: "
      result(["note": .string(line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line)], on: diagnostics)
    case .text, .github: diagnostics.write(Self.ended(PrintableText.lines(line)))
    }
  }

  /// Writes something about the run that a person reads as a sentence and a program as an object.
  public func note(_ text: String, json: EventValue) {
    if format == .json { result(json, on: diagnostics) } else { note(text) }
  }

  /// Writes many lines that stand beside a result, such as the plan of a document that is printed.
  public func aside(_ lines: String, json: EventValue) {
    if format == .json {
      result(json, on: diagnostics)
    } else {
      diagnostics.write(Self.ended(PrintableText.lines(lines)))
    }
  }

  /// Writes many lines about the command line, such as how it is used.
  public func usage(_ text: String) {
    let lines = text.hidingSecrets.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.printable(limit: PrintableText.lineLimit)
    }
    diagnostics.write(Self.ended(PrintableText.lines(lines.joined(separator: "\n"))))
  }

  /// Writes findings, sorted, by default in the command's own form; nothing if there are none.
  public func report(_ findings: [DocumentDiagnostic], format: OutputFormat? = nil) {
    guard !findings.isEmpty else { return }
    diagnostics.write(Self.ended(DiagnosticRenderer(style(format ?? self.format)).render(findings)))
  }

  /// Writes why a command could not run, or not with all that it was given.
  public func report(_ error: CommandError) {
    if format == .text { diagnostics.write(Self.ended(error.description)) } else { report([error.finding]) }
  }

  private func result(_ value: EventValue, on stream: Stream) {
    stream.write(Self.ended(PrintableText.lines(value.canonicalText)))
  }

  private static func ended(_ text: String) -> String {
    text.hasSuffix("\n") ? text : text + "\n"
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
