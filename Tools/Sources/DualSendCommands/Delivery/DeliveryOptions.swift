import ArgumentParser
import DualSend
package import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendTracking
import DualSendWireFormats
package import Foundation
import Logging

/// How `dualsend replay` delivers.
struct DeliveryOptions: ParsableArguments {
  static let standardDigest = TrackerConfiguration.Digest(
    start: .count(500).or(.interval(.milliseconds(200))))

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of every request, such as `Authorization: Bearer …`; may be repeated.", valueName: "name: value"),
    transform: { try HeaderField($0) })
  var header: [HeaderField] = []
  @Option(
    help: ArgumentHelp(
      "The collector's write key or API key; with otlp the service's name, with cloudevents the source.",
      valueName: "text"))
  var key = "dualsend"
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
  static let fallbackUnit = "dualsend-replay"

  func validate() throws {
    guard batchEvents >= 1, batchBytes >= 1 else { throw ValidationError("a batch has at least 1 event and 1 byte") }
    guard requestTimeout > 0, requestTimeout <= 3600 else {
      throw ValidationError("--request-timeout is more than 0 and at most 3600 seconds")
    }
  }

  var headers: [String: String] {
    Dictionary(header.map { ($0.name, $0.value) }) { _, last in last }
  }

  /// Where and how events are sent.
  func endpoint(_ url: URL, _ format: CollectorFormat) -> TrackingEndpoint {
    var endpoint = TrackingEndpoint(url: url, collector: format, key: key)
    (endpoint.headers, endpoint.timeout) = (headers, .seconds(requestTimeout))
    endpoint.requiresJSONAcknowledgement = requireJSON
    return endpoint
  }

  var digest: TrackerConfiguration.Digest {
    var digest = Self.standardDigest
    digest.batchEvents = batchEvents
    digest.batchBytes = batchBytes
    return digest
  }

  func logger(_ terminal: Terminal, _ format: OutputFormat) -> Logger {
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
  static let silent = Logger(label: "dualsend.replay") { _ in SwiftLogNoOpLogHandler() }
}

/// One header field of a request (RFC 9110, section 5).
package struct HeaderField: Sendable, Hashable {
  /// The characters of a token, apart from letters and digits.
  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".unicodeScalars)

  package let name: String
  package let value: String

  /// Reads `NAME: VALUE`. Errors do not show the text, because the value may be a secret.
  package init(_ text: String) throws {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty,
      halves[0].unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) || Self.tokenMarks.contains($0)
      }),
      halves[1].unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
    else { throw ValidationError("a header field is `Name: value`") }
    name = String(halves[0])
    value = String(halves[1].drop { $0 == " " || $0 == "\t" })
  }
}
