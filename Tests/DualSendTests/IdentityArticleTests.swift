import DualSend
import Foundation
import Testing

private func wiring(
  folder: URL, installationID: InstallationID, oldLogger: any OldLogger, tracker: Tracker, rollout: RolloutSnapshot
) async -> DualSendTracker {
  // Identity: the wiring
  let user = UserIdentity(
    file: folder.appendingPathComponent("user"), fallback: { installationID.current },
    migrate: { UserDefaults.standard.string(forKey: "userID") })
  let logger = DualSendTracker(oldLogger: oldLogger, tracker: tracker, rollout: rollout, unitID: { user.current })
  await user.value()
  // Identity: the end
  return logger
}

private func changing(_ user: UserIdentity) async throws {
  // Identity: the changes
  try await user.signIn("u-42")
  try await user.signOut(newAnonymousID: true)
  for await change in user.changes { print(change?.id ?? "signed out") }
  // Identity: the end
}

@Suite("The examples of the article on identity")
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
