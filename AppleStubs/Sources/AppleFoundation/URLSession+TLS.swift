public import FoundationNetworking

extension URLSessionConfiguration {
  // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
  // `tls_protocol_version_t`, which Apple has in Security, is in FoundationNetworking here.
  @available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { TLSVersions.lock.withLock { TLSVersions.minima[ObjectIdentifier(self)]?.version ?? .TLSv10 } }
    set { TLSVersions.lock.withLock { TLSVersions.minima[ObjectIdentifier(self)] = (self, newValue) } }
  }
}

/// Keeps each configuration that has a version, so that no other takes its identifier.
private enum TLSVersions {
  static let lock = NSLock()
  nonisolated(unsafe) static var minima:
    [ObjectIdentifier: (configuration: URLSessionConfiguration, version: tls_protocol_version_t)] = [:]
}
