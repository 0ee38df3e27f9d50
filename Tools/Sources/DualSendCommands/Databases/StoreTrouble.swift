import DualSendCommandLine
import DualSendTracking
import Foundation

/// What to do about a database that fails, by what failed.
extension CommandError {
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
    case .busy: return "end what works on it, an app or another `dualsend`, and run the same command again"
    case .full: return "free some space and run the same command again: it goes on where it stopped"
    case .damaged: return "read what is left with `dualsend salvage \(path) --out events.jsonl`"
    case .inputOutput where manager.fileExists(atPath: path) && !manager.isReadableFile(atPath: path):
      return "the file belongs to somebody else: run the command as its owner"
    case .inputOutput where !manager.isWritableFile(atPath: folder):
      return "\(folder) cannot be written here: it is mounted read-only, or belongs to somebody else"
    case .inputOutput, .other: return "check the path, the rights of the file and its folder, and the disk"
    }
  }
}
