/// Regular expressions that match the same in RE2 and in Java. None holds an apostrophe.
struct SQLPattern {
  static let re2 = SQLPattern(repeated: "*")
  /// Java's engine calls itself for each round of a group, and ends the task when the stack does, unless the group gives
  /// nothing back; here it never has to.
  static let java = SQLPattern(repeated: "*+")

  /// How a group is repeated.
  private let repeated: String

  private init(repeated: String) {
    self.repeated = repeated
  }

  private var whitespace: String { #"[ \t\r\n]*"# }
  /// A string by its quotes, whatever stands between.
  private var string: String { #""[^"\\]*(?:\\[\s\S][^"\\]*)"# + repeated + "\"" }
  var key: String { string + whitespace + ":" }
  /// A string, or what numbers and literals are made of.
  var scalar: String { string + #"|["# + Self.bare + "]+" }
  /// A key, a scalar, or what stands between them: together, all of a line.
  var part: String { string + "(?:" + whitespace + ":)?|[" + Self.bare + #"]+|[^""# + Self.bare + #"]+|""# }
  /// A part of a shape.
  var token: String { key + #"v|v|[{}\[\],]|[ \t\r\n]+|[\s\S]"# }

  /// What numbers and literals are made of, as it stands in a class.
  private static let bare = #"0-9a-zE+.\-"#
  /// The same, one by one.
  static let bareCharacters = "0123456789abcdefghijklmnopqrstuvwxyzE+.-"

  private static let unit =
    #"u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}"#
    + #"|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"#
  /// A string as RFC 8259 has it, without lone surrogates.
  var strictString: String {
    #""[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|"# + Self.unit + #")[^"\\\x00-\x1f]*)"# + repeated + "\""
  }
  static let number = #"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?"#
  /// A number that is finite beyond doubt.
  private static let smallNumber = #"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]{1,2})?"#
  /// Nothing but scalars that are JSON beyond doubt, apart from each other.
  var cleanLine: String {
    #"[ \t\r\n{}\[\]:,]*(?:(?:"# + strictString + "|" + Self.smallNumber + #"|true|false|null)[ \t\r\n{}\[\]:,]+)"#
      + repeated
  }
  /// A decision's text, but for the range of its revision: see `DecisionStamp`.
  static let stamp = #"(?:-|0|[1-9][0-9]{0,18}):(?:both|old|new|none)(?:\+[A-Za-z0-9._\-]+)*(?::[A-Za-z]+)?"#
  /// What ``stamp`` does not say: the range of the revision, and the longest text.
  static let stampBounds =
    " AND ds_bytes(content) <= 1024 AND (substr(content, 20, 1) <> ':' OR substr(content, 1, 19) <= '9223372036854775807')"
  /// RFC 3339: year, month, day, hour, minute, second, fraction with its point, zone.
  static let dateTime =
    "([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
  /// A dot that may be one character with what stands beside it.
  static let unclearDot = "[^" + apart + "]\\.|\\.[^" + apart + "]"
  private static let apart =
    #"\x00-\x7f\x{a0}-\x{2ff}\x{370}-\x{482}\x{48a}-\x{52f}\x{3041}-\x{3096}\x{30a1}-\x{30fa}\x{4e00}-\x{9fff}"#
    + #"\x{ac00}-\x{d7a3}"#
}
