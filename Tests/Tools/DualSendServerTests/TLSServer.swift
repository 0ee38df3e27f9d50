import Foundation

/// A TLS server on loopback with a certificate of its own: `openssl s_server`, which answers every GET with a page.
final class TLSServer {
  /// What goes wrong before there is a server.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// Where the certificate is, in PEM.
  let certificate: URL
  let port: Int
  private let folder: URL
  private let process = Process()
  /// Held open for as long as the server is to run, be it that this process is killed.
  private let life = Pipe()

  /// - Parameter options: further ones of `openssl s_server`.
  init(_ options: String...) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appendingPathComponent("certificate.pem")
    let (path, key) = (certificate.path, folder.appendingPathComponent("key.pem").path)
    _ = try Self.run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 2"
        + " -addext subjectAltName=IP:127.0.0.1 -keyout '\(key)' -out '\(path)' 2>/dev/null")

    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Ended by the end of its input. Not by SIGTERM, which a child of a thread that blocks signals does not get.
    process.arguments =
      [
        "-c", "exec 3<&0; openssl s_server \"$@\" </dev/null & read end <&3; kill -9 $!", "sh", "-accept",
        "127.0.0.1:0", "-cert", path, "-key", key, "-www",
      ] + options
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = life
    try process.run()
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(description: "openssl s_server ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
      if let port = text.firstMatch(of: #/ACCEPT .*:([0-9]+)\n/#).flatMap({ Int($0.1) }) {
        self.port = port
        return
      }
    }
  }

  deinit {
    try? life.fileHandleForWriting.close()
    try? FileManager.default.removeItem(at: folder)
  }

  var url: URL? { URL(string: "https://127.0.0.1:\(port)/") }

  private static func run(_ command: String) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "failed: \(command)") }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
