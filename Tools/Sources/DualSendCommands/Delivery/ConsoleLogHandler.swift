import DualSendCommandLine
import DualSendCore
import Logging

/// Writes a log to the console's diagnostics: a line an entry, canonical JSON where the diagnostics are JSON.
struct ConsoleLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let console: Console
  private let format: OutputFormat

  init(_ console: Console, _ format: OutputFormat) {
    self.console = console
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
      console.note(entry.canonicalText)
    } else {
      console.note("\(event.level): \(text)")
    }
  }
}
