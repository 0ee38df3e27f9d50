/// Regular expressions that RE2 and Java read alike. None holds an apostrophe.
enum SQLPattern {
  static let whitespace = #"[ \t\r\n]*"#
  /// A string by its quotes, whatever stands between.
  static let string = #""[^"\\]*(?:\\[\s\S][^"\\]*)*""#
  static let key = string + whitespace + ":"
  /// A string, or what numbers and literals are made of.
  static let scalar = string + #"|[0-9a-zE+.\-]+"#
  /// A part of a shape.
  static let token = key + #"v|v|[{}\[\],]|[ \t\r\n]+|[\s\S]"#

  private static let unit =
    #"u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}"#
    + #"|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"#
  /// A string as RFC 8259 has it, without lone surrogates.
  static let strictString = #""[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|"# + unit + #")[^"\\\x00-\x1f]*)*""#
  static let number = #"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?"#
  /// A number that is finite beyond doubt.
  private static let smallNumber = #"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]{1,2})?"#
  static let cleanScalar = strictString + "|" + smallNumber + "|true|false|null"
  /// Nothing but scalars that are JSON beyond doubt, apart from each other.
  static let cleanLine = #"[ \t\r\n{}\[\]:,]*(?:(?:"# + cleanScalar + #")[ \t\r\n{}\[\]:,]+)*"#
  /// A dot that may be one character with what stands beside it.
  static let unclearDot = "[^" + apart + "]\\.|\\.[^" + apart + "]"
  private static let apart =
    #"\x00-\x7f\x{a0}-\x{2ff}\x{370}-\x{482}\x{48a}-\x{52f}\x{3041}-\x{3096}\x{30a1}-\x{30fa}\x{4e00}-\x{9fff}"#
    + #"\x{ac00}-\x{d7a3}"#
}
