#if os(Linux)
  import Foundation

  /// A file system of a few MiB, gone after the test.
  final class SmallDisk {
    static let isMountable = (try? SmallDisk()) != nil

    let app: TemporaryApp

    init(megabytes: Int = 4) throws {
      app = try TemporaryApp()
      try FileManager.default.createDirectory(atPath: app.path("disk"), withIntermediateDirectories: true)
      guard mount("tmpfs", app.path("disk"), "tmpfs", 0, "size=\(megabytes)m") == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
      }
    }

    deinit {
      umount2(app.path("disk"), Int32(MNT_DETACH))
    }

    /// Takes all the space that is left, but for so many bytes.
    func fill(leaving bytes: UInt64) throws {
      let path = app.path("disk/ballast")
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      defer { try? file.close() }
      while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
      try file.truncate(atOffset: try file.seekToEnd() - bytes)
    }
  }
#endif
