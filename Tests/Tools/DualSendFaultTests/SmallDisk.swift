import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// A file system of a few MiB, gone after the test.
  final class SmallDisk {
    static let isMountable = (try? SmallDisk()) != nil
    static let whyNot: Comment = "a tmpfs cannot be mounted here: it takes root"

    static let blockBytes = 4096

    let folder: TemporaryFolder
    private var ballast: URL { folder.file("ballast") }

    init(megabytes: Int = 4) throws {
      folder = try TemporaryFolder()
      guard mount("tmpfs", folder.url.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
      }
    }

    deinit {
      umount2(folder.url.path, Int32(MNT_DETACH))
    }

    /// Takes all the space that is left.
    func fill() throws {
      _ = FileManager.default.createFile(atPath: ballast.path, contents: nil)
      let file = try FileHandle(forWritingTo: ballast)
      defer { try? file.close() }
      for size in [Self.blockBytes, 1] {
        while (try? file.write(contentsOf: Data(count: size))) != nil {}
      }
    }

    /// Takes all the space that is left, but for so many bytes.
    func fill(leaving bytes: UInt64) throws {
      try fill()
      let file = try FileHandle(forWritingTo: ballast)
      defer { try? file.close() }
      try file.truncate(atOffset: try file.seekToEnd() - bytes)
    }

    func free() throws {
      try FileManager.default.removeItem(at: ballast)
    }
  }
#endif
