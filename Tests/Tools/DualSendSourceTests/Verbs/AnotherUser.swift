import Foundation

/// A user who may not do everything.
enum AnotherUser {
  private static let launcher = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether the tests run as somebody who may become another, and the command is where the other can run it.
  static let isPossible: Bool = {
    guard getuid() == 0, FileManager.default.isExecutableFile(atPath: launcher[0]), let app = try? TemporaryApp() else {
      return false
    }
    return (try? run(["--help"], in: app).status) == 0
  }()

  static func run(_ arguments: [String], in app: TemporaryApp) throws -> BuiltCommand.Traces {
    try BuiltCommand.run(arguments, through: launcher, in: app)
  }
}
