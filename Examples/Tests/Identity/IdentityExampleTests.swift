import DualSend
import ExampleSupport
import Foundation
import Testing

@testable import IdentityExample

struct IdentityExampleTests {
  @Test func theIdentityOutlivesLaunchesAndEndsWithASignOut() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("identity-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lines = Locked<[String]>([])
    try IdentityExample.run(folder: folder) { line in lines.withLock { $0.append(line) } }
    #expect(
      lines.current == [
        "first launch: u-7", "signed in: u-42", "second launch: u-42", "signed out: a new anonymous user",
        "third launch: the same", "signed out for good: the installation",
      ])
  }
}
