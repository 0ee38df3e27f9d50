import DualSendCore

/// Generates the legacy events of the fixtures.
struct LegacyStream {
  static let eventCount = 6000
  static let unitCount = 450

  private static let units = qaUnits + (qaUnits.count..<unitCount).map { "unit-" + String(10_000 + $0 * 7) }
  /// Test devices that rules name.
  static let qaUnits = ["qa-device-1", "qa-device-7", "qa-tablet-2"]
  /// 2025-10-01T00:00:00Z in milliseconds.
  private static let start: Int64 = 1_759_276_800_000

  private var random: SplitMix64
  private let deck: [SampleEvent]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    deck = EventCatalogue.all.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  /// Every event as a JSON line: `{"name":…,"parameters":{…},"time":…,"unitID":…}`.
  static func lines(seed: UInt64) -> [UInt8] {
    var stream = LegacyStream(seed: seed)
    var writer = CanonicalJSONWriter(capacity: 3 << 20)
    var time = start
    for index in 0..<eventCount {
      time += Int64(1 + stream.random.number(below: 800_000))
      // Every event and every unit occurs at least once.
      let sketch = index < EventCatalogue.all.count ? EventCatalogue.all[index] : stream.anyEvent()
      let unit = index < units.count ? units[index] : stream.anyUnit()
      writer.value(stream.event(sketch, unit: unit, time: time))
      writer.raw("\n")
    }
    return writer.bytes
  }

  private mutating func anyEvent() -> SampleEvent {
    deck[random.number(below: deck.count)]
  }

  /// A random unit, of which some are more frequent. `nil` for one event in a hundred, sent before the app knew its unit.
  private mutating func anyUnit() -> String? {
    if random.chance(of: 1) { return nil }
    let bound = random.chance(of: 40) ? Self.unitCount / 10 : Self.unitCount
    return Self.units[random.number(below: bound)]
  }

  private mutating func event(_ sketch: SampleEvent, unit: String?, time: Int64) -> EventValue {
    var parameters: [String: EventValue] = [:]
    for parameter in EventCatalogue.common + sketch.parameters { parameter.add(to: &parameters, using: &random) }
    if let unit { parameters["uid"] = .string(unit) }
    // Some device clocks are late.
    let skew = random.chance(of: 5) ? Int64(random.number(below: 120_000)) : 0
    var members: [String: EventValue] = [
      "name": .string(sketch.name), "parameters": .object(parameters), "time": .int(time - skew),
    ]
    if let unit { members["unitID"] = .string(unit) }
    return .object(members)
  }
}
