import Foundation
import Testing

@testable import DualSendRollout

@Suite("A byte storage", .timeLimit(.minutes(5)))
struct ByteStorageTests {
  enum Kind: CaseIterable {
    case file, memory, userDefaults

    /// An empty storage, and what takes it away again.
    func make() -> (storage: ByteStorage, cleanUp: () -> Void) {
      let name = "dualsend-test-\(UUID().uuidString)"
      switch self {
      case .file:
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        return (
          ByteStorage.file(folder.appendingPathComponent("deeper/state")),
          { try? FileManager.default.removeItem(at: folder) }
        )
      case .memory: return (ByteStorage.memory(), {})
      case .userDefaults:
        return (
          ByteStorage.userDefaults(suiteName: name, key: "id"),
          { UserDefaults(suiteName: name)?.removePersistentDomain(forName: name) }
        )
      }
    }
  }

  @Test("has nothing before the first write", arguments: Kind.allCases)
  func empty(kind: Kind) throws {
    let (storage, cleanUp) = kind.make()
    defer { cleanUp() }
    #expect(try storage.read() == nil)
  }

  @Test("gives back the bytes that were written last", arguments: Kind.allCases)
  func lastWrite(kind: Kind) throws {
    let (storage, cleanUp) = kind.make()
    defer { cleanUp() }
    for bytes: [UInt8] in [[1, 2, 3], [], [0, 255, 10]] {
      try storage.write(bytes)
      #expect(try storage.read() == bytes)
    }
  }

  @Test("has nothing after it was deleted, twice too, and takes new bytes", arguments: Kind.allCases)
  func deletion(kind: Kind) throws {
    let (storage, cleanUp) = kind.make()
    defer { cleanUp() }
    try storage.delete()
    try storage.write([1])
    try storage.delete()
    try storage.delete()
    #expect(try storage.read() == nil)
    try storage.write([2])
    #expect(try storage.read() == [2])
  }

  @Test("of an app's own deletes by its closure, and is an error without one")
  func ownDeletion() throws {
    let inner = ByteStorage.memory([1])
    let storage = ByteStorage(
      read: { try inner.read() }, write: { try inner.write($0) }, delete: { try inner.delete() })
    try storage.delete()
    #expect(try storage.read() == nil)
    #expect(throws: ByteStorage.DeletionUnsupported()) {
      try ByteStorage(read: { nil }, write: { _ in }).delete()
    }
  }

  @Test("in a file throws if the file cannot be deleted, and keeps it")
  func undeletableFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    // The system deletes no file of this one, whoever asks.
    let file = URL(fileURLWithPath: "/proc/self/status")
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    #expect(throws: (any Error).self) { try ByteStorage.file(file).delete() }
  }

  @Test("in a file refuses one that is too long, and one that cannot be read")
  func unreadableFile() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data([1, 2, 3]).write(to: file)
    #expect(throws: CocoaError.self) { try ByteStorage.file(file, maximumBytes: 2).read() }
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(throws: (any Error).self) { try ByteStorage.file(file).read() }
  }

  @Test("in user defaults takes text that other code wrote, and nothing else")
  func foreignValues() throws {
    let name = "dualsend-test-\(UUID().uuidString)"
    let defaults = UserDefaults(suiteName: name)
    defer { defaults?.removePersistentDomain(forName: name) }
    defaults?.set("text", forKey: "id")
    #expect(try ByteStorage.userDefaults(suiteName: name, key: "id").read() == Array("text".utf8))
    defaults?.set(["a": 1], forKey: "id")
    #expect(try ByteStorage.userDefaults(suiteName: name, key: "id").read() == [])
    defaults?.set(Data("text".utf8), forKey: "id")
    #expect(try ByteStorage.userDefaults(suiteName: name, key: "id").read() == Array("text".utf8))
  }

  @Test("in user defaults keeps text so that other code reads it as text, and all else as data")
  func text() throws {
    let name = "dualsend-test-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let storage = ByteStorage.userDefaults(suiteName: name, key: "id")
    for text in ["0f8fad5b-d9cb-469f-a165-70867728950e", "{\"id\":\"ü\"}\n", ""] {
      try storage.write(Array(text.utf8))
      #expect(defaults.string(forKey: "id") == text)
      #expect(try storage.read() == Array(text.utf8))
    }
    for bytes: [UInt8] in [[0xFF], [0x41, 0], [0xC3]] {
      try storage.write(bytes)
      #expect(defaults.object(forKey: "id") is Data)
      #expect(try storage.read() == bytes)
    }
  }

  @Test("in a suite that cannot be opened is an error, and the standard defaults stay untouched")
  func unknownSuite() throws {
    let key = "dualsend-test-\(UUID().uuidString)"
    defer { UserDefaults.standard.removeObject(forKey: key) }
    UserDefaults.standard.set("standard", forKey: key)
    let storage = ByteStorage.userDefaults(suiteName: "group.of.another", key: key) { _ in nil }
    let error = ByteStorage.SuiteUnavailable(suiteName: "group.of.another")
    #expect(throws: error) { try storage.read() }
    #expect(throws: error) { try storage.write([1]) }
    #expect(throws: error) { try storage.delete() }
    #expect(UserDefaults.standard.string(forKey: key) == "standard")
  }
}
