import DualSendCodeGeneration
import DualSendCommandLine
import Foundation

/// Writes a drafted specification. Never overwrites a file, because it may have been edited.
enum SpecificationOutput {
  /// - Parameter path: a file for JSON; or a folder for Markdown, if it exists or the path ends in a slash.
  /// - Returns: the number of files written.
  static func write(_ specification: EventSpecification, to path: String) throws -> Int {
    guard path.hasSuffix("/") || EventSpecification.isFolder(URL(fileURLWithPath: path)) else {
      try refuse(path)
      try InputFile.replace(path, with: Array(specification.json.utf8))
      return 1
    }
    var seen: Set<String> = []
    let files = try specification.events.map { event in
      guard let text = event.markdown else {
        throw CommandError(
          "the event `\(event.name)` cannot be written as Markdown: a name, a key or a value of it is empty or has a"
            + " line break or a control character", help: "write JSON: name a file with --output")
      }
      return ((path.hasSuffix("/") ? path : path + "/") + fileName(of: event.name, besides: &seen), text)
    }
    for (file, _) in files { try refuse(file) }
    try InputFile.makeFolder(path)
    for (file, text) in files { try InputFile.replace(file, with: Array(text.utf8)) }
    return files.count
  }

  private static func refuse(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw CommandError("\(path) already exists", help: "name another path, or remove it")
  }

  /// A file name that is valid on every file system, for any event name.
  static func fileName(of event: String, besides seen: inout Set<String>) -> String {
    var name = ""
    for byte in event.utf8.prefix(100) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !name.isEmpty: name += "."
      default: name += "%" + String(0x100 + Int(byte), radix: 16, uppercase: true).dropFirst()
      }
    }
    // Some file systems ignore case, and README.md does not describe an event.
    var unique = name
    var number = 1
    while unique.lowercased() == "readme" || !seen.insert(unique.lowercased()).inserted {
      number += 1
      unique = "\(name)-\(number)"
    }
    return unique + ".md"
  }
}
