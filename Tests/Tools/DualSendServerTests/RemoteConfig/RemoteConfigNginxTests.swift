import DualSendHTTPClient
import DualSendRollout
import DualSendRolloutAnalysis
import DualSendTesting
import Foundation
import Testing

/// Run by `scripts/check nginx`, which starts the server and names its address and its folder.
@Suite(
  "A remote config fetcher and nginx", .enabled(if: NginxSite.fromEnvironment != nil, "run scripts/check nginx"),
  .timeLimit(.minutes(5)))
struct RemoteConfigNginxTests {
  private let clock = ManualClock()
  private let storage = ByteStorage.memory()
  private let site: NginxSite

  init() throws {
    site = try #require(NginxSite.fromEnvironment).page()
  }

  private func fetcher(_ keys: [RolloutPublicKey] = []) -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: site.url, minimumInterval: .zero, publicKeys: keys, verifier: .ofTools),
      storage: storage, transport: SystemTransport.make(), time: clock.timeSource)
  }

  @Test("learns from its entity tag that nothing has changed, in the next run too")
  func entityTag() async throws {
    try site.write(rolloutText(revision: 1, new: 5))
    #expect(await fetcher().fetch() == .fresh(isInForce: false))
    #expect(await fetcher().fetch() == .unchanged)
  }

  @Test("gets the file that was put in the place of the old one")
  func changed() async throws {
    try site.write(rolloutText(revision: 1, new: 5))
    let fetcher = fetcher()
    _ = await fetcher.fetch()
    try site.write(rolloutText(revision: 2, new: 10))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    await fetcher.activate()
    #expect(fetcher.snapshot.revision == 2)
  }

  @Test("trusts the time that it says")
  func time() async throws {
    try site.write(rolloutText(revision: 1, new: 5))
    let fetcher = fetcher()
    _ = await fetcher.fetch()
    await fetcher.activate()
    let time = try #require(fetcher.snapshot.time)
    #expect(abs(Double(time) / 1000 - Date().timeIntervalSince1970) < 60)
  }

  @Test("takes the signature from the file beside the document")
  func signature() async throws {
    let key = RolloutSigningKey()
    let text = rolloutText(revision: 1, new: 5)
    try site.write(text)
    #expect(await fetcher([key.publicKey]).fetch() == .failed(.unsigned))
    try site.write(key.signature(of: Array(text.utf8)).description + "\n", extension: ".sig")
    #expect(await fetcher([key.publicKey]).fetch() == .fresh(isInForce: false))
  }

  @Test("keeps the last good document when the file is taken away")
  func gone() async throws {
    try site.write(rolloutText(revision: 1, new: 5))
    _ = await fetcher().fetch()
    try site.remove()
    let nextRun = fetcher()
    #expect(await nextRun.fetch() == .failed(.status(404)))
    #expect(nextRun.snapshot.revision == 1)
  }
}

/// One file that nginx serves.
struct NginxSite: Sendable {
  let url: URL
  private let file: URL

  /// The whole site; `nil` where no nginx runs for the tests.
  static let fromEnvironment: NginxSite? = {
    let environment = ProcessInfo.processInfo.environment
    guard let url = environment["DUALSEND_NGINX_URL"].flatMap({ URL(string: $0) }),
      let root = environment["DUALSEND_NGINX_ROOT"]
    else { return nil }
    return NginxSite(url: url, file: URL(fileURLWithPath: root, isDirectory: true))
  }()

  /// A file that no other test knows.
  func page() -> NginxSite {
    let name = "rollout-\(UUID().uuidString).json"
    return NginxSite(url: url.appendingPathComponent(name), file: file.appendingPathComponent(name))
  }

  func write(_ text: String, extension: String = "") throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file.path + `extension`), options: .atomic)
  }

  func remove() throws {
    try FileManager.default.removeItem(at: file)
  }
}
