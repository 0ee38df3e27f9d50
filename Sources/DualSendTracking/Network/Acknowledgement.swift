import DualSendCore

/// What a collector's 2xx says about a batch, and whether a collector has said it.
struct Acknowledgement {
  private let status: Int
  private let contentType: String?
  private let body: [UInt8]
  /// The members of the body, if it is a JSON object.
  private let members: [String: EventValue]?

  init(_ response: HTTPTransportResponse) {
    status = response.status
    contentType = response.header("Content-Type").map { type in
      type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    }
    body = response.body
    if case .object(let members)? = try? JSONReader().value(body) { self.members = members } else { members = nil }
  }

  /// Why the batch cannot count as delivered; `nil` if it does.
  func doubt(requiresJSON: Bool) -> TrackingOutcome.RetryReason? {
    if isWebPage { return .webPage(status: status) }
    return requiresJSON && members == nil ? .notAcknowledged(status: status) : nil
  }

  /// By its type or, where it has none, by how it starts (WHATWG MIME Sniffing, section 7.1).
  private var isWebPage: Bool {
    if let contentType { return contentType == "text/html" || contentType == "application/xhtml+xml" }
    let start = body.prefix(512).drop { [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }.prefix(14)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  /// The ids that a body `{"rejected":[{"eventId":…,"reason":…}]}` names; a body of any other form names none.
  var rejected: [EventID: String] {
    guard case .array(let entries)? = members?["rejected"] else { return [:] }
    var rejected: [EventID: String] = [:]
    for case .object(let entry) in entries {
      guard case .string(let text)? = entry["eventId"], let id = EventID(text) else { continue }
      guard case .string(let reason)? = entry["reason"] else {
        rejected[id] = "rejected"
        continue
      }
      // It is kept and shown for as long as the dead letter is.
      rejected[id] = reason.printable(limit: PrintableText.lineLimit)
    }
    return rejected
  }
}
