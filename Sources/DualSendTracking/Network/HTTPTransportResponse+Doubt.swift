import DualSendCore

extension HTTPTransportResponse {
  /// Why a 2xx cannot come from a collector; `nil` if it can, and for any other status.
  func doubt(requiresJSON: Bool) -> TrackingOutcome.RetryReason? {
    guard (200..<300).contains(status) else { return nil }
    if isWebPage { return .webPage(status: status) }
    return requiresJSON && !TrackingData.isObject(body) ? .notAcknowledged(status: status) : nil
  }

  /// By its type or, where it has none, by how it starts (WHATWG MIME Sniffing, section 7.1).
  private var isWebPage: Bool {
    if let field = header("Content-Type") {
      let type = field.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
      return type == "text/html" || type == "application/xhtml+xml"
    }
    let start = body.prefix(512).drop { [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }.prefix(14)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }
}
