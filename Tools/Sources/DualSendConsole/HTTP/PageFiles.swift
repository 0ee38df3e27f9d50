import Foundation

/// The files of the page, by name. Read at each request: they are few and small, and whoever works on them sees each change.
struct PageFiles: Sendable {
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/json",
  ]

  private let folder: URL

  /// - Parameter folder: `nil` for the page that is built in.
  /// - Returns: `nil` where there is no page.
  init?(folder: URL?) {
    let candidates = folder.map { [$0] } ?? Self.builtIn
    guard let found = candidates.first(where: Self.hasPage) else { return nil }
    self.folder = found
  }

  /// Beside the program, where it was installed with its resources, or where it was built. `Bundle.module` looks in the
  /// same places, and ends the process where there is nothing.
  private static var builtIn: [URL] {
    let name = "DualSendTools_DualSendConsole.resources/Page"
    let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    return [Bundle.main.bundleURL, program.deletingLastPathComponent(), Bundle(for: Marker.self).bundleURL]
      .flatMap { [$0.appendingPathComponent(name), $0.deletingLastPathComponent().appendingPathComponent(name)] }
  }

  private final class Marker {}

  private static func hasPage(_ folder: URL) -> Bool {
    FileManager.default.isReadableFile(atPath: folder.appendingPathComponent("index.html").path)
  }

  /// The file below the token's path; `nil` if there is none.
  ///
  /// - Parameter path: as it was sent. Only plain names are files: nothing leads out of the folder.
  func answer(_ path: [String]) -> ConsoleAnswer? {
    let parts = path == [""] ? ["index.html"] : path
    guard parts.allSatisfy(Self.isPlain), let type = Self.types[String(parts.last?.split(separator: ".").last ?? "")]
    else { return nil }
    let file = parts.reduce(folder) { $0.appendingPathComponent(String($1)) }
    guard let body = try? Data(contentsOf: file) else { return nil }
    return ConsoleAnswer(headers: ["Content-Type": type], body: Array(body))
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.first != "."
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
      }
  }
}
