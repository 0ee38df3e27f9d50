import DualSendCore

/// Generators of realistic values, including numbers as strings.
enum SampleValues {
  typealias Make = SampleParameter.Make

  private static let titles = [
    "Blue mug", "Lamp, \"retro\"", "抹茶ラテ 300ml", "Café au lait", "Cafe\u{301} au lait", "Schlüsselbund", "пенал",
    "手帳 2026 🗓️", "👩‍👩‍👧 family pass", "Réglisse 100 g", "가죽 지갑", "tea\ttowel", "C:\\cable\\usb", "نعناع",
  ]
  private static let queries = [
    "mug", "mugs blue", "ラテ", "らて アイス", "wallet 가죽", "🎁", "x", "cafe\u{301}", "50% off", "a/b test", "\"exact\"",
  ]
  private static let comments = [
    "Great!", "届くのが早かったです。ありがとう😊", "Not what I expected…", "5/5 would buy again\nreally", "ok", "très bien 👍🏽",
  ]

  static let title = pick(titles)
  static let query = pick(queries)
  static let comment = pick(comments)
  static let price = decimalText(below: 20_000)

  static func pick(_ choices: [String]) -> Make {
    { .string(choices[$0.number(below: choices.count)]) }
  }

  /// `item-00042`: names from a numbered set.
  static func numbered(_ prefix: String, below bound: Int) -> Make {
    { .string(prefix + padded($0.number(below: bound), to: 5)) }
  }

  static func integer(_ range: ClosedRange<Int>) -> Make {
    { .int(Int64(range.lowerBound + $0.number(below: range.count))) }
  }

  /// `"7"`: a number as text.
  static func integerText(_ range: ClosedRange<Int>) -> Make {
    { .string(String(range.lowerBound + $0.number(below: range.count))) }
  }

  /// A number or its text, as when two teams log one event.
  static func mixedInteger(_ range: ClosedRange<Int>) -> Make {
    { random in
      let number = range.lowerBound + random.number(below: range.count)
      return random.chance(of: 30) ? .string(String(number)) : .int(Int64(number))
    }
  }

  static func hundredths(below bound: Int) -> Make {
    { .double(Double($0.number(below: bound)) / 100) }
  }

  /// `"12.50"`: an amount as text.
  static func decimalText(below bound: Int) -> Make {
    { random in
      let cents = random.number(below: bound)
      return .string("\(cents / 100)." + padded(cents % 100, to: 2))
    }
  }

  static let flag: Make = { .bool($0.chance(of: 50)) }
  /// `"1"` or `"0"`.
  static let flagText: Make = { .string($0.chance(of: 50) ? "1" : "0") }
  /// 1 or 0.
  static let flagNumber: Make = { .int($0.chance(of: 50) ? 1 : 0) }

  /// Milliseconds since 1970 within October 2025.
  static let moment: Make = { .int(1_759_276_800_000 + Int64($0.number(below: 31 * 86_400)) * 1000) }

  static func list(_ count: ClosedRange<Int>, of make: @escaping Make) -> Make {
    { random in
      let length = count.lowerBound + random.number(below: count.count)
      return .array((0..<length).map { _ in make(&random) })
    }
  }

  static func object(_ parameters: SampleParameter...) -> Make {
    { random in
      var members: [String: EventValue] = [:]
      for parameter in parameters { parameter.add(to: &members, using: &random) }
      return .object(members)
    }
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension SplitMix64 {
  /// Whether an event with this probability occurs.
  mutating func chance(of percent: Int) -> Bool {
    number(below: 100) < percent
  }
}
