import AppleFoundation
import DualSendRollout
import DualSendTesting
import Testing

@testable import DualSendCore
@testable import DualSendTracking

@Suite("The system beneath", .serialized, .timeLimit(.minutes(5)))
struct SystemTests {
  @Test("checks signatures with CryptoKit: the first example of RFC 8032, section 7.1")
  func signature() throws {
    let key = try #require(
      RolloutPublicKey(bytes: bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")))
    let signature = RolloutSignature(
      bytes: bytes(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
          + "24655141438e7a100b"))
    let verifier = try #require(RolloutSignatureVerifier.system)
    #expect(verifier.accepts(signature, of: [], by: key))
    #expect(!verifier.accepts(signature, of: [0], by: key))
  }

  @Test("locks with OSAllocatedUnfairLock: no change is lost")
  func lock() async {
    let locked = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { locked.withLock { $0 += 1 } } } }
    }
    #expect(locked.current == 8_000)
  }

  @Test("protects a database and the files beside it until the first unlock, and keeps them out of backups")
  func protection() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apple-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("events.sqlite")
    let tracker = try makeTracker(ScriptedTransport()) { configuration in
      configuration.storage = .file(file)
      configuration.digest.start = .onDemand
    }
    tracker.sendLog(name: "a")
    await tracker.persist()
    for path in [file.path, file.path + "-wal"] {
      let expected = FileProtectionType.completeUntilFirstUserAuthentication.rawValue
      #expect(FileProtections.ofItem(atPath: path)?.rawValue == expected)
    }
    await tracker.shutdown(timeout: .zero)
  }

  @Test("reads over TLS 1.2 or later: a lower minimum is raised in a copy, a higher one stays")
  func oldestVersion() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv11
    let secured = URLSessionTransport.secured(configuration)
    #expect(secured.tlsMinimumSupportedProtocolVersion == .TLSv12)
    #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv11)
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
    #expect(URLSessionTransport.secured(configuration) === configuration)
  }

  @Test("says its name, and whether it saves power at the moment")
  func device() {
    #expect(DeviceFacts.osName == "iOS")
    #expect(DeviceFacts.changing["low_power_mode"] == .bool(false))
    DeviceState.isLowPowerModeEnabled = true
    defer { DeviceState.isLowPowerModeEnabled = false }
    #expect(DeviceFacts.changing["low_power_mode"] == .bool(true))
  }

  private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
