public import Foundation

/// Keeps its bytes in one file, which is replaced by renaming a complete new one over it.
public struct FileStorage: StateStorage {
  private let file: URL
  private let maximumBytes: Int

  /// Names the file; nothing is touched before the first write, which creates its folder too.
  ///
  /// - Parameters:
  ///   - file: a file of the app's own, in a folder that the system does not empty (not the caches folder).
  ///   - maximumBytes: a longer file is not read but reported as unreadable.
  public init(_ file: URL, maximumBytes: Int = 16 << 20) {
    self.file = file
    self.maximumBytes = maximumBytes
  }

  /// The file's bytes; `nil` if there is no file.
  public func read() throws -> [UInt8]? {
    let handle: FileHandle
    do { handle = try FileHandle(forReadingFrom: file) } catch {
      if FileManager.default.fileExists(atPath: file.path) { throw error }
      return nil
    }
    defer { try? handle.close() }
    let bytes = try handle.read(upToCount: maximumBytes + 1) ?? Data()
    guard bytes.count <= maximumBytes else { throw CocoaError(.fileReadTooLarge) }
    return Array(bytes)
  }

  /// Replaces the file.
  public func write(_ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file, options: .atomic)
  }
}
