import Foundation

/// The files of the page, by name. Read at each request, so that edits show at once.
struct PageFiles: Sendable {
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/json",
  ]

  private let folder: URL

  /// - Parameter folder: `nil` for the built-in page.
  /// - Returns: `nil` if there is no page.
  init?(folder: URL?) {
    let candidates = folder.map { [$0] } ?? Self.builtIn
    guard let found = candidates.first(where: Self.hasPage) else { return nil }
    self.folder = found
  }

  /// The folders of installed and built resources, beside the program. `Bundle.module` searches the same places, but ends
  /// the process if there is none.
  private static var builtIn: [URL] {
    let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    return [Bundle.main.bundleURL, program.deletingLastPathComponent(), Bundle(for: Marker.self).bundleURL]
      .flatMap { [$0, $0.deletingLastPathComponent()] }.flatMap(places)
  }

  /// Where a folder with products may have the page: SwiftPM's bundle on Linux, SwiftPM's on macOS, and Xcode's.
  static func places(in products: URL) -> [URL] {
    ["resources", "bundle", "bundle/Contents/Resources"].map {
      products.appendingPathComponent("DualSend_DualSendConsole.\($0)/Page")
    }
  }

  private final class Marker {}

  private static func hasPage(_ folder: URL) -> Bool {
    FileManager.default.isReadableFile(atPath: folder.appendingPathComponent("index.html").path)
  }

  /// The file below the token's path; `nil` if there is none.
  ///
  /// - Parameter path: the requested path. Only plain names are accepted, so no path leads out of the folder.
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
