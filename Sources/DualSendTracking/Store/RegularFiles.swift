import DualSendCore
package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks that the files of a database are regular files. Opening a pipe waits for another process, and reading a
/// device may never end.
package enum RegularFiles {
  private static let suffixes = DatabaseAccess.suffixes + ["-reserve", ".lock"]

  /// Refuses pipes, sockets and devices in place of a database's files, without opening them.
  package static func check(_ database: URL) throws(TrackingStoreError) {
    for suffix in suffixes {
      var status = stat()
      guard stat(database.path + suffix, &status) == 0 else { continue }
      let kind = status.st_mode & S_IFMT
      guard kind != S_IFREG, kind != S_IFDIR else { continue }
      let name = (database.lastPathComponent + suffix).printable(limit: PrintableText.lineLimit)
      throw TrackingStoreError(kind: .inputOutput, message: "\(name) is a pipe, a socket or a device, not a file")
    }
  }
}
