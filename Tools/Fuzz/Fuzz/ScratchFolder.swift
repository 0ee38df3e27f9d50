import Foundation

/// One folder for the files of one input; `scripts/check fuzz` puts `TMPDIR` where writing is cheap and deletes it in the end.
enum ScratchFolder {
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  /// The folder, without what the input before left in it.
  static func emptied() -> URL {
    try? FileManager.default.removeItem(at: folder)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
