import Foundation
import Testing

@testable import DualSendCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("URLSessionTransport")
struct URLSessionTransportTests {
  @Test("a stream's session has the given configuration, but waits for hours when the stream is silent")
  func streamConfiguration() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Gateway": "shop"]
    configuration.connectionProxyDictionary = ["HTTPProxy": "proxy.test"]
    configuration.timeoutIntervalForRequest = 60
    configuration.timeoutIntervalForResource = 30
    let transport = URLSessionTransport(configuration: configuration)

    let stream = transport.streamConfiguration
    #expect(stream.httpAdditionalHeaders as? [String: String] == ["X-Gateway": "shop"])
    #expect(stream.connectionProxyDictionary as? [String: String] == ["HTTPProxy": "proxy.test"])
    #expect(stream.timeoutIntervalForRequest == 86_400)
    #expect(stream.timeoutIntervalForResource == 604_800)
    #expect(configuration.timeoutIntervalForRequest == 60 && configuration.timeoutIntervalForResource == 30)
    #expect(transport.streamConfiguration !== stream)
  }
}
