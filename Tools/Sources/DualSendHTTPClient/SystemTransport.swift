public import DualSendCore

/// The transport for tools, benchmarks and tests.
public enum SystemTransport {
  /// `URLSession` on Apple platforms, libcurl on Linux, where `URLSession` loses requests.
  public static func make() -> any HTTPTransport {
    #if os(Linux)
      CurlTransport()
    #else
      URLSessionTransport()
    #endif
  }
}
