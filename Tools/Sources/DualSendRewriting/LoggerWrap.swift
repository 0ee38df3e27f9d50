public import DualSendSource

/// Wraps the old logger at the places that create it.
public struct LoggerWrap: Sendable {
  /// The new texts of the changed files, by file name.
  public let changed: [String: String]
  /// The number of places.
  public let count: Int
  /// The places where the logger is kept, because its variable is declared with its concrete type: lines by file.
  public let typed: [(file: String, line: Int)]
  /// The files that may create the logger, but are not Swift or cannot be read.
  public let skipped: [SourceInventory.Skipped]

  /// Computes the changes; writes nothing.
  ///
  /// - Parameters:
  ///   - type: the old logger's type.
  ///   - function: the wrapping function with its label: `Telemetry.dualSend(wrapping:)`.
  public init(_ texts: SourceTexts, type: String, function: WrappingFunction, threads: Int = 1) {
    var changed: [String: String] = [:]
    var count = 0
    var typed: [(String, Int)] = []
    let (creations, skipped) = LoggerCreations(of: type, except: function.text).found(in: texts, threads: threads)
    for creation in creations {
      let edits = creation.ranges.flatMap { range in
        [
          SourceEdit(range.lowerBound..<range.lowerBound, function.opening),
          SourceEdit(range.upperBound..<range.upperBound, ")"),
        ]
      }
      guard let text = texts.text(creation.file) else { continue }
      for range in creation.typed {
        typed.append(
          (texts.paths[creation.file], text.utf8.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1))
      }
      if edits.isEmpty { continue }
      changed[texts.paths[creation.file]] = text.applying(edits)
      count += creation.ranges.count
    }
    (self.changed, self.count, self.typed, self.skipped) = (changed, count, typed, skipped)
  }
}

/// A function that takes a logger and returns one.
public struct WrappingFunction: Sendable, Hashable {
  /// The function without its label.
  let text: String
  private let label: String

  /// Reads `Telemetry.dualSend(wrapping:)`; `nil` if the function does not have exactly one argument.
  public init?(_ signature: String) {
    guard let open = signature.firstIndex(of: "("), signature.hasSuffix(":)"), open != signature.startIndex,
      !signature.contains(where: \.isWhitespace)
    else {
      return nil
    }
    text = String(signature[..<open])
    label = String(signature[signature.index(after: open)...].dropLast(2))
    guard !label.isEmpty, !label.contains(":"), SwiftCall.isCall(opening + "0)") else { return nil }
  }

  var opening: String { text + "(" + (label == "_" ? "" : label + ": ") }
}
