/// Parses a `text/event-stream` incrementally (WHATWG HTML, section 9.2.6, "Interpreting an event stream").
package struct EventStreamParser: Sendable {
  /// One event of the stream.
  package struct Message: Sendable, Equatable {
    /// The last `id` of the stream, from this event or an earlier one.
    package let id: String?
    /// The event's type; `message` by default.
    package let event: String
    /// The lines of `data`, joined by line feeds.
    package let data: String
  }

  /// A line, or the data of one event, exceeds the limit.
  package struct TooLong: Error, Sendable, Hashable {
    /// The most bytes accepted.
    package let limit: Int
  }

  /// The most bytes of one line, and of the data of one event.
  package static let limit = 64 << 10

  /// The longest `id` accepted, in bytes: it is sent back in a header field.
  package static let idLimit = 1024

  /// The last `id` of the stream that a header field can hold. Sent as `Last-Event-ID` on reconnection.
  package private(set) var lastEventID: String?
  /// The wait before reconnection, if the stream set one.
  package private(set) var retry: Duration?
  private var line: [UInt8] = []
  private var followsCarriageReturn = false
  private var isAtStart = true
  private var event = ""
  private var data: [String] = []
  private var dataBytes = 0

  /// Creates a parser.
  ///
  /// - Parameter lastEventID: the last id of an earlier connection.
  package init(lastEventID: String? = nil) {
    self.lastEventID = lastEventID
  }

  /// Parses bytes and returns the events that they complete, in order. Lines end with LF, CR or CRLF; a chunk may split
  /// them anywhere.
  package mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Message] {
    var messages: [Message] = []
    for byte in bytes {
      let isSecondHalf = followsCarriageReturn && byte == UInt8(ascii: "\n")
      followsCarriageReturn = byte == UInt8(ascii: "\r")
      if isSecondHalf { continue }
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
        guard line.count < Self.limit else { throw TooLong(limit: Self.limit) }
        line.append(byte)
        continue
      }
      if let message = try endOfLine() { messages.append(message) }
    }
    return messages
  }

  private mutating func endOfLine() throws(TooLong) -> Message? {
    if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isAtStart = false
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return endOfEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    let field = String(decoding: line[..<colon], as: UTF8.self)
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch field {
    case "data":
      dataBytes += value.count + 1
      guard dataBytes <= Self.limit else { throw TooLong(limit: Self.limit) }
      data.append(String(decoding: value, as: UTF8.self))
    case "event": event = String(decoding: value, as: UTF8.self)
    case "id" where Self.canBeSentBack(value): lastEventID = String(decoding: value, as: UTF8.self)
    case "retry" where !value.isEmpty && value.count < 10 && value.allSatisfy({ (48...57).contains($0) }):
      retry = .milliseconds(value.reduce(0) { $0 * 10 + Int64($1 - 48) })
    default: break
    }
    return nil
  }

  /// Whether a header field can hold the id. A control character would make every later request fail.
  private static func canBeSentBack(_ id: ArraySlice<UInt8>) -> Bool {
    id.count <= idLimit && id.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private mutating func endOfEvent() -> Message? {
    defer {
      event = ""
      data.removeAll(keepingCapacity: true)
      dataBytes = 0
    }
    guard !data.isEmpty else { return nil }
    return Message(id: lastEventID, event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"))
  }
}
