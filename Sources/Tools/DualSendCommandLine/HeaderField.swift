import ArgumentParser
import Foundation

/// One header field of a request (RFC 9110, section 5).
package struct HeaderField: Sendable, Hashable {
  /// The characters of a token, apart from letters and digits.
  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".unicodeScalars)

  package let name: String
  package let value: String

  /// Reads `NAME: VALUE`. Errors do not show the text, because the value may be a secret.
  package init(_ text: String) throws {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty,
      halves[0].unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) || Self.tokenMarks.contains($0)
      }),
      halves[1].unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
    else { throw ValidationError("a header field is `Name: value`") }
    name = String(halves[0])
    value = String(halves[1].drop { $0 == " " || $0 == "\t" })
  }
}

extension HeaderField {
  /// Reads the argument of `--header`: a field, or `@FILE` with a field on each line, which keeps a secret out of the list of
  /// processes.
  package static func fields(of argument: String) throws -> [HeaderField] {
    guard argument.hasPrefix("@") else { return [try HeaderField(argument)] }
    let path = String(argument.dropFirst())
    let text: String
    do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
      throw ValidationError("cannot read the header fields of \(path): \(error.localizedDescription)")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    if lines.isEmpty { throw ValidationError("\(path) has no header field") }
    return try lines.map { try HeaderField(String($0)) }
  }
}
