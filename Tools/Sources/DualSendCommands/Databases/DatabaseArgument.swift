import ArgumentParser
import DualSendCommandLine
import DualSendTracking
import Foundation

/// The argument that names a tracker's database.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The tracker's database. Includes the databases of other trackers beside it (`NAME-2.sqlite`).",
      valueName: "database"))
  var path: String

  /// The database and those beside it.
  ///
  /// - Throws: ``CommandError`` if none exists: opening it would create one.
  func databases() throws -> [NamedDatabase] { try NamedDatabase.all(at: path) }
}

/// A database file, and its path in the form that the command line uses.
package struct NamedDatabase: Sendable, Hashable {
  let file: URL
  package let path: String

  /// The database at a path, and those of other trackers beside it.
  ///
  /// - Throws: ``CommandError`` if there is none.
  package static func all(at path: String) throws -> [NamedDatabase] {
    let databases = StoreFormat.databases(at: URL(fileURLWithPath: path)).map { NamedDatabase($0, beside: path) }
    guard !databases.isEmpty else { throw CommandError("there is no file \(path)", help: "check the path") }
    return databases
  }

  init(_ file: URL, beside path: String) {
    self.file = file
    let folder = (path as NSString).deletingLastPathComponent
    self.path =
      folder.isEmpty ? file.lastPathComponent : (folder as NSString).appendingPathComponent(file.lastPathComponent)
  }
}
