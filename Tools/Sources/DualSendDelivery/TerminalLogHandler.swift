import DualSendCommandLine
import DualSendCore
import Logging

/// Writes log entries to standard error, one per line; as canonical JSON if the diagnostics are JSON.
struct TerminalLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let terminal: Terminal
  private let format: OutputFormat

  init(_ terminal: Terminal, _ format: OutputFormat) {
    self.terminal = terminal
    self.format = format
  }

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let text = "\(event.message)".printable(limit: PrintableText.lineLimit)
    if format == .json {
      let entry: EventValue = ["level": .string("\(event.level)"), "log": .string(text)]
      terminal.note(entry.canonicalText)
    } else {
      terminal.note("\(event.level): \(text)")
    }
  }
}
