import DualSendCore

extension HealthReading {
  /// The reading as parameters, whose keys begin with the metric's key.
  var parameters: [String: EventValue] {
    let key = metric.key
    switch value {
    case .count(let count): return [key: .int(count)]
    case .quantity(let quantity): return quantity.parameters(key)
    case .average(let average):
      var parameters = average.average.parameters(key)
      parameters[key + "_samples"] = .int(average.sampleCount)
      parameters[key + "_deviation"] = average.standardDeviation.map { .double($0) }
      return parameters
    case .histogram(let histogram): return histogram.parameters(key)
    }
  }
}

extension HealthQuantity {
  /// The number and its unit, if any.
  func parameters(_ key: String) -> [String: EventValue] {
    var parameters: [String: EventValue] = [key: .double(value)]
    if unit != .none { parameters[key + "_unit"] = .string(unit.symbol) }
    return parameters
  }
}

extension HealthHistogram {
  fileprivate func parameters(_ key: String) -> [String: EventValue] {
    var parameters: [String: EventValue] = [key + "_count": .int(count)]
    if unit != .none { parameters[key + "_unit"] = .string(unit.symbol) }
    parameters[key + "_minimum"] = minimum.map { .double($0) }
    parameters[key + "_maximum"] = maximum.map { .double($0) }
    parameters[key + "_average"] = average.map { .double($0) }
    return parameters
  }
}
