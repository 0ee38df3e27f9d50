public import DualSendCore
public import Foundation

/// Where and how batches are sent. Changing it ends a pause caused by the old endpoint.
public struct TrackingEndpoint: Sendable {
  /// How a body is compressed.
  public enum Compression: Sendable, Hashable {
    /// The zlib format (RFC 1950), which HTTP calls `deflate`.
    case deflate
    /// RFC 1952.
    case gzip
    /// No compression.
    case none
  }

  /// The URL for batches.
  public var url: URL
  /// The collector's wire format.
  public var format: any WireFormat
  /// The key that a vendor bills by, if it stands in a header or in the query, where it cannot be told from a token that is
  /// renewed. Two trackers with one URL and two tenants never send each other's events. By default that of the format.
  public var tenant: String?
  /// Header fields for every request, such as an authorization.
  public var headers: [String: String]
  /// The compression of bodies above ``compressionThreshold``, if it makes them smaller.
  public var compression: Compression
  /// Bodies of at most this many bytes are not compressed.
  public var compressionThreshold: Int
  /// The longest time for one request.
  public var timeout: Duration
  /// Whether only a 2xx with a JSON object as its body, such as `{}`, acknowledges a batch.
  ///
  /// By default any 2xx that is not a web page does. If your collector always responds with JSON, set this to detect
  /// responses of a proxy, a load balancer or a wrong path.
  public var requiresJSONAcknowledgement: Bool

  /// Creates an endpoint. By default: this package's own format, `deflate` above 5,120 bytes, 30 s for a request, JSON
  /// not required.
  public init(
    url: URL, format: any WireFormat = DualSendFormat(), tenant: String? = nil, headers: [String: String] = [:],
    compression: Compression = .deflate, compressionThreshold: Int = 5120,
    timeout: Duration = .seconds(30),
    requiresJSONAcknowledgement: Bool = false
  ) {
    self.url = url
    self.format = format
    self.tenant = tenant
    self.headers = headers
    self.compression = compression
    self.compressionThreshold = compressionThreshold
    self.timeout = timeout
    self.requiresJSONAcknowledgement = requiresJSONAcknowledgement
  }
}

// MARK: - This package's own format

extension TrackingEndpoint {
  /// This package's own format: a JSON array of `{"eventId", "eventName", "eventTime", "payload"}`.
  ///
  /// Events are stored in this form, so a batch is joined without parsing; see ``TrackingData``. A collector accepts a batch
  /// with a 2xx. To reject events permanently, it names them in the body: `{"rejected":[{"eventId":…,"reason":…}]}`.
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

// MARK: - Wire format

extension WireFormat where Self == TrackingEndpoint.DualSendFormat {
  /// This package's own format.
  public static var dualSend: Self { Self() }
}
