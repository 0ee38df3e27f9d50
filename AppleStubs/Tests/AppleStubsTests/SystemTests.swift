import AppleFoundation
import DualSendRollout
import DualSendTesting
import Testing

@testable import DualSendCore
@testable import DualSendTracking

@Suite("The system beneath", .serialized, .timeLimit(.minutes(5)))
struct SystemTests {
  private let untilFirstUnlock = FileProtectionType.completeUntilFirstUserAuthentication.rawValue

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
    try await withDatabase(in: temporaryFolder()) { file in
      for path in [file.path, file.path + "-wal", file.path + ".lock"] {
        #expect(FileProtections.ofItem(atPath: path)?.protection.rawValue == untilFirstUnlock)
      }
    }
  }

  @Test("protects a new folder before the database is created in it")
  func folderProtection() async throws {
    let folder = temporaryFolder()
    try await withDatabase(in: folder) { _ in
      let record = try #require(FileProtections.ofItem(atPath: folder.path))
      #expect(record.protection.rawValue == untilFirstUnlock)
      #expect(record.contents.isEmpty)
    }
  }

  @Test("protects the package's own folder even if an earlier version created it, and no other folder of the app")
  func existingFolder() async throws {
    let (own, other) = (AppFolder.url.appendingPathComponent("\(UUID())"), temporaryFolder())
    for folder in [own, other] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await withDatabase(in: folder) { _ in }
    }
    #expect(FileProtections.ofItem(atPath: own.path)?.protection.rawValue == untilFirstUnlock)
    #expect(FileProtections.ofItem(atPath: other.path) == nil)
  }

  @Test("protects a file of a rollout or an ID until the first unlock")
  func byteStorageProtection() throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("rollout.json")
    try ByteStorage.file(file).write([1])
    let new = FileProtections.ofItems(withPrefix: file.path + ".new-")
    #expect(new.map(\.protection.rawValue) == [untilFirstUnlock])
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

  private func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("apple-\(UUID())")
  }

  /// Runs the body while a tracker uses a database in the folder. Deletes the folder.
  private func withDatabase(in folder: URL, _ body: (URL) throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("events.sqlite")
    let tracker = try makeTracker(ScriptedTransport()) { configuration in
      configuration.storage = .file(file)
      configuration.digest.start = .onDemand
    }
    tracker.sendLog(name: "a")
    await tracker.persist()
    try body(file)
    await tracker.shutdown(timeout: .zero)
  }

  private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
