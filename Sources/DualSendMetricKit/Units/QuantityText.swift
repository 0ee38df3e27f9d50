/// A quantity's text taken apart: groups of digits, what separates them, and the unit around them.
///
/// Digits of every script count (`٣`), as do all white space and the invisible marks that order text of both
/// directions.
struct QuantityText {
  /// The most scalars of a text that is read: a longer one is no quantity.
  static let maximumLength = 128

  /// What separates groups of digits.
  enum Separator {
    /// The Arabic decimal separator.
    case decimal
    /// White space, an apostrophe, the Arabic thousands separator.
    case grouping
    /// A point or a comma, which mean one thing or the other.
    case either
  }

  let isNegative: Bool
  /// The digits as ASCII, at least one group of at least one.
  let groups: [String]
  /// One fewer than groups; white space of every kind is the plain space.
  let separators: [UnicodeScalar]
  /// What stands before and behind the number, white space made plain.
  let unit: String

  init?(_ text: String) {
    let scalars = text.unicodeScalars.filter { !$0.isInvisible }.map { $0.properties.isWhitespace ? " " : $0 }
    guard scalars.count <= Self.maximumLength, let first = scalars.firstIndex(where: { $0.digit != nil }) else {
      return nil
    }
    var groups = [""]
    var separators: [UnicodeScalar] = []
    var end = first
    while end < scalars.count {
      if let digit = scalars[end].digit {
        groups[groups.count - 1].append(digit)
      } else if Self.kind(scalars[end]) != nil, end + 1 < scalars.count, scalars[end + 1].digit != nil {
        separators.append(scalars[end])
        groups.append("")
      } else {
        break
      }
      end += 1
    }
    var before = scalars[..<first].reversed().drop { $0 == " " }
    let isNegative = before.first?.isMinus ?? false
    if isNegative || before.first == "+" { before = before.dropFirst() }
    let after = scalars[end...]
    guard !after.contains(where: { $0.digit != nil }) else { return nil }
    var unit = String.UnicodeScalarView()
    unit.append(contentsOf: before.reversed())
    unit.append(" ")
    unit.append(contentsOf: after)
    self.isNegative = isNegative
    self.groups = groups
    self.separators = separators
    self.unit = String(unit).split(separator: " ").joined(separator: " ")
  }

  static func kind(_ scalar: UnicodeScalar) -> Separator? {
    switch scalar {
    case ".", ",": .either
    case "\u{66B}": .decimal
    case " ", "'", "\u{2019}", "\u{66C}": .grouping
    default: nil
    }
  }
}

extension UnicodeScalar {
  /// The ASCII digit of a decimal digit of any script.
  fileprivate var digit: Character? {
    guard properties.numericType == .decimal, let value = properties.numericValue, (0...9).contains(value) else {
      return nil
    }
    return Character(UnicodeScalar(UInt8(ascii: "0") + UInt8(value)))
  }

  fileprivate var isMinus: Bool {
    self == "-" || self == "\u{2212}"
  }

  /// A mark that orders text of both directions, or a byte order mark.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
