public import DualSendCore
public import Foundation

/// The input and output of a command: a stream for results, a stream for diagnostics, and a transport for requests.
///
/// Text from documents, events, servers and file names is escaped before it is written: see ``PrintableText``.
public struct Console: Sendable {
  /// One stream of text.
  public struct Stream: Sendable {
    /// Whether it is a terminal.
    public let isTerminal: Bool
    /// The width of the terminal; `nil` if unknown.
    public let columns: Int?
    /// Writes text without escaping it.
    public let write: @Sendable (String) -> Void

    /// Creates a stream with a closure.
    public init(isTerminal: Bool, columns: Int? = nil, write: @escaping @Sendable (String) -> Void) {
      self.isTerminal = isTerminal
      self.columns = columns
      self.write = write
    }
  }

  /// The stream for results.
  public let results: Stream
  /// The stream for diagnostics, progress and notes.
  public let diagnostics: Stream
  /// The input for `-`.
  public let input: FileHandle
  /// The environment variables.
  public let environment: [String: String]

  /// The transport to collectors and config servers.
  public let transport: any HTTPTransport

  /// The form of diagnostics and notes.
  private var format = OutputFormat.text

  /// Creates a console, for tests.
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

  /// Whether colour is disabled (https://no-color.org).
  public var forbidsColor: Bool { environment["NO_COLOR"]?.isEmpty == false }

  /// The console of the process.
  public static func standard(transport: any HTTPTransport) -> Console {
    Console(
      results: Stream(.standardOutput), diagnostics: Stream(.standardError),
      environment: ProcessInfo.processInfo.environment, transport: transport)
  }

  /// The console with a format for diagnostics and notes.
  public func writing(_ format: OutputFormat) -> Console {
    var console = self
    console.format = format
    return console
  }

  /// Writes a result with a line feed.
  public func result(_ text: String) {
    results.write(Self.ended(PrintableText.lines(text)))
  }

  /// Writes a result as one line of canonical JSON, escaped for a terminal.
  public func result(_ value: EventValue) {
    result(value.canonicalText)
  }

  /// Writes lines of data. Escapes them only on a terminal.
  public func data(_ lines: String) {
    results.write(results.isTerminal ? PrintableText.lines(lines) : lines)
  }

  /// Writes a JSON document. Escapes control characters in the notation of JSON, which does not change its meaning.
  public func document(_ json: String) {
    results.write(Self.ended(PrintableText.lines(json)))
  }

  /// Writes a note of one line; in JSON format an object with the key `note`.
  public func note(_ text: String) {
    let line = text.hidingSecrets.printable(limit: 2 * PrintableText.lineLimit)
    switch format {
    case .json:
      let prefix = "note: "
      result(["note": .string(line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line)], on: diagnostics)
    case .text, .github: diagnostics.write(Self.ended(PrintableText.lines(line)))
    }
  }

  /// Writes a note that has its own JSON form.
  public func note(_ text: String, json: EventValue) {
    if format == .json { result(json, on: diagnostics) } else { note(text) }
  }

  /// Writes several lines that accompany a result, such as the plan of a document.
  public func aside(_ lines: String, json: EventValue) {
    if format == .json {
      result(json, on: diagnostics)
    } else {
      diagnostics.write(Self.ended(PrintableText.lines(lines)))
    }
  }

  /// Writes usage information.
  public func usage(_ text: String) {
    let lines = text.hidingSecrets.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.printable(limit: PrintableText.lineLimit)
    }
    diagnostics.write(Self.ended(PrintableText.lines(lines.joined(separator: "\n"))))
  }

  /// Writes sorted findings, by default in the command's format. Writes nothing if there are none.
  public func report(_ findings: [DocumentDiagnostic], format: OutputFormat? = nil) {
    guard !findings.isEmpty else { return }
    diagnostics.write(Self.ended(DiagnosticRenderer(style(format ?? self.format)).render(findings)))
  }

  /// Writes an error.
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
    // If the reader closes the pipe, as with `| head`, SIGPIPE ends the process before this fails.
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
