import Foundation

/// Unpacks a Zstandard file (RFC 8878) by the system's `zstd` command, in a process of its own.
final class ZstdProcess {
  /// What a frame starts with (RFC 8878, section 3.1.1).
  static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private let process = Process()
  private let output = Pipe()

  /// - Parameter file: is read from its start.
  /// - Throws: ``TextFile/Damage`` if the command is not installed, or the file is a pipe, whose start is gone.
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
    // Where the text is not read to its end, nobody waits for the rest.
    if process.isRunning { process.terminate() }
  }

  /// The next unpacked bytes, at most so many; empty at the end.
  ///
  /// - Throws: ``TextFile/Damage/zstdFailed`` at the end of a file that is not whole.
  func next(_ limit: Int) throws -> [UInt8] {
    if let bytes = try output.fileHandleForReading.read(upToCount: limit), !bytes.isEmpty { return Array(bytes) }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TextFile.Damage.zstdFailed }
    return []
  }

  /// Where the command is, if it is installed.
  static var command: URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("zstd") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
