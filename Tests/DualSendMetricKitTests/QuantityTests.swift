import Foundation
import Testing

@testable import DualSendMetricKit

@Suite("A quantity's text")
struct QuantityTests {
  private func read(
    _ text: String, _ dimension: HealthUnit.Dimension = .storage, beside texts: [String] = [],
    format: HealthNumberFormat? = nil
  ) -> HealthQuantity? {
    var evidence = NumberEvidence(format: format)
    for text in texts + [text] { evidence.add(text) }
    return evidence.quantity(text, expecting: dimension)
  }

  @Test(
    "gives its number and its unit, in every script and with every separator",
    arguments: [
      ("20 kB", 20, HealthUnit.kilobytes), ("0 kB", 0, .kilobytes), ("12", 12, .none), ("-5 kB", -5, .kilobytes),
      ("\u{2212}5 kB", -5, .kilobytes), ("200,000,000 kB", 200_000_000, .kilobytes),
      ("1.234,5 kB", 1234.5, .kilobytes), ("1,234.5 kB", 1234.5, .kilobytes), ("1.5 MB", 1.5, .megabytes),
      ("1,5 Mo", 1.5, .megabytes), ("2,000.25 byte", 2000.25, .bytes), ("1 234 567 kB", 1_234_567, .kilobytes),
      ("1\u{A0}234\u{202F}kB", 1234, .kilobytes), ("1\u{202F}234,5\u{A0}ko", 1234.5, .kilobytes),
      ("1\u{2019}234.5 kB", 1234.5, .kilobytes), ("1'234 kB", 1234, .kilobytes),
      ("39,90,413 kB", 3_990_413, .kilobytes), ("22,665,000千字节", 22_665_000, .kilobytes),
      ("١٬٢٣٤٫٥ كيلوبايت", 1234.5, .kilobytes), ("\u{200F}۱۲٫۵ کیلوبایت", 12.5, .kilobytes),
      ("0,123 kB", 0.123, .kilobytes), ("1234,567 kB", 1234.567, .kilobytes), ("12.25 кБ", 12.25, .kilobytes),
    ] as [(String, Double, HealthUnit)])
  func readings(text: String, value: Double, unit: HealthUnit) throws {
    let quantity = try #require(read(text))
    #expect(quantity.value == value)
    #expect(quantity.unit == unit)
    #expect(quantity.certainty == .certain)
    #expect(quantity.text == text)
  }

  @Test(
    "is a time, a signal, a ratio or a brightness where the metric is one",
    arguments: [
      ("0 sec", HealthUnit.Dimension.duration, 0, HealthUnit.seconds), ("100 ms", .duration, 100, .milliseconds),
      ("1.5 Sek.", .duration, 1.5, .seconds), ("64秒", .duration, 64, .seconds), ("٢٠ ث", .duration, 20, .seconds),
      ("820 ملي ث", .duration, 820, .milliseconds), ("5 мс", .duration, 5, .milliseconds),
      ("3 bars", .signal, 3, .bars), ("٣ bars", .signal, 3, .bars), ("50 apl", .luminance, 50, .averagePixelLuminance),
      ("4.5 ms per s", .ratio, 4.5, .millisecondsPerSecond), ("12 %", .ratio, 12, .percent),
      ("%12", .ratio, 12, .percent), ("١٢٪", .ratio, 12, .percent),
      ("100 kiloinstructions", .instructions, 100, .kiloinstructions),
    ] as [(String, HealthUnit.Dimension, Double, HealthUnit)])
  func dimensions(text: String, dimension: HealthUnit.Dimension, value: Double, unit: HealthUnit) throws {
    let quantity = try #require(read(text, dimension))
    #expect(quantity.value == value)
    #expect(quantity.unit == unit)
  }

  @Test(
    "of two readings is grouped digits where nothing tells, and says that it was assumed",
    arguments: [("1,234 kB", 1234), ("1.234 kB", 1234), ("١,٢٣٤ kB", 1234), ("-12,345 kB", -12_345)]
      as [(String, Double)])
  func assumed(text: String, value: Double) throws {
    let quantity = try #require(read(text))
    #expect(quantity.value == value)
    #expect(quantity.certainty == .assumed)
  }

  @Test(
    "of two readings is what the payload's other texts show",
    arguments: [
      ("1,234 kB", ["1,234,567 kB"], 1234), ("1,234 kB", ["12.5 ms"], 1234), ("1,234 kB", ["12,5 ms"], 1.234),
      ("1,234 kB", ["1.234.567 kB"], 1.234), ("1,234 kB", ["1\u{202F}000 ms"], 1.234),
      ("1.234 kB", ["1'000 ms"], 1.234), ("1.234 kB", ["1.234,5 ms"], 1234),
    ] as [(String, [String], Double)])
  func inferred(text: String, others: [String], value: Double) throws {
    let quantity = try #require(read(text, beside: others))
    #expect(quantity.value == value)
    #expect(quantity.certainty == .inferred)
  }

  @Test("of two readings is what the device's number format says, if the payload shows nothing")
  func format() throws {
    let german = HealthNumberFormat(locale: Locale(identifier: "de_DE"))
    #expect(read("1,234 kB", format: german)?.value == 1.234)
    #expect(read("1.234 kB", format: german)?.value == 1234)
    #expect(read("1.234 kB", format: german)?.certainty == .inferred)
    #expect(read("1.234 kB", beside: ["1,234,567 kB"], format: german)?.value == 1.234)
    #expect(read("1,234 kB", beside: ["1,234,567 kB"], format: german)?.value == 1234)
  }

  @Test("stays ambiguous where other texts contradict each other")
  func contradiction() {
    #expect(read("1,234 kB", beside: ["1,234,567 kB", "12,5 kB"])?.certainty == .assumed)
  }

  @Test(
    "that is none is not read",
    arguments: [
      "", "kB", "many kB", "1,23,45 kB", "1,2345,678 kB", "1.2.3 kB", "1,234.567,8 kB", "5 min 30 sec", "1 23 kB",
      String(repeating: "1", count: 129), "1٫2٫3 kB",
    ])
  func unreadable(text: String) {
    #expect(read(text) == nil)
  }

  @Test("keeps a unit that no language has, and converts it into nothing else")
  func unknownUnit() throws {
    let quantity = try #require(read("5 wakeups"))
    #expect(quantity.unit.dimension == .unknown)
    #expect(quantity.unit.symbol == "wakeups")
    #expect(quantity.value(in: .kilobytes) == nil)
    #expect(quantity.value(in: quantity.unit) == 5)
  }

  @Test("means a time or a size by what the metric measures")
  func sameWord() {
    #expect(read("5 o", .storage)?.unit == .bytes)
    #expect(read("5 o", .duration)?.unit != .bytes)
  }

  @Test("is converted between units of one kind")
  func conversion() throws {
    #expect(try #require(read("1,500.5 kB")).value(in: .megabytes) == 1.5005)
    #expect(try #require(read("2 sec", .duration)).value(in: .milliseconds) == 2000)
    #expect(try #require(read("2 sec", .duration)).value(in: .kilobytes) == nil)
    #expect(try #require(read("5 %", .ratio)).value(in: .millisecondsPerSecond) == 50)
  }
}
