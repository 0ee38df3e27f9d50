/// A response whose body is read as it arrives, until the server closes it.
public struct HTTPTransportStream: Sendable {
  /// The status code, 100…599.
  public let status: Int
  /// The body in chunks as they arrive. Ends with the connection. Cancelling its reader cancels the request.
  public let body: AsyncThrowingStream<[UInt8], any Error>
  private let head: HTTPTransportResponse

  /// Creates a stream.
  public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<[UInt8], any Error>) {
    self.status = status
    self.body = body
    head = HTTPTransportResponse(status: status, headers: headers)
  }

  /// The value of a header field. The name is case-insensitive.
  public func header(_ name: String) -> String? {
    head.header(name)
  }

  /// The most unread chunks. Beyond this the connection is closed, so that a flooding server cannot fill memory.
  public static let maximumWaitingParts = 64
}
