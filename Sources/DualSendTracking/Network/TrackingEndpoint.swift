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
    url: URL, format: any WireFormat = DualSendFormat(), headers: [String: String] = [:],
    compression: Compression = .deflate, compressionThreshold: Int = 5120,
    timeout: Duration = .seconds(30),
    requiresJSONAcknowledgement: Bool = false
  ) {
    self.url = url
    self.format = format
    self.headers = headers
    self.compression = compression
    self.compressionThreshold = compressionThreshold
    self.timeout = timeout
    self.requiresJSONAcknowledgement = requiresJSONAcknowledgement
  }
}
