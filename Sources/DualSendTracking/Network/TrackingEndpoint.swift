public import Foundation

/// Where and how batches are sent. Changing it makes a paused tracker try again.
public struct TrackingEndpoint: Sendable, Hashable {
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
  /// Header fields that every request carries, such as an authorization.
  public var headers: [String: String]
  /// How bodies above ``compressionThreshold`` are compressed, if that makes them smaller.
  public var compression: Compression
  /// Bodies of at most this many bytes are sent as they are.
  public var compressionThreshold: Int
  /// The longest time for one request.
  public var timeout: Duration

  /// Creates an endpoint; by default `deflate` above 5,120 bytes and 30 s a request.
  public init(
    url: URL, headers: [String: String] = [:], compression: Compression = .deflate, compressionThreshold: Int = 5120,
    timeout: Duration = .seconds(30)
  ) {
    self.url = url
    self.headers = headers
    self.compression = compression
    self.compressionThreshold = compressionThreshold
    self.timeout = timeout
  }
}
