import DualSendCore

extension PayloadReader {
  /// The metrics of an object's members; what the tree does not know is kept.
  mutating func readings(
    _ members: [JSONNode.Member], at path: EventPath, in tree: MetricTree
  ) -> [HealthReading] {
    var readings: [HealthReading] = []
    for member in members {
      let place = path.appending(member.key)
      switch tree[member.key] {
      case .group(let group)?: readings += self.readings(self.members(member.value, at: place), at: place, in: group)
      case .metric(let metric)?:
        if let value = value(of: metric, member, at: path) {
          readings.append(HealthReading(metric: metric, value: value))
        }
      case nil: keep(member, at: path)
      }
    }
    return readings
  }

  /// A metric's value by the form that it has; `nil` if there is none.
  private mutating func value(
    of metric: HealthMetric, _ member: JSONNode.Member, at path: EventPath
  ) -> HealthReading.Value? {
    let place = path.appending(member.key)
    switch member.value.content {
    case .null: return nil
    case .string(let text):
      guard let quantity = quantity(text, member.value, at: place, measures: metric.dimension) else {
        return .unreadable(.string(text))
      }
      return metric.isCount ? count(quantity.value, text) : .quantity(quantity)
    case .number(let number):
      if metric.isCount { return document.integer(member.value, at: place).map { .count($0) } }
      return Double(number.text).map { .quantity(HealthQuantity(value: $0, unit: .none, text: number.text)) }
    case .object(let members):
      if let buckets = members.first(where: { $0.key.isExactly("histogramValue") }) {
        return .histogram(histogram(buckets, of: members, at: place, measures: metric.dimension))
      }
      if let average = members.first(where: { $0.key.isExactly("averageValue") }) {
        return self.average(average, of: members, at: place, measures: metric.dimension)
      }
      keep(member, at: path)
      return nil
    default:
      document.wrongType(member.value, at: place, expected: "a number with its unit, an average or a histogram")
      return nil
    }
  }

  private func count(_ value: Double, _ text: String) -> HealthReading.Value {
    Int64(exactly: value).map { .count($0) } ?? .unreadable(.string(text))
  }

  private mutating func average(
    _ average: JSONNode.Member, of members: [JSONNode.Member], at path: EventPath,
    measures dimension: HealthUnit.Dimension
  ) -> HealthReading.Value? {
    var deviation: Double?
    var sampleCount: Int64 = 0
    for member in members {
      switch (member.key, member.value.content) {
      case ("averageValue", _): break
      case ("standardDeviation", .number(let number)): deviation = Double(number.text)
      case ("sampleCount", _):
        sampleCount = document.integer(member.value, at: path.appending(member.key)) ?? 0
      default: keep(member, at: path)
      }
    }
    let place = path.appending(average.key)
    switch average.value.content {
    case .number(let number):
      let value = HealthQuantity(value: Double(number.text) ?? 0, unit: .none, text: number.text)
      return .average(HealthAverage(average: value, standardDeviation: deviation, sampleCount: sampleCount))
    case .string(let text):
      guard let value = quantity(text, average.value, at: place, measures: dimension) else {
        return .unreadable(.string(text))
      }
      return .average(HealthAverage(average: value, standardDeviation: deviation, sampleCount: sampleCount))
    default:
      document.wrongType(average.value, at: place, expected: "a number with its unit")
      return nil
    }
  }
}
