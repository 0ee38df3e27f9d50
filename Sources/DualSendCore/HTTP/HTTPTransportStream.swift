/// An answer whose body is read as it comes, for as long as the server goes on.
public struct HTTPTransportStream: Sendable {
  /// The status code, 100…599.
  public let status: Int
  /// The body in the parts in which it arrives; ends when the connection does. Cancelling its reader ends the request.
  public let body: AsyncThrowingStream<[UInt8], any Error>
  private let head: HTTPTransportResponse

  /// Creates a stream.
  public init(status: Int, headers: [String: String] = [:], body: AsyncThrowingStream<[UInt8], any Error>) {
    self.status = status
    self.body = body
    head = HTTPTransportResponse(status: status, headers: headers)
  }

  /// A header field's value; the name's case does not count.
  public func header(_ name: String) -> String? {
    head.header(name)
  }

  /// How many parts may wait for their reader before the connection is given up: a server that floods must not fill memory.
  public static let maximumWaitingParts = 64
}
