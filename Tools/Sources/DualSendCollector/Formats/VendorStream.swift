package import DualSendCore
import DualSendJSONLines
package import Foundation

/// A file with a request or a single event per line, such as a vendor's export or another collector's output.
package struct VendorStream {
  /// An unreadable line.
  package struct BrokenLine: Error, Sendable, Hashable {
    /// The number, from 1.
    package let number: Int
    package let fault: RequestFault
  }

  private static let maximumLineBytes = 64 << 20

  private let format: CollectorFormat

  package init(_ format: CollectorFormat) {
    self.format = format
  }

  /// Writes the events as lines of the tracker's own format, in order.
  ///
  /// - Throws: ``BrokenLine``, or an error of the file system.
  package func convert(_ file: URL, to output: URL) throws {
    var lines = try JSONLinesFile(appendingTo: output)
    var reader = try LineReader(file, maximumLineBytes: Self.maximumLineBytes)
    while let line = reader.next() {
      guard line.bytes.contains(where: { $0 > 0x20 }) else { continue }
      let events: [TrackingEvent]
      do { events = try self.events(in: line.bytes) } catch { throw BrokenLine(number: line.number, fault: error) }
      for event in events {
        var writer = CanonicalJSONWriter(capacity: 512)
        event.writeElement(to: &writer)
        try lines.append(writer.bytes)
      }
    }
    if let failure = reader.failure { throw failure }
    try lines.close()
  }

  /// The events of a request's body, or a single event.
  package func events(in bytes: [UInt8]) throws(RequestFault) -> [TrackingEvent] {
    let server = format.server
    let body = RequestValue(body: try EventBatch.value(bytes, limit: Self.maximumLineBytes))
    guard server.isBody(body.value) else { return [try server.stampedEvent(body, in: body)] }
    // Exports do not include the authorization.
    let elements = try server.elements(of: body, RequestHead(authorization: ""))
    var events: [TrackingEvent] = []
    for element in elements { events.append(try server.stampedEvent(element, in: body)) }
    return events
  }
}

extension VendorServer {
  fileprivate func isBody(_ value: EventValue) -> Bool {
    switch value {
    case .array: listKey == nil
    case .object(let members): listKey.map { members[$0] != nil } ?? false
    default: false
    }
  }
}
