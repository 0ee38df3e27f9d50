import Foundation

/// Files of the repository's `Fixtures` folder.
enum Fixture {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// The lines of a file without its heading.
  static func rows(_ path: String) throws -> [[Substring]] {
    let text = try String(decoding: Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
  }
}
