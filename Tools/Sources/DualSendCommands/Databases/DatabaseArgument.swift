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

extension CommandError {
  /// An error about a database, with a fix that depends on the failure.
  init(_ error: TrackingStoreError, database path: String) {
    self.init("\(path): \(error)", help: Self.help(for: error, path))
  }

  private static func help(for error: TrackingStoreError, _ path: String) -> String {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if error == DatabaseIdentity.foreign { return "name a tracker's database, or a file that does not exist yet" }
    if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return "name a file in it" }
    switch error.kind {
    case .busy: return "stop the app or the other `dualsend` that uses it, and run the same command again"
    case .full: return "free some space and run the same command again: it continues where it stopped"
    case .damaged: return "read what is left with `dualsend salvage \(path) --out events.jsonl`"
    case .inputOutput where manager.fileExists(atPath: path) && !manager.isReadableFile(atPath: path):
      return "another user owns the file: run the command as its owner"
    case .inputOutput where !manager.isWritableFile(atPath: folder):
      return "\(folder) is not writable: it is mounted read-only, or another user owns it"
    case .inputOutput, .other: return "check the path, the permissions of the file and its folder, and the disk"
    }
  }
}
