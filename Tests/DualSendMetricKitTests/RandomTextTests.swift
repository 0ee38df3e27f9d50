import DualSendCore
import Testing

@testable import DualSendMetricKit

@Suite("Random input")
struct RandomTextTests {
  /// How one locale writes numbers.
  private struct Locale {
    let grouping: String
    let decimal: String
    let zero: UInt32
    let gap: String
  }

  private static let locales = [",", ".", " ", "\u{A0}", "\u{202F}", "'", "\u{2019}", "٬"].flatMap { grouping in
    [".", ",", "٫"].filter { $0 != grouping }.flatMap { decimal in
      [0x30, 0x660, 0x6F0, 0x966, 0x9E6, 0x1040].map { zero in
        Locale(grouping: grouping, decimal: decimal, zero: zero, gap: zero == 0x30 ? " " : "\u{A0}")
      }
    }
  }

  private func text(_ whole: Int, fraction: String, _ locale: Locale) -> String {
    var groups: [String] = []
    var rest = whole
    repeat {
      let group = String(rest % 1000)
      rest /= 1000
      groups.insert(rest > 0 ? String(repeating: "0", count: 3 - group.count) + group : group, at: 0)
    } while rest > 0
    let ascii = groups.joined(separator: locale.grouping) + (fraction.isEmpty ? "" : locale.decimal + fraction)
    var digits = String.UnicodeScalarView()
    for scalar in ascii.unicodeScalars {
      let isDigit = ("0"..."9").contains(scalar)
      digits.append(isDigit ? UnicodeScalar(locale.zero + scalar.value - 0x30) ?? scalar : scalar)
    }
    return String(digits) + locale.gap + "kB"
  }

  @Test("numbers of every locale are read as they were meant, and never silently as another", arguments: 0..<20)
  func locales(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for locale in Self.locales {
      let whole = random.number(below: [10, 1_000, 100_000, 1_000_000_000][random.number(below: 4)])
      let fraction = ["", "5", "25", "125"][random.number(below: 4)]
      let text = text(whole, fraction: fraction, locale)
      let meant = try #require(Double("\(whole).\(fraction.isEmpty ? "0" : fraction)"))
      let alone = try #require(NumberEvidence().quantity(text, expecting: .storage), "\(text)")
      #expect(alone.value == meant || alone.certainty == .assumed, "\(text)")
      #expect(alone.unit == .kilobytes)
      let format = HealthNumberFormat(decimalSeparator: locale.decimal, groupingSeparator: locale.grouping)
      let told = try #require(NumberEvidence(format: format).quantity(text, expecting: .storage))
      #expect(told.value == meant && told.certainty != .assumed, "\(text)")
    }
  }

  @Test(
    "payloads with random damage are read or refused, and never more than that",
    arguments: ["metrics-en", "diagnostics"])
  func damage(name: String) throws {
    let original = try Fixture.bytes(name)
    var random = SplitMix64(seed: 11)
    var refused = 0
    for _ in 0..<150 {
      var bytes = original
      for _ in 0...random.number(below: 3) {
        let position = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[position] = UInt8(random.number(below: 256))
        case 1: bytes.removeSubrange(position..<min(bytes.count, position + 1 + random.number(below: 40)))
        default: bytes.insert(contentsOf: Array(#"[{"":"#.utf8).prefix(1 + random.number(below: 4)), at: position)
        }
      }
      do {
        _ = try HealthMetricPayload(reading: bytes)
        _ = try HealthDiagnosticPayload(reading: bytes)
      } catch {
        refused += 1
        #expect(error.diagnostics.contains { $0.severity == .error })
      }
    }
    #expect(refused > 50)
  }
}
