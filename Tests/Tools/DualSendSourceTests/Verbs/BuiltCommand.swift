import Foundation

/// The built command as a process of its own: with its own hash seed, or as a user who may less than a test that is run
/// by root.
enum BuiltCommand {
  struct Traces: Equatable {
    let status: Int32
    let results: String
    let diagnostics: String
  }

  /// Where the build put the command: beside the tests.
  static var executable: URL {
    #if canImport(Darwin)
      Bundle(for: TemporaryApp.self).bundleURL.deletingLastPathComponent().appendingPathComponent("DualSendTool")
    #else
      Bundle.main.bundleURL.appendingPathComponent("DualSendTool")
    #endif
  }

  static func run(_ arguments: [String], through launcher: [String] = [], in app: TemporaryApp) throws -> Traces {
    let outputs = try ["results", "diagnostics"].map { name in
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).\(name)")
      try Data().write(to: file)
      return (file: file, handle: try FileHandle(forWritingTo: file))
    }
    defer { for output in outputs { try? FileManager.default.removeItem(at: output.file) } }
    let process = Process()
    let words = launcher + [executable.path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = app.folder
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (outputs[0].handle, outputs[1].handle)
    // A fixed seed would compare a process with itself.
    let inherited = ProcessInfo.processInfo.environment
    process.environment = inherited.filter { ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].contains($0.key) }
    try process.run()
    process.waitUntilExit()
    return Traces(
      status: process.terminationStatus, results: try String(contentsOf: outputs[0].file, encoding: .utf8),
      diagnostics: try String(contentsOf: outputs[1].file, encoding: .utf8))
  }
}
