extension Dictionary where Key == String, Value == Any {
  /// Adds pairs; their values win.
  mutating func add(_ other: [String: Any]) {
    for (key, value) in other { self[key] = value }
  }

  /// Adds what every trip has.
  mutating func addCommon() {
    self["line"] = "north"
    self["season"] = 3
  }

  /// Adds a value if there is one.
  mutating func add(_ value: Any?, for key: String) {
    guard let value else { return }
    self[key] = value
  }

  mutating func merge(other: [String: Any]) {
    merge(other) { _, new in new }
  }

  mutating func replace(with other: [String: Any]) {
    self = other
  }
}
