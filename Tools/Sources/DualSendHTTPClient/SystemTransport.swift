public import DualSendCore

/// The transport of the tools, the benchmarks and the tests.
public enum SystemTransport {
  /// `URLSession` where it is the system's own, AsyncHTTPClient on Linux, where `URLSession` loses requests.
  public static func make() -> any HTTPTransport {
    #if os(Linux)
      HTTPClientTransport()
    #else
      URLSessionTransport()
    #endif
  }
}
