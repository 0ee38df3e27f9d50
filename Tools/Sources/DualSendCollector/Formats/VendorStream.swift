package import DualSendCore
import DualSendJSONLines
package import Foundation

/// A file with a request or a single event per line, such as a vendor's export or another collector's output.
package struct VendorStream {
  /// What could not be read: whole lines, and single events of a request.
  package struct Broken: Sendable {
    /// The most reasons that are kept.
    private static let limit = 5

    package private(set) var count = 0
    /// The first ones: the line's number, from 1, and the reason.
    package private(set) var first: [(number: Int, fault: RequestFault)] = []

    package init() {}

    fileprivate mutating func add(_ fault: RequestFault, line number: Int) {
      count += 1
      if first.count < Self.limit { first.append((number, fault)) }
    }
  }

  private static let maximumLineBytes = 64 << 20

  private let format: CollectorFormat

  package init(_ format: CollectorFormat) {
    self.format = format
  }

  /// Writes the events as lines of the tracker's own format, in order.
  ///
  /// - Returns: what could not be read; everything else is written.
  /// - Throws: an error of the file system.
  package func convert(_ file: URL, to output: URL) throws -> Broken {
    var broken = Broken()
    var lines = try JSONLinesFile(appendingTo: output)
    var reader = try LineReader(file, maximumLineBytes: Self.maximumLineBytes)
    while let line = reader.next() {
      guard line.bytes.contains(where: { $0 > 0x20 }) else { continue }
      do {
        for element in try elements(in: line.bytes) {
          switch element {
          case .success(let event):
            var writer = CanonicalJSONWriter(capacity: 512)
            event.writeElement(to: &writer)
            try lines.append(writer.bytes)
          case .failure(let fault): broken.add(fault, line: line.number)
          }
        }
      } catch let fault as RequestFault { broken.add(fault, line: line.number) }
    }
    if let failure = reader.failure { throw failure }
    try lines.close()
    return broken
  }

  /// The events of a request's body, or a single event.
  package func events(in bytes: [UInt8]) throws(RequestFault) -> [TrackingEvent] {
    var events: [TrackingEvent] = []
    for element in try elements(in: bytes) { events.append(try element.get()) }
    return events
  }

  /// Each event by itself, so that one that cannot be read does not take the others with it.
  private func elements(in bytes: [UInt8]) throws(RequestFault) -> [Result<TrackingEvent, RequestFault>] {
    let server = format.server
    let body = RequestValue(body: try EventBatch.value(bytes, limit: Self.maximumLineBytes))
    guard server.isBody(body.value) else { return [.success(try server.eventWithDecision(body, in: body))] }
    // Exports do not include the authorization.
    let elements = try server.elements(of: body, RequestHead(authorization: ""))
    return elements.map { element in
      do throws(RequestFault) { return .success(try server.eventWithDecision(element, in: body)) } catch {
        return .failure(error)
      }
    }
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
