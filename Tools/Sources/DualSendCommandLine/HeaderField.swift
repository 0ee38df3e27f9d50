import ArgumentParser

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
