import Foundation

/// Decompresses a Zstandard file (RFC 8878) with the system's `zstd` command, in another process.
final class ZstdProcess {
  /// The first bytes of a frame (RFC 8878, section 3.1.1).
  static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private let process = Process()
  private let output = Pipe()

  /// - Parameter file: the file, read from its start.
  /// - Throws: ``TextFile/Damage`` if the command is not installed, or the file is a pipe, which cannot be read again.
  init(_ file: FileHandle) throws {
    guard let command = Self.command else { throw TextFile.Damage.zstdMissing }
    do { try file.seek(toOffset: 0) } catch { throw TextFile.Damage.zstdInPipe }
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
