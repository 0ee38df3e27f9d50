import DualSendCore

extension HTTPTransportResponse {
  /// Why a 2xx cannot come from a collector; `nil` if it can, and for any other status.
  func doubt(requiresJSON: Bool) -> TrackingOutcome.RetryReason? {
    guard (200..<300).contains(status) else { return nil }
    if isWebPage { return .webPage(status: status) }
    return requiresJSON && !mayBeObject ? .notAcknowledged(status: status) : nil
  }

  /// Whether the body is a JSON object or, if truncated, starts with a brace.
  private var mayBeObject: Bool {
    isCut ? body.first { !Self.isWhitespace($0) } == UInt8(ascii: "{") : TrackingData.isObject(body)
  }

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
