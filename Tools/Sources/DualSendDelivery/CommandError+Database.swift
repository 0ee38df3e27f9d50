package import DualSendCommandLine
package import DualSendTracking
import Foundation

extension CommandError {
  /// An error about a database, with a fix that depends on the failure.
  package init(_ error: TrackingStoreError, database path: String) {
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
    case .damaged: return "read what is left with `dualsend db salvage \(path) --out events.jsonl`"
    case .inputOutput where manager.fileExists(atPath: path) && !manager.isReadableFile(atPath: path):
      return "another user owns the file: run the command as its owner"
    case .inputOutput where !manager.isWritableFile(atPath: folder):
      return "\(folder) is not writable: it is mounted read-only, or another user owns it"
    case .inputOutput, .other: return "check the path, the permissions of the file and its folder, and the disk"
    }
  }
}
