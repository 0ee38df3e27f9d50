import ArgumentParser
import DualSendCommandLine
import DualSendTracking
import Foundation

/// The argument that names a tracker's database.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The tracker's database; those that other trackers have beside it (`NAME-2.sqlite`) belong to it.",
      valueName: "database"))
  var path: String

  init() {}

  /// The database, and those beside it that are there, each with its path as people are told.
  ///
  /// - Throws: ``CommandError`` if there is none: a verb that opened one would make it.
  func databases() throws -> [NamedDatabase] { try NamedDatabase.all(at: path) }
}

/// A database and its path, written as the path that the command line has.
package struct NamedDatabase: Sendable, Hashable {
  let file: URL
  package let path: String

  /// The database at a path, and those that other trackers have beside it.
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
