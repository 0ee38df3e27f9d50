import AppleFoundation
import CryptoKit
import Security
import Testing

@testable import DualSendCore

@Suite("A server's certificates")
struct ServerTrustTests {
  private let leaf = SecCertificate(der: [1, 2, 3])
  private let authority = SecCertificate(der: [4, 5, 6])

  private func pin(_ certificate: [UInt8]) throws -> URLSessionTransport.Pin {
    let digest = Data(SHA256.hash(data: certificate)).base64EncodedString()
    return try #require(URLSessionTransport.Pin(certificateSHA256: digest))
  }

  private func challenge(isTrusted: Bool = true, method: String = NSURLAuthenticationMethodServerTrust)
    -> URLAuthenticationChallenge
  {
    let trust = SecTrust(chain: [leaf, authority], isTrusted: isTrusted)
    return URLAuthenticationChallenge(
      protectionSpace: ServerProtectionSpace(host: "a.test", trust: trust, authenticationMethod: method),
      proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: Sender())
  }

  @Test("are accepted if one of the chain has one of the pins", arguments: [[1, 2, 3], [4, 5, 6]] as [[UInt8]])
  func pinned(certificate: [UInt8]) throws {
    let trust = ServerTrust(pins: [try pin([9]), try pin(certificate)])
    #expect(!trust.refuses(challenge()))
  }

  @Test("are refused if none has")
  func notPinned() throws {
    #expect(ServerTrust(pins: [try pin([9])]).refuses(challenge()))
  }

  @Test("are left to the system without pins, where it does not trust them, and in other challenges")
  func leftToTheSystem() throws {
    let trust = ServerTrust(pins: [try pin([9])])
    #expect(!ServerTrust(pins: []).refuses(challenge()))
    #expect(!trust.refuses(challenge(isTrusted: false)))
    #expect(!trust.refuses(challenge(method: NSURLAuthenticationMethodHTTPBasic)))
  }

  @Test("that are refused cancel the exchange, with the reason")
  func cancelled() async throws {
    let exchanges = URLSessionExchanges(trust: ServerTrust(pins: [try pin([9])]))
    let url = try #require(URL(string: "https://a.test/"))
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: url)
    let answers = Locked<[URLSessionExchanges.Answer]>([])
    exchanges.begin(task, for: HTTPTransportRequest(method: "GET", url: url)) { answer in
      answers.withLock { $0.append(answer) }
    }
    let dispositions = Locked<[URLSession.AuthChallengeDisposition]>([])
    exchanges.urlSession(session, task: task, didReceive: challenge()) { disposition, _ in
      dispositions.withLock { $0.append(disposition) }
    }
    #expect(dispositions.current == [.cancelAuthenticationChallenge])
    guard case .failure(.untrustedServer)? = answers.current.first, answers.current.count == 1 else {
      Issue.record("\(answers.current)")
      return
    }
  }

  @Test("keep no request over HTTPS back, and every one over HTTP")
  func admitted() throws {
    let trust = ServerTrust(pins: [try pin([9])])
    for (address, isAdmitted) in [("https://a.test/", true), ("http://a.test/", false)] {
      let request = HTTPTransportRequest(method: "GET", url: try #require(URL(string: address)))
      #expect((try? trust.admit(request)) != nil || !isAdmitted)
      if !isAdmitted { #expect(throws: HTTPTransportError.self) { try trust.admit(request) } }
    }
  }

  @Test("are read over TLS 1.2 or later: a lower minimum is raised in a copy, a higher one stays")
  func oldestVersion() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv11
    let secured = ServerTrust.secured(configuration)
    #expect(secured.tlsMinimumSupportedProtocolVersion == .TLSv12)
    #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv11)
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
    #expect(ServerTrust.secured(configuration) === configuration)
  }
}

private final class Sender: NSObject, URLAuthenticationChallengeSender {
  func use(_: URLCredential, for _: URLAuthenticationChallenge) {}
  func continueWithoutCredential(for _: URLAuthenticationChallenge) {}
  func cancel(_: URLAuthenticationChallenge) {}
  func performDefaultHandling(for _: URLAuthenticationChallenge) {}
  func rejectProtectionSpaceAndContinue(with _: URLAuthenticationChallenge) {}
}
