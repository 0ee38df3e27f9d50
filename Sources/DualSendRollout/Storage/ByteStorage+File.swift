public import Foundation

extension ByteStorage {
  /// Stores the bytes in a file that is readable by its owner only and replaced atomically.
  ///
  /// The first write creates the file and its folder.
  ///
  /// - Parameters:
  ///   - file: a file of the app's own, in a folder that the system does not empty (not the caches folder).
  ///   - maximumBytes: the size limit. Reading a longer file throws.
  public static func file(_ file: URL, maximumBytes: Int = 16 << 20) -> ByteStorage {
    ByteStorage {
      try read(file, maximumBytes: maximumBytes)
    } write: { bytes in
      let manager = FileManager.default
      try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    } delete: {
      do { try FileManager.default.removeItem(at: file) } catch {
        if FileManager.default.fileExists(atPath: file.path) { throw error }
      }
    }
  }

  private static func read(_ file: URL, maximumBytes: Int) throws -> [UInt8]? {
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
}
