import DualSend
import Foundation

/// `identity FOLDER`: the signed-in user over three launches of an app that stores its state in a folder.
@main
struct IdentityExample {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: identity FOLDER\n".utf8))
      exit(64)
    }
    try await run(folder: URL(fileURLWithPath: CommandLine.arguments[1])) { print($0) }
  }

  static func run(folder: URL, show: @escaping @Sendable (String) -> Void) async throws {
    // First launch: imports the identifier that the app stored elsewhere.
    let first = await App(folder: folder, migrate: { "u-7" })
    show("first launch: \(first.unit)")
    try await first.user.signIn("u-42")
    show("signed in: \(first.unit)")

    // Second launch: finds the stored identifier and does not import.
    let second = await App(folder: folder, migrate: { "u-7" })
    show("second launch: \(second.unit)")
    try await second.user.signOut(newAnonymousID: true)
    show("signed out: \(second.user.user?.isAnonymous == true ? "a new anonymous user" : second.unit)")

    // Third launch: the user is still anonymous.
    let third = await App(folder: folder, migrate: { "u-7" })
    show("third launch: \(third.unit == second.unit ? "the same" : "a different user")")
    try await third.user.signOut()
    show("signed out for good: \(third.unit == third.installationID.current ? "the installation" : third.unit)")
  }
}

/// The objects that an app creates at launch.
private struct App {
  let installationID: InstallationID
  let user: UserIdentity

  init(folder: URL, migrate: @escaping @Sendable () throws -> String?) async {
    let installationID = InstallationID(storage: .file(folder.appendingPathComponent("installation-id")))
    self.installationID = installationID
    user = UserIdentity(
      file: folder.appendingPathComponent("user"), fallback: { installationID.current }, migrate: migrate)
    await installationID.value()
    await user.value()
  }

  /// The unit for bucketing.
  var unit: String { user.current ?? "no user" }
}
