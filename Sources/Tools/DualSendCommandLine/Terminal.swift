package import DualSendCore
package import Foundation

/// A command's access to the outside: standard output for results, standard error for messages, standard input, the
/// environment and HTTP.
///
/// Text from documents, events, servers and file names is escaped before it is written: see ``PrintableText``.
package struct Terminal: Sendable {
  /// A stream of text.
  package struct Stream: Sendable {
    /// Whether the stream is a terminal.
    package let isTerminal: Bool
    /// The width of the terminal in characters; `nil` without a terminal, or if unknown.
    package let columns: Int?
    /// Writes text without escaping it.
    package let write: @Sendable (String) -> Void
    /// Writes bytes without changing them.
    let writeBytes: @Sendable ([UInt8]) throws -> Void
    /// Why a text could not be written, the first time; a verb that writes text does not stop for it.
    let failure: @Sendable () -> String?

    /// Creates a stream with closures. Bytes are written as text unless `writeBytes` writes them.
    package init(
      isTerminal: Bool, columns: Int? = nil, writeBytes: (@Sendable ([UInt8]) throws -> Void)? = nil,
      failure: @escaping @Sendable () -> String? = { nil }, write: @escaping @Sendable (String) -> Void
    ) {
      self.isTerminal = isTerminal
      self.columns = columns
      self.write = write
      self.failure = failure
      self.writeBytes = writeBytes ?? { write(String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// The stream for results.
  package let results: Stream
  /// The stream for diagnostics, progress and notes.
  package let diagnostics: Stream
  /// The input of a verb whose argument is `-`.
  package let input: FileHandle
  /// The environment variables.
  package let environment: [String: String]

  /// The transport for HTTP requests.
  package let transport: any HTTPTransport

  /// The format of diagnostics and notes.
  private var format = OutputFormat.text

  /// Creates a terminal from its parts, for tests.
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

  /// Whether `NO_COLOR` disables colour (https://no-color.org).
  package var forbidsColor: Bool { environment["NO_COLOR"]?.isEmpty == false }

  /// The process's own standard output and standard error.
  package static func standard(transport: any HTTPTransport) -> Terminal {
    Terminal(
      results: Stream(.standardOutput), diagnostics: Stream(.standardError),
      environment: ProcessInfo.processInfo.environment, transport: transport)
  }

  /// This terminal with another format of diagnostics and notes.
  package func writing(_ format: OutputFormat) -> Terminal {
    var terminal = self
    terminal.format = format
    return terminal
  }

  /// Asks once, and reads a line of standard input. Every answer but `y` and `yes` is no.
  ///
  /// - Throws: ``CommandError`` that names `--yes` if standard input ends before an answer, as in a pipeline.
  package func confirms(_ question: String) throws -> Bool {
    diagnostics.write(question + " [y/N] ")
    var answer: [UInt8] = []
    while answer.count < 1000 {
      guard let byte = try InputFile.opened("the answer", { try input.read(upToCount: 1)?.first }) else {
        if !answer.isEmpty { break }
        diagnostics.write("\n")
        throw CommandError(
          "there is no answer on standard input; nothing is changed", help: "pass --yes to go on without a question")
      }
      if byte == UInt8(ascii: "\n") { break }
      answer.append(byte)
    }
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }

  /// Writes a result with a line feed.
  package func result(_ text: String) {
    results.write(Self.ended(PrintableText.lines(text)))
  }

  /// Writes a result as one line of canonical JSON, with control characters escaped.
  package func result(_ value: EventValue) {
    result(value.canonicalText)
  }

  /// Writes lines of data: unchanged to a pipe, escaped to a terminal.
  package func data(_ lines: String) {
    results.write(results.isTerminal ? PrintableText.lines(lines) : lines)
  }

  /// Writes lines of data: unchanged to a pipe, even if they are not UTF-8, and escaped to a terminal.
  ///
  /// - Throws: ``CommandError`` if the bytes cannot be written.
  package func data(_ lines: [UInt8]) throws {
    if results.isTerminal { return data(String(decoding: lines, as: UTF8.self)) }
    do { try results.writeBytes(lines) } catch {
      throw CommandError("cannot write the results: \(error.localizedDescription)")
    }
  }

  /// Writes a JSON document. Control characters are escaped as in JSON, so that the document keeps its meaning.
  package func document(_ json: String) {
    results.write(Self.ended(PrintableText.lines(json)))
  }

  /// Writes one line about the run; as an object with the key `note` if the format is JSON.
  package func note(_ text: String) {
    let line = text.hidingSecrets.printable(limit: 2 * PrintableText.lineLimit)
    switch format {
    case .json:
      let prefix = "note: "
      result(["note": .string(line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line)], on: diagnostics)
    case .text, .github: diagnostics.write(Self.ended(PrintableText.lines(line)))
    }
  }

  /// Writes a message about the run: the text, or the object if the format is JSON.
  package func note(_ text: String, json: EventValue) {
    if format == .json { result(json, on: diagnostics) } else { note(text) }
  }

  /// Writes several lines about a result, such as the plan of a printed document.
  package func aside(_ lines: String, json: EventValue) {
    if format == .json {
      result(json, on: diagnostics)
    } else {
      diagnostics.write(Self.ended(PrintableText.lines(lines)))
    }
  }

  /// Writes several lines about the command line, such as its usage.
  package func usage(_ text: String) {
    let lines = text.hidingSecrets.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.printable(limit: PrintableText.lineLimit)
    }
    diagnostics.write(Self.ended(PrintableText.lines(lines.joined(separator: "\n"))))
  }

  /// Writes findings, sorted, by default in the command's format; nothing if there are none.
  package func report(_ findings: [DocumentDiagnostic], format: OutputFormat? = nil) {
    guard !findings.isEmpty else { return }
    diagnostics.write(Self.ended(DiagnosticRenderer(style(format ?? self.format)).render(findings)))
  }

  /// Writes the reason why a command could not run, or not with all its input.
  package func report(_ error: CommandError) {
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

extension Terminal.Stream {
  fileprivate init(_ handle: FileHandle) {
    // If the reader exits, as with `| head`, SIGPIPE ends the process before this can fail.
    let descriptor = handle.fileDescriptor
    let failure = Locked<String?>(nil)
    self.init(
      isTerminal: isatty(descriptor) == 1, columns: Self.columns(of: descriptor),
      writeBytes: { try handle.write(contentsOf: $0) }, failure: { failure.current },
      write: { text in
        guard failure.current == nil else { return }
        do { try handle.write(contentsOf: Data(text.utf8)) } catch {
          failure.withLock { $0 = error.localizedDescription }
        }
      })
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

// MARK: - Diagnostic renderer

/// Renders findings as text or JSON.
package struct DiagnosticRenderer: Sendable {
  /// The output style.
  package enum Style: Sendable, Hashable {
    /// Text, optionally coloured with ANSI escapes.
    case text(isColored: Bool)
    /// A JSON array.
    case json
    /// GitHub workflow annotations, one per line.
    case github
  }

  private let style: Style

  /// Creates a renderer with a style.
  package init(_ style: Style) {
    self.style = style
  }

  /// Renders findings sorted by place; empty if there are none.
  package func render(_ diagnostics: [DocumentDiagnostic]) -> String {
    let sorted = diagnostics.sorted()
    switch style {
    case .text(let isColored):
      return Self.kinds(of: sorted).map { kind in
        text(kind[0], isColored: isColored) + Self.others(Array(kind.dropFirst()))
      }.joined(separator: "\n\n")
    case .json: return PrintableText.lines(Self.value(diagnostics).canonicalText)
    case .github: return sorted.map(annotation).joined(separator: "\n")
    }
  }

  /// The sorted findings as a JSON array, for commands that return them as a result.
  package static func value(_ diagnostics: [DocumentDiagnostic]) -> EventValue {
    .array(diagnostics.sorted().map(json))
  }

  /// The most findings of one kind that are written in full.
  private static let maximumInFull = 3

  private struct Kind: Hashable {
    let severity: DocumentDiagnostic.Severity
    let code: DocumentDiagnostic.Code
    let help: String?
  }

  /// The findings of the kinds with many findings together, at the place of the first; every other finding alone.
  private static func kinds(of sorted: [DocumentDiagnostic]) -> [[DocumentDiagnostic]] {
    var members: [Kind: [DocumentDiagnostic]] = [:]
    func kind(_ one: DocumentDiagnostic) -> Kind { Kind(severity: one.severity, code: one.code, help: one.help) }
    for one in sorted { members[kind(one), default: []].append(one) }
    return sorted.compactMap { one in
      // Written with the first of its kind.
      guard let many = members[kind(one)] else { return nil }
      guard many.count > maximumInFull else { return [one] }
      members[kind(one)] = nil
      return many
    }
  }

  /// One line for each further finding of a kind: its place, its message and its notes.
  private static func others(_ others: [DocumentDiagnostic]) -> String {
    guard !others.isEmpty else { return "" }
    let lines = others.map { one in
      let place = [one.printableFile, one.position.map { "\($0.line):\($0.column)" }].compactMap { $0 }
      let parts = [place.joined(separator: ":"), one.printablePath ?? ""].filter { !$0.isEmpty }
      let text = ([one.message] + one.notes).joined(separator: "; ")
      return "     " + (parts + [text]).joined(separator: "  ").printable(limit: PrintableText.lineLimit)
    }
    return PrintableText.lines("\n   = and \(others.count) more:\n" + lines.joined(separator: "\n"))
  }

  private func text(_ diagnostic: DocumentDiagnostic, isColored: Bool) -> String {
    let text = PrintableText.lines(diagnostic.description)
    guard isColored else { return text }
    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]"
    let color = diagnostic.severity == .error ? "\u{1B}[1;31m" : "\u{1B}[1;33m"
    return color + head + "\u{1B}[0m" + text.dropFirst(head.count)
  }

  private static func json(_ diagnostic: DocumentDiagnostic) -> EventValue {
    var members: [String: EventValue] = [
      "severity": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code.rawValue),
      "message": .string(diagnostic.message),
    ]
    if let file = diagnostic.printableFile { members["file"] = .string(file) }
    if let position = diagnostic.position {
      members["line"] = .int(Int64(position.line))
      members["column"] = .int(Int64(position.column))
    }
    if let path = diagnostic.printablePath { members["path"] = .string(path) }
    if !diagnostic.notes.isEmpty { members["notes"] = .array(diagnostic.notes.map { .string($0) }) }
    if let help = diagnostic.help { members["help"] = .string(help) }
    return .object(members)
  }

  /// `::error file=…,line=…,col=…,title=…::message` (GitHub Docs, "Workflow commands for GitHub Actions").
  private func annotation(_ diagnostic: DocumentDiagnostic) -> String {
    var properties: [String] = []
    if let file = diagnostic.printableFile { properties.append("file=" + escapedProperty(file)) }
    if let position = diagnostic.position { properties.append("line=\(position.line),col=\(position.column)") }
    properties.append("title=" + escapedProperty(diagnostic.code.rawValue))
    let notes = diagnostic.notes.map { "note: " + $0 } + (diagnostic.help.map { ["help: " + $0] } ?? [])
    let message = ([diagnostic.message] + notes).joined(separator: "\n")
    return "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::\(escaped(message))"
  }

  private func escaped(_ text: String) -> String {
    PrintableText.lines(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private func escapedProperty(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

// MARK: - Progress line

/// A progress line on the diagnostics stream, overwritten in place. Shown only on a terminal.
package struct ProgressLine: Sendable {
  private static let interval = Duration.milliseconds(100)
  private static let clearLine = "\r\u{1B}[K"

  private let stream: Terminal.Stream
  private let uptime: @Sendable () -> Duration
  private var lastShown: Duration?

  /// A line on a console's side for diagnostics.
  package init(_ terminal: Terminal, timeSource: TimeSource = .system) {
    stream = terminal.diagnostics
    uptime = timeSource.uptime
  }

  /// Shows the text, at most ten times a second; otherwise does not evaluate it.
  package mutating func show(_ text: @autoclosure () -> String) {
    guard stream.isTerminal else { return }
    let now = uptime()
    if let lastShown, now - lastShown < Self.interval { return }
    lastShown = now
    let line = text().printable(limit: PrintableText.lineLimit)
    // A line that wraps could not be overwritten.
    stream.write(Self.clearLine + (stream.columns.map { String(line.prefix($0 - 1)) } ?? line))
  }

  /// Clears the line for the next output.
  package mutating func clear() {
    guard lastShown != nil else { return }
    lastShown = nil
    stream.write(Self.clearLine)
  }
}
