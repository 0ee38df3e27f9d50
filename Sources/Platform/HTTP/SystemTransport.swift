/// The transport that suits the platform.
public enum SystemTransport {
  /// `URLSession` where it is the system's own, AsyncHTTPClient on Linux.
  public static func make() -> any HTTPTransport {
    #if os(Linux)
      HTTPClientTransport()
    #else
      URLSessionTransport()
    #endif
  }
}
