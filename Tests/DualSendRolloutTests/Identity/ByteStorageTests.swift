import DualSendRollout
import Foundation
import Testing

@Suite("A byte storage")
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
  }
}
