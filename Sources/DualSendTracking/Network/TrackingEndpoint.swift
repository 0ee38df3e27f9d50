public import Foundation

/// Where and how batches are sent. Changing it makes a paused tracker try again.
public struct TrackingEndpoint: Sendable {
  /// How a body is compressed.
  public enum Compression: Sendable, Hashable {
    /// The zlib format (RFC 1950), which HTTP calls `deflate`.
    case deflate
    /// RFC 1952.
    case gzip
    /// Not at all.
    case none
  }

  /// Where batches are posted.
  public var url: URL
  /// What the collector there speaks.
  public var format: any WireFormat
  /// Header fields that every request carries, such as an authorization.
  public var headers: [String: String]
  /// How bodies above ``compressionThreshold`` are compressed, if that makes them smaller.
  public var compression: Compression
  /// Bodies of at most this many bytes are sent as they are.
  public var compressionThreshold: Int
  /// The longest time for one request.
  public var timeout: Duration
  /// Whether a batch is delivered only when a 2xx has a JSON object for a body, such as `{}`.
  ///
  /// Without it any 2xx that is no web page will do. For collectors that always answer with JSON it shuts out whatever
  /// else answers in their place: a proxy, a load balancer, a wrong path.
  public var requiresJSONAcknowledgement: Bool

  /// Creates an endpoint; by default this package's own format, `deflate` above 5,120 bytes, 30 s a request, and no JSON
  /// demanded.
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
