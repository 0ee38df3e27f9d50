/// Regular expressions with the same meaning in RE2 and in Java, without apostrophes.
struct SQLPattern {
  static let re2 = SQLPattern(repeated: "*")
  /// With possessive quantifiers, because Java's engine recurses for each repetition of a group that can backtrack, and
  /// overflows the stack. These groups never need to backtrack.
  static let java = SQLPattern(repeated: "*+")

  /// The quantifier of groups.
  private let repeated: String

  private init(repeated: String) {
    self.repeated = repeated
  }

  private var whitespace: String { #"[ \t\r\n]*"# }
  /// A string with any content.
  private var string: String { #""[^"\\]*(?:\\[\s\S][^"\\]*)"# + repeated + "\"" }
  var key: String { string + whitespace + ":" }
  /// A string, or the characters of a number or literal.
  var scalar: String { string + #"|["# + Self.bare + "]+" }
  /// A key, a scalar, or the text between them. The parts cover the whole line.
  var part: String { string + "(?:" + whitespace + ":)?|[" + Self.bare + #"]+|[^""# + Self.bare + #"]+|""# }
  /// A token of a shape.
  var token: String { key + #"v|v|[{}\[\],]|[ \t\r\n]+|[\s\S]"# }

  /// The characters of numbers and literals, for a character class.
  private static let bare = #"0-9a-zE+.\-"#
  /// The characters of numbers and literals.
  static let bareCharacters = "0123456789abcdefghijklmnopqrstuvwxyzE+.-"

  private static let unit =
    #"u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}"#
    + #"|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"#
  /// A valid string (RFC 8259) without lone surrogates.
  var strictString: String {
    #""[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|"# + Self.unit + #")[^"\\\x00-\x1f]*)"# + repeated + "\""
  }
  static let number = #"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?"#
  /// A number that is certainly finite.
  private static let smallNumber = #"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]{1,2})?"#
  /// A line whose scalars are certainly valid and separate.
  var cleanLine: String {
    #"[ \t\r\n{}\[\]:,]*(?:(?:"# + strictString + "|" + Self.smallNumber + #"|true|false|null)[ \t\r\n{}\[\]:,]+)"#
      + repeated
  }
  private static let smallInteger = "[1-9][0-9]{0,17}"
  /// A scalar that the engine's JSON functions write with the same value, except that they decode escapes.
  private func plain(_ string: String) -> String {
    "(?:" + string + "|0|-?" + Self.smallInteger + "|-?(?:0|" + Self.smallInteger + #")\.[0-9]{1,17}|true|false|null)"#
  }
  private static let stringWithoutEscapes = #""[^"\\\x00-\x1f]*""#
  private func member(_ value: String) -> String { #""[^"\\\x00-\x1f]+""# + whitespace + ":" + whitespace + value }
  /// A line with scalars and one object of scalars, in two parts: up to the object's key, and from there. No key is empty or
  /// has an escape, and no string beside the object has one.
  var plainLine: (start: String, end: String) {
    let comma = whitespace + "," + whitespace
    let (outer, inner) = (member(plain(Self.stringWithoutEscapes)), member(plain(strictString)))
    let object = #"\{"# + whitespace + "(?:" + inner + "(?:" + comma + inner + ")*" + whitespace + #")?\}"#
    return (
      whitespace + #"\{"# + whitespace + "(?:" + outer + comma + #")*""#,
      "\"" + whitespace + ":" + whitespace + object + "(?:" + comma + outer + ")*" + whitespace + #"\}"# + whitespace
    )
  }
  /// A key without escapes, and its colon. The key has no colon, so that each scalar follows the first colon after its key.
  private static let simpleKey = #""[^"\\:\x00-\x1f]*+":"#
  private static let nestedKeys = #"(?:\{"# + simpleKey + ")*+"
  /// A line of objects without whitespace, escapes, arrays and empty objects, whose scalars are certainly valid.
  static let simpleLine =
    #"\{"# + simpleKey + nestedKeys + simpleScalar + #"(?:\}*+,"# + simpleKey + nestedKeys + simpleScalar + #")*+\}++"#
  private static let simpleScalar = "(?:" + stringWithoutEscapes + "|" + smallNumber + "|true|false|null)"
  /// A scalar of such a line, with the colon before it.
  static let simpleValue = #":("[^"]*+"|[^"{},]++)"#
  /// The text of a `DecisionStamp`, without the range of its revision.
  static let stamp = #"(?:-|0|[1-9][0-9]{0,18}):(?:both|old|new|none)(?:\+[A-Za-z0-9._\-]+)*(?::[A-Za-z]+)?"#
  /// The conditions that ``stamp`` does not check: the range of the revision and the length.
  static let stampBounds =
    " AND ds_bytes(content) <= 1024 AND (substr(content, 20, 1) <> ':' OR substr(content, 1, 19) <= '9223372036854775807')"
  /// RFC 3339: year, month, day, hour, minute, second, fraction with its point, zone.
  static let dateTime =
    "([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
  /// A dot that may form one character with its neighbour.
  static let unclearDot = "[^" + apart + "]\\.|\\.[^" + apart + "]"
  private static let apart =
    #"\x00-\x7f\x{a0}-\x{2ff}\x{370}-\x{482}\x{48a}-\x{52f}\x{3041}-\x{3096}\x{30a1}-\x{30fa}\x{4e00}-\x{9fff}"#
    + #"\x{ac00}-\x{d7a3}"#
}
