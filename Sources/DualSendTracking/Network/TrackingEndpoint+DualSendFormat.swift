public import DualSendCore

extension TrackingEndpoint {
  /// This package's own format: a JSON array of `{"eventId", "eventName", "eventTime", "payload"}`.
  ///
  /// Events are stored in this form, so a batch is joined without parsing. A collector accepts a batch with a 2xx. To
  /// reject events permanently, it names them in the body: `{"rejected":[{"eventId":…,"reason":…}]}`.
  public struct DualSendFormat: WireFormat, Hashable {
    /// Creates the format.
    public init() {}

    /// Joins the stored events.
    public func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
      WireRequest(of: events) { $0.body }
    }

    /// Reads the status, and in a 2xx the rejected events. An entry may also be the id alone. A body of any other form
    /// rejects none.
    public func answer(_ response: HTTPTransportResponse, to _: [TrackingData]) -> WireAnswer {
      guard (200..<300).contains(response.status), case .object(let members)? = Self.value(of: response),
        case .array(let entries)? = members["rejected"]
      else { return WireAnswer(status: response.status) }
      var rejected: [EventID: String] = [:]
      for entry in entries {
        switch entry {
        case .string(let text): if let id = EventID(text) { rejected[id] = "rejected" }
        case .object(let entry):
          guard case .string(let text)? = entry["eventId"], let id = EventID(text) else { continue }
          if case .string(let reason)? = entry["reason"] { rejected[id] = reason } else { rejected[id] = "rejected" }
        default: continue
        }
      }
      return .delivered(rejected: rejected)
    }

    /// The body's value. If the body is truncated, the complete entries of its list.
    private static func value(of response: HTTPTransportResponse) -> EventValue? {
      guard response.isCut else { return try? JSONReader().value(response.body) }
      let braces = response.body.indices.reversed().lazy.filter { response.body[$0] == UInt8(ascii: "}") }
      // The last brace may be inside a reason.
      return braces.prefix(8).lazy.compactMap { try? JSONReader().value(response.body[...$0] + Array("]}".utf8)) }.first
    }
  }
}

extension WireFormat where Self == TrackingEndpoint.DualSendFormat {
  /// This package's own format.
  public static var dualSend: Self { Self() }
}
