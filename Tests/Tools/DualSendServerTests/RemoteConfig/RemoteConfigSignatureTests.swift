import DualSendCollector
import DualSendRolloutAnalysis
import Foundation
import Testing

@testable import DualSendRollout

@Suite("Signed rollout documents", .timeLimit(.minutes(5)))
struct RemoteConfigSignatureTests {
  private let key = RolloutSigningKey()
  private let otherKey = RolloutSigningKey()
  private let text = rolloutText(revision: 1, new: 5)

  private func signature(by key: RolloutSigningKey, of text: String) throws -> String {
    try key.signature(of: Array(text.utf8)).description
  }

  private func fetch(
    _ bench: RemoteBench, header: String? = nil, file: String? = nil, keys: [RolloutSigningKey]
  ) async -> RemoteConfigFetcher.FetchResult {
    await bench.publish(text, headers: header.map { ["X-Rollout-Signature": $0] } ?? [:])
    if let file { await bench.server.setDocument(Array(file.utf8), at: RemoteBench.path + ".sig") }
    return await bench.fetcher { $0.publicKeys = keys.map(\.publicKey) }.fetch()
  }

  @Test("are accepted with the signature in the header")
  func header() async throws {
    try await RemoteBench.with { bench in
      let header = try signature(by: key, of: text)
      #expect(await fetch(bench, header: header, keys: [key]) == .fresh(isInForce: false))
      #expect(await bench.server.documentRequests(at: RemoteBench.path + ".sig").total == 0)
    }
  }

  @Test("are accepted with the signature in a file beside them")
  func file() async throws {
    try await RemoteBench.with { bench in
      let file = try signature(by: key, of: text) + "\n"
      #expect(await fetch(bench, file: file, keys: [key]) == .fresh(isInForce: false))
    }
  }

  @Test("are accepted with either of two keys")
  func rotation() async throws {
    try await RemoteBench.with { bench in
      let header = try signature(by: key, of: text)
      #expect(await fetch(bench, header: header, keys: [otherKey, key]) == .fresh(isInForce: false))
    }
  }

  @Test("are refused without a signature")
  func unsigned() async throws {
    try await RemoteBench.with { bench in
      #expect(await fetch(bench, keys: [key]) == .failed(.unsigned))
    }
  }

  @Test("are refused with the signature of another key")
  func otherKey() async throws {
    try await RemoteBench.with { bench in
      let header = try signature(by: otherKey, of: text)
      #expect(await fetch(bench, header: header, keys: [key]) == .failed(.wronglySigned))
    }
  }

  @Test("are refused with the signature of other bytes, be it one space")
  func otherBytes() async throws {
    try await RemoteBench.with { bench in
      let header = try signature(by: key, of: text + " ")
      #expect(await fetch(bench, header: header, keys: [key]) == .failed(.wronglySigned))
    }
  }

  @Test("are refused with something that is no signature", arguments: ["", "?", "c2lnbmVk"])
  func noSignature(header: String) async throws {
    try await RemoteBench.with { bench in
      #expect(await fetch(bench, header: "x" + header, keys: [key]) == .failed(.brokenSignature))
    }
  }

  @Test("are refused when a page of the site stands where the signature should")
  func pageInstead() async throws {
    try await RemoteBench.with { bench in
      let page = String(repeating: "<p>", count: 1000)
      #expect(await fetch(bench, file: page, keys: [key]) == .failed(.brokenSignature))
    }
  }

  @Test("wait for a server that cannot hand out the signature now")
  func signatureTrouble() async throws {
    try await RemoteBench.with { bench in
      await bench.server.setDocumentFaults([CollectorFault(.status(503))], at: RemoteBench.path + ".sig")
      #expect(await fetch(bench, keys: [key]) == .failed(.status(503)))
    }
  }

  @Test("are checked again when they come from the storage")
  func stored() async throws {
    try await RemoteBench.with { bench in
      _ = await fetch(bench, header: try signature(by: key, of: text), keys: [key])
      #expect(bench.fetcher { $0.publicKeys = [key.publicKey] }.snapshot.revision == 1)
      #expect(bench.fetcher { $0.publicKeys = [otherKey.publicKey] }.snapshot.revision == nil)
    }
  }

  @Test("bind with their revision while their key is listed, beside a new one too, and no longer")
  func keyRotation() async throws {
    try await RemoteBench.with { bench in
      let kill = rolloutText(revision: 2, new: 0)
      func offer(_ text: String, signed key: RolloutSigningKey, to keys: [RolloutSigningKey]) async throws
        -> RemoteConfigFetcher.FetchResult
      {
        let fetcher = bench.fetcher { $0.publicKeys = keys.map(\.publicKey) }
        return await fetcher.offer(Array(text.utf8), signature: try signature(by: key, of: text))
      }
      _ = try await offer(kill, signed: key, to: [key])
      #expect(
        try await offer(text, signed: key, to: [key, otherKey]) == .failed(.replayed(revision: 1, known: 2)))
      #expect(
        try await offer(text, signed: otherKey, to: [otherKey, key]) == .failed(.replayed(revision: 1, known: 2)))
      #expect(try await offer(text, signed: otherKey, to: [otherKey]) == .fresh(isInForce: false))
    }
  }

  @Test("may be offered by another channel")
  func offered() async throws {
    try await RemoteBench.with { bench in
      let fetcher = bench.fetcher { $0.publicKeys = [key.publicKey] }
      #expect(await fetcher.offer(Array(text.utf8)) == .failed(.unsigned))
      let signature = try signature(by: key, of: text)
      #expect(await fetcher.offer(Array(text.utf8), signature: signature) == .fresh(isInForce: false))
    }
  }

  /// RFC 8032, section 7.1, test 3.
  @Test("carry the signature of the standard")
  func vector() throws {
    let secret = "xaqN9D+fg3vtt0QvMdy3sWbThTUHbwlLhc46LgtEWPc="
    let key = try #require(RolloutSigningKey(base64: secret))
    #expect(key.publicKey.description == "/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=")
    #expect(
      try key.signature(of: [0xAF, 0x82]).description
        == "YpHWV97sJAJIJ+acOr4BowzlSKKEdDpEXjaA19taw6wY/5tTjRbykK5n92CYTcZZSnwV6XFu0o3AJ77O6h7ECg==")
  }

  @Test("take only keys of 32 bytes", arguments: ["", "AAAA", "not base64"])
  func wrongKey(text: String) {
    #expect(RolloutPublicKey(base64: text) == nil)
    #expect(RolloutSigningKey(base64: text) == nil)
  }
}
