import DualSendCore
import Foundation

/// Makes values of every kind from a seed.
struct RandomValues {
  private static let words = ["", "a", "b.c", "é", "\u{E000}", "\u{FFFF}", "😀", "\"\\/", "\u{0}\u{1F}\n\r\t", "日本"]
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func bits() -> UInt64 {
    random.next()
  }

  mutating func value(depth: Int = 4) -> EventValue {
    switch random.number(below: depth > 0 ? 8 : 6) {
    case 0: .null
    case 1: .bool(random.next() & 1 == 0)
    case 2: .int(Int64(bitPattern: random.next()) >> Int64(random.number(below: 64)))
    case 3: double()
    case 4, 5: .string(text())
    case 6: .array((0..<random.number(below: 4)).map { _ in value(depth: depth - 1) })
    default: .object(members(depth: depth - 1))
    }
  }

  private mutating func members(depth: Int) -> [String: EventValue] {
    var members: [String: EventValue] = [:]
    for _ in 0..<random.number(below: 5) { members[text()] = value(depth: depth) }
    return members
  }

  mutating func text() -> String {
    (0..<random.number(below: 4)).map { _ in Self.words[random.number(below: Self.words.count)] }.joined()
  }

  /// A finite double that is not whole: a whole one is written as an integer and read back as one.
  private mutating func double() -> EventValue {
    let number = Double(bitPattern: random.next())
    return .double(number.isFinite && number != number.rounded() ? number : random.fraction() + 0x1p-60)
  }
}
