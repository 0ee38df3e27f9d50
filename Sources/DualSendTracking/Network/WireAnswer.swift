public import DualSendCore

/// The result of a request for its events.
public enum WireAnswer: Sendable, Hashable {
  /// The collector has the events, except the rejected ones, which become dead letters. If it rejects all, each is refused
  /// as for ``invalid(_:)``. The warning is logged, for collectors that report dropped events without naming them.
  case delivered(rejected: [EventID: String] = [:], warning: String? = nil)
  /// The collector accepted none because of these events. The others are sent again at once, then each of these alone. If it
  /// names all of them or none, it is as for ``invalid(_:)``.
  case rejected([EventID: String])
  /// The collector accepted none and does not name the invalid events. They are searched by halves. One that is refused alone,
  /// and again after another event was accepted, becomes a dead letter with this reason.
  case invalid(String)
  /// The request is too large. Smaller ones are sent; an event that is too large alone is treated as for ``invalid(_:)``.
  case tooLarge(String)
  /// The collector refuses all requests until something changes. Delivery pauses, and all events are kept.
  case refused(TrackingOutcome.PauseReason)
  /// A temporary failure: the events are sent again after the back-off and after this wait. Without a wait, the
  /// response's `Retry-After` applies.
  case retry(TrackingOutcome.RetryReason, after: Duration? = nil)

  /// The result for a status, ignoring the body.
  ///
  /// | status | answer |
  /// |---|---|
  /// | 2xx | ``delivered(rejected:warning:)`` |
  /// | 400, 422 | ``invalid(_:)`` |
  /// | 413 | ``tooLarge(_:)`` |
  /// | 408, 425, 429, 5xx | ``retry(_:after:)`` |
  /// | any other | ``refused(_:)`` |
  public init(status: Int) {
    self =
      switch status {
      case 200..<300: .delivered()
      case 413: .tooLarge("413")
      case 400, 422: .invalid("\(status)")
      case 408, 425, 429, 500...: .retry(.status(status))
      default: .refused(.status(status))
      }
  }

  /// The result for an error of the transport.
  init(_ error: HTTPTransportError) {
    switch error {
    // The redirect stays until the URL or the server is changed.
    case .redirectRefused(let redirect): self = .refused(.redirected(redirect))
    default: self = .retry(.transport(error))
    }
  }

  /// The same with limited waits and escaped texts, because both come from outside.
  var bounded: WireAnswer {
    switch self {
    case .delivered(let rejected, let warning):
      .delivered(rejected: rejected.mapValues(Self.line), warning: warning.map(Self.line))
    case .rejected(let rejected): .rejected(rejected.mapValues(Self.line))
    case .invalid(let reason): .invalid(Self.line(reason))
    case .tooLarge(let reason): .tooLarge(Self.line(reason))
    case .refused(.reported(let reason)): .refused(.reported(Self.line(reason)))
    case .retry(.reported(let reason), let wait): .retry(.reported(Self.line(reason)), after: wait.map(Self.bounded))
    case .retry(let reason, let wait): .retry(reason, after: wait.map(Self.bounded))
    case .refused: self
    }
  }

  /// Reasons are stored with dead letters and shown.
  private static func line(_ text: String) -> String {
    text.printable(limit: PrintableText.lineLimit)
  }

  private static func bounded(_ wait: Duration) -> Duration {
    min(max(wait, .zero), RetryAfter.cap)
  }
}

// MARK: - Doubt

extension HTTPTransportResponse {
  /// Why a 2xx cannot come from a collector; `nil` if it can, and for any other status.
  func doubt(requiresJSON: Bool) -> TrackingOutcome.RetryReason? {
    guard (200..<300).contains(status) else { return nil }
    if isWebPage { return .webPage(status: status) }
    // An object that cannot be read, such as one with a key twice, may name rejected events. Bytes of gzip are a response
    // whose compression was not named, so its text is unknown.
    let isDoubtful = requiresJSON || startsLikeObject || body.starts(with: [0x1F, 0x8B])
    return isDoubtful && !mayBeObject ? .notAcknowledged(status: status) : nil
  }

  /// Whether the body is a JSON object or, if truncated, starts with a brace.
  private var mayBeObject: Bool {
    isCut ? startsLikeObject : TrackingData.isObject(body)
  }

  private var startsLikeObject: Bool { body.first { !Self.isWhitespace($0) } == UInt8(ascii: "{") }

  /// Whether the content type, or without one the start of the body, is that of a web page.
  private var isWebPage: Bool {
    let type = (header("Content-Type") ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    guard ["", "*/*", "unknown/unknown", "application/unknown"].contains(type) else {
      return type == "text/html" || type == "application/xhtml+xml"
    }
    let start = body.prefix(1445).drop { Self.isWhitespace($0) || Self.isOfByteOrderMark($0) }
    let text = Array(String(decoding: start.prefix(16), as: UTF8.self).lowercased().utf8)
    if Self.openings.contains(where: { text.starts(with: $0.utf8) }) { return true }
    let name = text.dropFirst().prefix { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    guard text.first == UInt8(ascii: "<"), name.endIndex < text.endIndex else { return false }
    let end = text[name.endIndex]
    guard Self.isWhitespace(end) || end == UInt8(ascii: ">") || end == UInt8(ascii: "/") else { return false }
    return Self.tags.contains(String(decoding: name, as: UTF8.self))
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: true
    default: false
    }
  }

  private static func isOfByteOrderMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }

  /// Starts of documents that no collector sends.
  private static let openings = ["<!--", "<!doctype html", "<?xml", "%pdf-"]
  /// Tags that start a page (WHATWG MIME Sniffing, section 7.1), and others that captive portals start with.
  private static let tags = [
    "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body", "br", "p",
    "meta", "link", "base", "noscript", "center", "form", "frameset", "img",
  ]
}
