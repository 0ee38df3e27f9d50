import ArgumentParser
import DualSendCommandLine
import Foundation

/// `dualsend inventory`, which `dualsend-source` runs.
struct InventoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "inventory", abstract: "List the events and keys that an app's sources log.",
    discussion: SourceProgram.discussion)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of `dualsend-source inventory`.")
  var arguments: [String] = []

  func run(on terminal: Terminal) async throws -> CommandStatus {
    try SourceProgram.replaceThisProcess(["inventory"] + arguments)
  }
}

/// `dualsend rewrite`, which `dualsend-source` runs.
struct RewriteVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rewrite", abstract: "Change an app's sources at the start and the end of a migration.",
    discussion: SourceProgram.discussion)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of `dualsend-source rewrite`.")
  var arguments: [String] = []

  func run(on terminal: Terminal) async throws -> CommandStatus {
    try SourceProgram.replaceThisProcess(["rewrite"] + arguments)
  }
}

/// The program for verbs that read Swift sources. It is separate because swift-syntax takes minutes to build.
private enum SourceProgram {
  static let name = "dualsend-source"
  static let discussion = "`dualsend-source`, which is installed beside `dualsend`, runs this verb."

  /// Runs the program with the same files, environment and process ID.
  ///
  /// - Throws: ``CommandError`` if it is not installed or cannot be executed. Never returns otherwise.
  static func replaceThisProcess(_ arguments: [String]) throws -> CommandStatus {
    guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
      throw CommandError("the folder of `dualsend` is unknown", help: "run `\(name)` itself")
    }
    let path = folder.appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw CommandError(
        "`\(arguments[0])` needs `\(name)`, which is not in \(folder.path)",
        help: "run `scripts/install --with-sources`, or `scripts/dualsend \(arguments[0])` in a checkout")
    }
    var pointers = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    throw CommandError("cannot run \(path): \(String(cString: strerror(errno)))")
  }
}
