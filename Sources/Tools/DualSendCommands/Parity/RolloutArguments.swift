import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// Rollout documents on a command line, each with the time of its publication.
enum RolloutArguments {
  /// - Parameter arguments: `FILE`, `FILE@TIME`, or a folder of documents, which uses the files' modification times.
  /// - Throws: if a document cannot be read or is refused, or if more than one has no time.
  static func read(_ arguments: [String]) throws -> [PublishedRollout] {
    let published = try files(arguments).map { file in
      PublishedRollout(
        try RolloutDocument(proving: try InputFile.bytes(file.path), name: file.path), since: file.since)
    }
    if published.count > 1, published.count(where: { $0.since == nil }) > 1 {
      throw CommandError(
        "two rollout documents have no time",
        help: "add the time of its publication to each: rollout.json@2026-11-20T09:00:00Z")
    }
    return published
  }

  /// The documents with their times as texts, to tell whether two comparisons have the same.
  static func texts(_ arguments: [String]) throws -> [[UInt8]] {
    try files(arguments).map { Array("\($0.since ?? .min) ".utf8) + (try InputFile.bytes($0.path)) }
  }

  private static func files(_ arguments: [String]) throws -> [(path: String, since: Int64?)] {
    try arguments.flatMap(files)
  }

  private static func files(_ argument: String) throws -> [(path: String, since: Int64?)] {
    if let at = argument.lastIndex(of: "@"), !FileManager.default.fileExists(atPath: argument) {
      let time = String(argument[argument.index(after: at)...])
      guard let since = Timestamp.milliseconds(text: time) else {
        throw CommandError("`\(time)` in `\(argument)` is not a time such as 2026-11-20T09:00:00Z")
      }
      return [(String(argument[..<at]), since)]
    }
    guard InputFile.isFolder(argument) else {
      return [(argument, nil)]
    }
    let names = try InputFile.inFolder(argument) { try FileManager.default.contentsOfDirectory(atPath: argument) }
    let files = names.filter { $0.hasSuffix(".json") }.sorted(by: String.byteOrder)
    guard !files.isEmpty else { throw CommandError("\(argument) has no rollout documents") }
    return try files.map { name in
      let file = (argument as NSString).appendingPathComponent(name)
      return (file, try OpenedFile(file).modified)
    }
  }
}

/// The time for which apps may use an outdated document.
enum Lateness {
  /// - Returns: milliseconds.
  static func read(_ text: String) throws -> Int64 {
    guard let time = DurationText.milliseconds(text), time <= 366 * 86_400_000 else {
      throw ValidationError("`\(text)` is not a time of at most 366 days, such as 90m, 24h or 7d")
    }
    return time
  }
}

/// A duration as text: a number and a unit, such as `90m`, `24h` or `7d`.
enum DurationText {
  private static let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

  /// - Returns: `nil` if the text is no duration, or the duration is too long.
  static func milliseconds(_ text: some StringProtocol) -> Int64? {
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), number >= 0 else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }
}
