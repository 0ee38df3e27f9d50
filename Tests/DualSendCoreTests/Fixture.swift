import Foundation

/// Files of the repository's `Fixtures` folder.
enum Fixture {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The lines of a file without its heading.
  static func rows(_ path: String) throws -> [[Substring]] {
    let text = try String(decoding: Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
  }
}
