import DualSend
import Foundation

/// `identity FOLDER`: the signed-in user over three launches of an app that stores its state in a folder.
@main
struct IdentityExample {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: identity FOLDER\n".utf8))
      exit(64)
    }
    try run(folder: URL(fileURLWithPath: CommandLine.arguments[1])) { print($0) }
  }

  static func run(folder: URL, show: (String) -> Void) throws {
    // First launch: imports the identifier that the app stored elsewhere.
    let first = App(folder: folder, migrate: { "u-7" })
    show("first launch: \(first.unit)")
    try first.user.set("u-42")
    show("signed in: \(first.unit)")

    // Second launch: finds the stored identifier and does not import.
    let second = App(folder: folder, migrate: { "u-7" })
    show("second launch: \(second.unit)")
    let anonymous = second.user.reset()
    show("signed out: \(second.unit == anonymous ? "a new anonymous user" : second.unit)")

    // Third launch: the user is still anonymous.
    let third = App(folder: folder, migrate: { "u-7" })
    show("third launch: \(third.unit == second.unit ? "the same" : "a different user")")
    third.user.clear()
    show("signed out for good: \(third.unit == third.installation.current ? "the installation" : third.unit)")
  }
}

/// The objects that an app creates at launch.
private struct App {
  let installation: StoredID
  let user: StoredID

  init(folder: URL, migrate: @escaping @Sendable () throws -> String?) {
    installation = .installation(.file(folder.appendingPathComponent("installation-id")))
    user = .user(.file(folder.appendingPathComponent("user")), migrate: migrate)
  }

  /// The unit for bucketing.
  var unit: String { user.current ?? installation.current ?? "no unit" }
}
