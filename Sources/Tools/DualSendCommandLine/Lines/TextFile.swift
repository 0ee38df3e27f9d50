import DualSendCore
package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a text file or a pipe in chunks. Decompresses gzip and zstd, and removes a byte order mark.
package struct TextFile {
  /// Why a file cannot be read completely.
  package enum Damage: LocalizedError, Hashable {
    case corrupt
    case cutOff
    case zstdFailed
    case zstdMissing
    case zstdInPipe
    case device

    package var errorDescription: String? {
      switch self {
      case .corrupt: "the gzip file is damaged"
      case .cutOff: "the gzip file is cut off"
      case .zstdFailed: "the zstd file is damaged or cut off"
      case .zstdMissing: "it is packed with zstd, which is not installed here; install it, or unpack the file"
      case .device: "it is a device, which has no end; name a file or a pipe"
      case .zstdInPipe: "zstd is unpacked from files only; from a pipe: zstd -dc | …"
      }
    }
  }

  private static let pieceSize = 256 << 10

  private let handle: FileHandle
  private let keepsByteOrderMark: Bool
  private var gzip: GzipStream?
  private var zstd: ZstdProcess?
  private var isAtStart = true
  private var isAtStartOfText = true

  /// The bytes read from the file so far, before decompression.
  package private(set) var bytesRead = 0
  package var isPacked: Bool { gzip != nil || zstd != nil }

  package init(_ handle: FileHandle, keepsByteOrderMark: Bool = false) {
    self.handle = handle
    self.keepsByteOrderMark = keepsByteOrderMark
  }

  /// The next bytes; empty at the end.
  ///
  /// - Throws: ``Damage``, or an error of the system.
  package mutating func next() throws -> [UInt8] {
    var bytes = try nextUnpacked()
    guard isAtStartOfText, !keepsByteOrderMark else { return bytes }
    isAtStartOfText = false
    // A pipe may deliver only a part of the mark.
    while !bytes.isEmpty, bytes.count < SourceText.byteOrderMark.count, SourceText.byteOrderMark.starts(with: bytes) {
      let more = try nextUnpacked()
      if more.isEmpty { break }
      bytes += more
    }
    guard bytes.starts(with: SourceText.byteOrderMark) else { return bytes }
    bytes.removeFirst(SourceText.byteOrderMark.count)
    return bytes.isEmpty ? try nextUnpacked() : bytes
  }

  /// All bytes up to the end; `nil` if they exceed the limit.
  package mutating func all(limit: Int) throws -> [UInt8]? {
    var all: [UInt8] = []
    while case let bytes = try next(), !bytes.isEmpty {
      all += bytes
      if all.count > limit { return nil }
    }
    return all
  }

  private mutating func nextUnpacked() throws -> [UInt8] {
    if isAtStart {
      isAtStart = false
      try Self.refuseDevice(handle)
      var start = try read()
      for magic in [GzipStream.magic, ZstdProcess.magic] {
        while !start.isEmpty, start.count < magic.count, magic.starts(with: start) {
          let more = try read()
          if more.isEmpty { break }
          start += more
        }
      }
      if start.starts(with: ZstdProcess.magic) {
        let zstd = try ZstdProcess(handle, bytesRead: start.count)
        self.zstd = zstd
        return try nextUnpacked(by: zstd)
      }
      guard start.starts(with: GzipStream.magic) else { return start }
      let gzip = try GzipStream()
      gzip.feed(start)
      self.gzip = gzip
    }
    if let zstd { return try nextUnpacked(by: zstd) }
    guard let gzip else { return try read() }
    while true {
      let bytes: [UInt8]
      do { bytes = try gzip.next(Self.pieceSize) } catch { throw Damage.corrupt }
      if !bytes.isEmpty { return bytes }
      let packed = try read()
      if packed.isEmpty {
        guard gzip.isComplete else { throw Damage.cutOff }
        return []
      }
      gzip.feed(packed)
    }
  }

  private mutating func nextUnpacked(by zstd: ZstdProcess) throws -> [UInt8] {
    let bytes = try zstd.next(Self.pieceSize)
    // Both processes share the file offset.
    bytesRead = (try? handle.offset()).map { Int(clamping: $0) } ?? bytesRead
    return bytes
  }

  /// Refuses a device, such as `/dev/zero`, except terminals and `/dev/null`.
  ///
  /// - Throws: ``Damage/device``.
  package static func refuseDevice(_ handle: FileHandle) throws {
    var (status, empty) = (stat(), stat())
    guard handle !== FileHandle.nullDevice, fstat(handle.fileDescriptor, &status) == 0 else { return }
    let isDevice = [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    let isEmptyOne = stat("/dev/null", &empty) == 0 && empty.st_rdev == status.st_rdev
    if isDevice, !isEmptyOne, isatty(handle.fileDescriptor) == 0 { throw Damage.device }
  }

  private mutating func read() throws -> [UInt8] {
    let bytes = try handle.read(upToCount: Self.pieceSize).map { Array($0) } ?? []
    bytesRead += bytes.count
    return bytes
  }
}

// MARK: - Zstd process

/// Decompresses a Zstandard file (RFC 8878) with the system's `zstd` command, in another process.
final class ZstdProcess {
  /// The first bytes of a frame (RFC 8878, section 3.1.1).
  static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private let process = Process()
  private let output = Pipe()

  /// - Parameter bytesRead: what was read of the file to recognise it.
  /// - Throws: ``TextFile/Damage`` if the command is not installed, or the file is a pipe, which cannot be read again.
  init(_ file: FileHandle, bytesRead: Int) throws {
    guard let command = Self.command else { throw TextFile.Damage.zstdMissing }
    do { try file.seek(toOffset: try file.offset() - UInt64(bytesRead)) } catch { throw TextFile.Damage.zstdInPipe }
    process.executableURL = command
    process.arguments = ["--decompress", "--stdout", "--quiet"]
    process.standardInput = file
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    // The output may not have been read to its end.
    if process.isRunning { process.terminate() }
  }

  /// The next decompressed bytes, at most `limit`; empty at the end.
  ///
  /// - Throws: ``TextFile/Damage/zstdFailed`` at the end of an incomplete file.
  func next(_ limit: Int) throws -> [UInt8] {
    if let bytes = try output.fileHandleForReading.read(upToCount: limit), !bytes.isEmpty { return Array(bytes) }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TextFile.Damage.zstdFailed }
    return []
  }

  /// The URL of the command, if it is installed.
  static var command: URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("zstd") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
