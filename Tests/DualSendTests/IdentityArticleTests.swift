import DualSend
import Foundation
import Testing

private func wiring(
  folder: URL, oldLogger: any OldLogger, tracker: Tracker, rollout: RolloutSnapshot
) -> DualSendTracker {
  // Identity: the wiring
  let installation = StoredID.installation(.file(folder.appendingPathComponent("installation-id")))
  let user = StoredID.user(
    .file(folder.appendingPathComponent("user")), migrate: { UserDefaults.standard.string(forKey: "userID") })
  let logger = DualSendTracker(
    oldLogger: oldLogger, tracker: tracker, rollout: rollout, unitID: { user.current ?? installation.current })
  // Identity: the end
  return logger
}

private func changing(_ user: StoredID) async throws {
  // Identity: the changes
  try user.set("u-42")
  user.clear()
  user.reset()
  for await id in user.changes() { print(id ?? "signed out") }
  // Identity: the end
}

@Suite("The examples of the article on identity", .timeLimit(.minutes(5)))
struct IdentityArticleTests {
  @Test("stand in the article as they are compiled here", arguments: ["the wiring", "the changes"])
  func verbatim(name: String) throws {
    try DocumentedExample(document: "Sources/DualSend/DualSend.docc/Identity.md", name: name).check(in: #filePath)
  }

  @Test("show the keychain as the tests of AppleStubs run it")
  func keychain() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    try DocumentedExample(document: "Sources/DualSend/DualSend.docc/Identity.md", name: "the keychain")
      .check(in: root.appendingPathComponent("AppleStubs/Tests/AppleStubsTests/KeychainTests.swift").path)
  }
}
