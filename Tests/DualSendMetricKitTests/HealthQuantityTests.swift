import DualSendMetricKit
import Foundation
import Testing

@Suite("A quantity", .timeLimit(.minutes(5)))
struct HealthQuantityTests {
  @Test(
    "keeps the number and the unit of a measurement",
    arguments: [
      (.milliseconds, .milliseconds), (.seconds, .seconds), (.minutes, .minutes), (.hours, .hours),
    ] as [(UnitDuration, HealthUnit)])
  func durations(unit: UnitDuration, expected: HealthUnit) {
    #expect(HealthQuantity(Measurement(value: 2.5, unit: unit)) == HealthQuantity(2.5, expected))
  }

  @Test(
    "keeps the size of a measurement",
    arguments: [
      (.bytes, .bytes), (.kilobytes, .kilobytes), (.megabytes, .megabytes), (.gigabytes, .gigabytes),
    ] as [(UnitInformationStorage, HealthUnit)])
  func sizes(unit: UnitInformationStorage, expected: HealthUnit) {
    #expect(HealthQuantity(Measurement(value: 7, unit: unit)) == HealthQuantity(7, expected))
  }

  @Test(
    "names MetricKit's own units by their symbols",
    arguments: [
      ("bars", .bars), ("apl", .averagePixelLuminance), ("kiloinstructions", .kiloinstructions),
      ("ms per s", .millisecondsPerSecond), ("%", .percent), ("", .none),
    ] as [(String, HealthUnit)])
  func symbols(symbol: String, expected: HealthUnit) {
    #expect(HealthQuantity(Measurement(value: 3, unit: Unit(symbol: symbol))) == HealthQuantity(3, expected))
  }

  @Test("converts a duration and a size of a rarer unit")
  func rareUnits() {
    #expect(HealthQuantity(Measurement(value: 1_500, unit: UnitDuration.microseconds)).value(in: .milliseconds) == 1.5)
    #expect(HealthQuantity(Measurement(value: 2, unit: UnitInformationStorage.kibibytes)).value(in: .bytes) == 2_048)
  }

  @Test("keeps the symbol of a unit that is not known, and converts it into nothing else")
  func unknownUnit() {
    let quantity = HealthQuantity(Measurement(value: 5, unit: Unit(symbol: "wakeups")))
    #expect(quantity.unit.dimension == .unknown && quantity.unit.symbol == "wakeups")
    #expect(quantity.value(in: .kilobytes) == nil)
    #expect(quantity.value(in: quantity.unit) == 5)
  }

  @Test("is converted between units of one kind")
  func conversion() {
    #expect(HealthQuantity(1_500.5, .kilobytes).value(in: .megabytes) == 1.5005)
    #expect(HealthQuantity(2, .seconds).value(in: .milliseconds) == 2000)
    #expect(HealthQuantity(2, .seconds).value(in: .kilobytes) == nil)
    #expect(HealthQuantity(5, .percent).value(in: .millisecondsPerSecond) == 50)
  }
}

@Suite("A histogram", .timeLimit(.minutes(5)))
struct HealthHistogramTests {
  @Test("has its count, minimum, maximum and the average of bucket ends weighted by count")
  func sums() throws {
    let reading = HealthReading(
      .hangTime, Sample.histogram((0, 100, 50), (100, 400, 60), (400, 700, 30), (700, 800, 0)))
    let histogram = try #require([reading].histogram(.hangTime))
    #expect((histogram.count, histogram.minimum, histogram.maximum) == (140, 0, 700))
    let sum: Double = 50 * 100 + 60 * 400 + 30 * 700
    #expect(histogram.average == sum / 140)
  }

  @Test("has no average where nothing was measured")
  func empty() throws {
    let histogram = try #require([HealthReading(.resumeTime, Sample.histogram((1, 2, 0)))].histogram(.resumeTime))
    #expect(histogram.average == nil && histogram.minimum == nil && histogram.count == 0)
  }

  @Test("adds counts of any size without overflow")
  func overflow() throws {
    let value = Sample.histogram((1, 2, .max), (2, 3, .max))
    #expect([HealthReading(.resumeTime, value)].histogram(.resumeTime)?.count == .max)
  }
}
