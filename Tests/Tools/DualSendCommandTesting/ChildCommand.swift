package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `dualsend` as a process of its own, which has a hash seed that no other process has.
package struct ChildCommand {
  /// Everything that a run leaves.
  package struct Traces: Equatable {
    package let status: Int32
    package let results: Data
    package let diagnostics: Data
    /// The content of the folder it ran in, by name.
    package let files: [String: Data]
  }

  package let arguments: [String]
  /// How many files the process may have open; `nil` for as many as this one.
  package var openFiles: Int?
  /// Sent to the process once the closure returns.
  package var signal: (number: Int32, after: @Sendable () async throws -> Void)?

  package init(
    arguments: [String], openFiles: Int? = nil,
    signal: (number: Int32, after: @Sendable () async throws -> Void)? = nil
  ) {
    (self.arguments, self.openFiles, self.signal) = (arguments, openFiles, signal)
  }

  /// Runs in a fresh folder, so that what it writes there can be compared.
  package func run(in folder: TemporaryFiles) async throws -> Traces {
    let workplace = folder.folder.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: workplace, withIntermediateDirectories: true)
    let results = try Self.output(folder.folder.appendingPathComponent("\(UUID()).results"))
    let diagnostics = try Self.output(folder.folder.appendingPathComponent("\(UUID()).diagnostics"))
    let process = Process()
    process.executableURL = Self.productsFolder.appendingPathComponent("DualSendTool")
    process.arguments = arguments
    if let openFiles, let command = process.executableURL?.path {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", #"ulimit -n \#(openFiles) && exec "$0" "$@""#, command] + arguments
    }
    process.currentDirectoryURL = workplace
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (results.handle, diagnostics.handle)
    // A fixed seed would compare a process with itself.
    let inherited = ProcessInfo.processInfo.environment
    process.environment = inherited.filter { ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].contains($0.key) }
    let (ended, continuation) = AsyncStream.makeStream(of: Never.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    let number = process.processIdentifier
    // Not a part of this task, whose cancellation would end the wait and not the process.
    let end = Task.detached { for await _ in ended {} }
    do {
      try await withTaskCancellationHandler {
        if let signal {
          try await signal.after()
          kill(number, signal.number)
        }
        await end.value
      } onCancel: {
        kill(number, SIGKILL)
      }
    } catch {
      kill(number, SIGKILL)
      throw error
    }
    return Traces(
      status: process.terminationStatus, results: try Data(contentsOf: results.file),
      diagnostics: try Data(contentsOf: diagnostics.file), files: try Self.content(of: workplace))
  }

  private static func output(_ file: URL) throws -> (file: URL, handle: FileHandle) {
    try Data().write(to: file)
    return (file, try FileHandle(forWritingTo: file))
  }

  private static func content(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = names.map { ($0, folder.appendingPathComponent($0)) }.filter { !$0.1.hasDirectoryPath }
    return try Dictionary(
      uniqueKeysWithValues: files.compactMap { name, file in
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
          return nil
        }
        return (name, try Data(contentsOf: file))
      })
  }

  /// Where the build put the command: beside the tests.
  private static var productsFolder: URL {
    #if canImport(Darwin)
      Bundle(for: TemporaryFiles.self).bundleURL.deletingLastPathComponent()
    #else
      Bundle.main.bundleURL
    #endif
  }
}
