import ArgumentParser
import Foundation

/// The argument that names a tracker's database.
struct DatabaseArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The tracker's database.", valueName: "database"))
  var path: String

  init() {}

  /// The database's file, which must be there: opening it would make a new one.
  func file() throws -> URL {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError("there is no file \(path)", help: "check the path")
    }
    return URL(fileURLWithPath: path)
  }
}
