import Foundation
import Testing

@testable import DualSendCore

@Suite("A pin")
struct PinTests {
  /// Self-signed certificates in DER and their keys, as openssl 3.0 made them.
  private enum Certificate {
    static let ed25519 =
      "MIIBLjCB4aADAgECAhRSwY4UO+t/4ZdoEbsed7L10EDC2zAFBgMrZXAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjExOTE1MjVaGA8y"
      + "MTI2MTAyODE5MTUyNVowDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhALdIZ3eoXySVzPWF2OV+vH7ekFpUTgX+W/wdWQWg5MRPo1Mw"
      + "UTAdBgNVHQ4EFgQUR5Ge6YA+ofecdor+2Y1uuoRH2WEwHwYDVR0jBBgwFoAUR5Ge6YA+ofecdor+2Y1uuoRH2WEwDwYDVR0TAQH/"
      + "BAUwAwEB/zAFBgMrZXADQQBS8yQsw6XIhVA2F18BKZyTe3RX+Vw5RQeAhzhTv1OSZKHvKP+xyG/JCupfk8UuVSQVbW4ED1x/pCVn"
      + "OY5Y+rIM"
    static let ed25519Key = "MCowBQYDK2VwAyEAt0hnd6hfJJXM9YXY5X68ft6QWlROBf5b/B1ZBaDkxE8="
    static let rsa =
      "MIIC+zCCAeOgAwIBAgIUcRIXMTjk10ZfSNMgersv138QAGEwDQYJKoZIhvcNAQELBQAwDDEKMAgGA1UEAwwBYjAgFw0yNjExMjEx"
      + "OTE1MjZaGA8yMTI2MTAyODE5MTUyNlowDDEKMAgGA1UEAwwBYjCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAIzW4x78"
      + "/TgY2uQSIjqDI+JIJIsKkwzTOesWDGKRO10yuqsz3IRtT4iSoVqeHLaE30J7mwalwXIQCPQ/HomWw4ODOcgL1xvoQb1U26WYYpnk"
      + "Nioz8MaLlO4UnS1aC1nWg1uSWX1jCIqemL4FnkdQWExWUxfMSKzysfROY428C69HiRyftGT9CSxD6xLLwHxt1j3nPYjcYYhvF7A/"
      + "D7wR9b1mZ6zk4vPMD3QFXf6KfK+9qUK7EmoweH1+BX3rhc9bHJj8m3flb73HIq+7m7lByBXdHBtwnhRkpUBYjR09lNMlNmVcNLa9"
      + "tDcG867MW6iX9y8SSaRs6ZYK0F5FwW0rNy0CAwEAAaNTMFEwHQYDVR0OBBYEFF56m+HDIqNykUC1zZmKYD+VbDefMB8GA1UdIwQY"
      + "MBaAFF56m+HDIqNykUC1zZmKYD+VbDefMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBADzoSHRd90JgIF0QvKBD"
      + "DVRH7tT+IhAQ4iscjC4o7yowDoUCblXxbkdjKoBCL+6V7pCMMXd9pXD5lYtY1/PbjlH7g9PkQ28nq5sFv00eGU3yILGCgkGaSi/u"
      + "18B5a0xGF5AegK3j5Q9LsN3ouyWGuQ7gkxF9LXvJ2SuTLlufvkmu3qxotMLgXOP6FksbiErwcEeZtHv4D2GZ7sSR/9MVAa5VGS7r"
      + "U5rrjJKdSDXz/RmaT8vK7IIYWFIG70vTO/j3H7qZwUzca3Abr1mvsf2RtZu9mJLNkU6ehNIdLXnx88sEblpXigdwFo/303rGr2IS"
      + "HDw2S4sjLsMXMNZleULYzHQ="
    static let rsaKey =
      "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAjNbjHvz9OBja5BIiOoMj4kgkiwqTDNM56xYMYpE7XTK6qzPchG1PiJKh"
      + "Wp4ctoTfQnubBqXBchAI9D8eiZbDg4M5yAvXG+hBvVTbpZhimeQ2KjPwxouU7hSdLVoLWdaDW5JZfWMIip6YvgWeR1BYTFZTF8xI"
      + "rPKx9E5jjbwLr0eJHJ+0ZP0JLEPrEsvAfG3WPec9iNxhiG8XsD8PvBH1vWZnrOTi88wPdAVd/op8r72pQrsSajB4fX4FfeuFz1sc"
      + "mPybd+Vvvccir7ubuUHIFd0cG3CeFGSlQFiNHT2U0yU2ZVw0tr20NwbzrsxbqJf3LxJJpGzplgrQXkXBbSs3LQIDAQAB"
  }

