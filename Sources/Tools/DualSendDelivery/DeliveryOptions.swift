import ArgumentParser
import DualSend
package import DualSendCollector
package import DualSendCommandLine
import DualSendCore
package import DualSendTracking
import DualSendWireFormats
package import Foundation
package import Logging

/// How `dualsend replay` delivers.
package struct DeliveryOptions: ParsableArguments {
  package static let standardDigest = TrackerConfiguration.Digest(
    start: .count(500).or(.interval(.milliseconds(200))))

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of every request, such as `Authorization: Bearer …`; @FILE has one on each line. May be repeated.",
      valueName: "name: value|@file"),
    transform: { try HeaderField.fields(of: $0) })
  var header: [[HeaderField]] = []
  @Option(
    help: ArgumentHelp(
      "The collector's write key or API key; with otlp the service's name, with cloudevents the source.",
      valueName: "text"))
  var apiKey = "dualsend"
  @Option(help: ArgumentHelp("The most events in one request.", valueName: "number"))
  var batchEvents = DeliveryOptions.standardDigest.batchEvents
  @Option(help: ArgumentHelp("The most bytes in one request, before compression.", valueName: "number"))
  var batchBytes = DeliveryOptions.standardDigest.batchBytes
  @Option(help: ArgumentHelp("The longest time for one request.", valueName: "seconds"))
  var requestTimeout = 30.0
  @Flag(help: "Count a batch as delivered only if the 2xx response has a JSON object as its body.")
  var requireJSON = false
  @Flag(help: "Write the tracker's own log to standard error.")
  var verbose = false

  /// The unit of events that name neither a user nor a unit.
  package static let fallbackUnit = "dualsend-replay"

  package init() {}

  package func validate() throws {
    guard batchEvents >= 1, batchBytes >= 1 else { throw ValidationError("a batch has at least 1 event and 1 byte") }
    guard requestTimeout > 0, requestTimeout <= 3600 else {
      throw ValidationError("--request-timeout is more than 0 and at most 3600 seconds")
    }
  }

  var headers: [String: String] {
    Dictionary(header.joined().map { ($0.name, $0.value) }) { _, last in last }
  }

  /// Where and how events are sent.
  package func endpoint(_ url: URL, _ format: CollectorFormat) -> TrackingEndpoint {
    var endpoint = TrackingEndpoint(url: url, collector: format, key: apiKey)
    (endpoint.headers, endpoint.timeout) = (headers, .seconds(requestTimeout))
    endpoint.requiresJSONAcknowledgement = requireJSON
    return endpoint
  }

  package var digest: TrackerConfiguration.Digest {
    var digest = Self.standardDigest
    digest.batchEvents = batchEvents
    digest.batchBytes = batchBytes
    return digest
  }

  package func logger(_ terminal: Terminal, _ format: OutputFormat) -> Logger {
    verbose ? Logger(label: "dualsend.replay") { _ in TerminalLogHandler(terminal, format) } : .silent
  }
}

extension TrackingEndpoint {
  /// A collector that speaks this format.
  package init(url: URL, collector format: CollectorFormat, key: String = "dualsend") {
    let identity = IdentityParameters(fallbackUnit: DeliveryOptions.fallbackUnit)
    self.init(url: url, format: format.wireFormat(key: key, identity: identity))
  }
}

extension Logger {
  package static let silent = Logger(label: "dualsend.replay") { _ in SwiftLogNoOpLogHandler() }
}

// MARK: - Terminal log handler

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

// MARK: - Database

extension CommandError {
  /// An error about a database, with a fix that depends on the failure.
  package init(_ error: TrackingStoreError, database path: String) {
    self.init("\(path): \(error)", help: Self.help(for: error, path))
  }

  private static func help(for error: TrackingStoreError, _ path: String) -> String {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if error == DatabaseIdentity.foreign { return "name a tracker's database, or a file that does not exist yet" }
    if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return "name a file in it" }
    switch error.kind {
    case .busy: return "stop the app or the other `dualsend` that uses it, and run the same command again"
    case .full: return "free some space and run the same command again: it continues where it stopped"
    case .damaged: return "read what is left with `dualsend db salvage \(path) --output events.jsonl`"
    case .inputOutput where manager.fileExists(atPath: path) && !manager.isReadableFile(atPath: path):
      return "another user owns the file: run the command as its owner"
    case .inputOutput where !manager.isWritableFile(atPath: folder):
      return "\(folder) is not writable: it is mounted read-only, or another user owns it"
    case .inputOutput, .unusableFolder, .other:
      return "check the path, the permissions of the file and its folder, and the disk"
    }
  }
}