  private func bytes(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64)))
  }

  @Test(
    "reads the key of a certificate as openssl does",
    arguments: [(Certificate.ed25519, Certificate.ed25519Key), (Certificate.rsa, Certificate.rsaKey)])
  func key(certificate: String, key: String) throws {
    #expect(CertificateKey(of: try bytes(certificate))?.bytes == (try bytes(key)))
  }

  @Test("finds no key in what is cut, or is no certificate")
  func noCertificate() throws {
    let certificate = try bytes(Certificate.ed25519)
    for length in certificate.indices { #expect(CertificateKey(of: Array(certificate[..<length])) == nil) }
    for first in UInt8.min...UInt8.max {
      _ = CertificateKey(of: [0x30, first, 0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])
      _ = CertificateKey(of: [0x30, 0x81, 0x80, 0x30, first])
    }
  }

  @Test("of a key holds for a certificate with that key, one of a certificate for that certificate alone")
  func accepts() throws {
    let (ed25519, rsa) = (try bytes(Certificate.ed25519), try bytes(Certificate.rsa))
    let key = try bytes(Certificate.ed25519Key)
    // A hash of its own, so that this needs no cryptography: the bytes' sum and length, in 32 bytes.
    func hash(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8](repeating: bytes.reduce(0, &+), count: 31) + [UInt8(truncatingIfNeeded: bytes.count)]
    }
    let keyPin = try #require(URLSessionTransport.Pin(publicKeySHA256: Data(hash(key)).base64EncodedString()))
    let ownPin = try #require(URLSessionTransport.Pin(certificateSHA256: Data(hash(ed25519)).base64EncodedString()))
    #expect(keyPin.accepts(ed25519, sha256: hash) && ownPin.accepts(ed25519, sha256: hash))
    #expect(!keyPin.accepts(rsa, sha256: hash) && !ownPin.accepts(rsa, sha256: hash))
    #expect(!keyPin.accepts([], sha256: hash) && !ownPin.accepts([], sha256: hash))
  }

  @Test("is read in base64 and in hexadecimal digits, and from nothing else")
  func text() throws {
    let base64 = try #require(
      URLSessionTransport.Pin(certificateSHA256: "/V2aKhuPcLYneyTGviJmye+zWsK/BnBA1i6HQSTPwWQ="))
    let digits = "FD:5D:9A:2A:1B:8F:70:B6:27:7B:24:C6:BE:22:66:C9:EF:B3:5A:C2:BF:06:70:40:D6:2E:87:41:24:CF:C1:64"
    #expect(URLSessionTransport.Pin(certificateSHA256: digits) == base64)
    #expect(URLSessionTransport.Pin(certificateSHA256: digits.filter { $0 != ":" }.lowercased()) == base64)
    #expect(URLSessionTransport.Pin(publicKeySHA256: digits) != base64)
    for text in ["", "abc", "AAAA", String(digits.dropLast(2)), digits + "00", String(repeating: "g", count: 64)] {
      #expect(URLSessionTransport.Pin(publicKeySHA256: text) == nil)
    }
  }

  #if os(Linux)
    @Test("that cannot be checked here keeps every request back", arguments: ["https://a.test/", "http://a.test/"])
    func cannotBeChecked(_ address: String) async throws {
      let pin = try #require(
        URLSessionTransport.Pin(publicKeySHA256: "/V2aKhuPcLYneyTGviJmye+zWsK/BnBA1i6HQSTPwWQ="))
      let request = HTTPTransportRequest(method: "GET", url: try #require(URL(string: address)))
      let transport = URLSessionTransport(pins: [pin])
      let reason =
        address.hasPrefix("https")
        ? "URLSession cannot check pins on this system"
        : "pins require HTTPS"
      await #expect(throws: HTTPTransportError.connectionFailed(reason)) { try await transport.send(request) }
      await #expect(throws: HTTPTransportError.connectionFailed(reason)) { try await transport.stream(request) }
    }
  #endif
}
