import DualSendCore

/// An event of the sample app, with its entry in the remapping table.
struct SampleEvent: Sendable {
  /// The old name.
  let name: String
  /// The new name; `nil` keeps the old one.
  let newName: String?
  /// How often it happens, against the others.
  let weight: Int
  /// What its parameters hold.
  let parameters: [SampleParameter]
  /// The table's rows: old key path to new path, `null` or a row object.
  let rows: [String: EventValue]
  /// The table's constants.
  let constants: [String: EventValue]
  /// The table's `unmapped`; `nil` leaves it to the default.
  let unmapped: String?

  init(
    _ name: String, as newName: String? = nil, weight: Int = 3, _ parameters: [SampleParameter],
    rows: [String: EventValue] = [:], constants: [String: EventValue] = [:], unmapped: String? = nil
  ) {
    self.name = name
    self.newName = newName
    self.weight = weight
    self.parameters = parameters
    self.rows = rows
    self.constants = constants
    self.unmapped = unmapped
  }

  /// The event's entry in the table; `nil` if the table says nothing about it.
  var tableEntry: EventValue? {
    var entry: [String: EventValue] = [:]
    if let newName { entry["name"] = .string(newName) }
    if !rows.isEmpty { entry["parameters"] = .object(rows) }
    if !constants.isEmpty { entry["add"] = .object(constants) }
    if let unmapped { entry["unmapped"] = .string(unmapped) }
    return entry.isEmpty ? nil : .object(entry)
  }
}

/// A parameter of the sample app.
struct SampleParameter: Sendable {
  /// Generates a value.
  typealias Make = @Sendable (inout SplitMix64) -> EventValue

  let key: String
  /// The percentage of events with the key.
  let presence: Int
  /// The percentage of `null` among events with the key.
  let nulls: Int
  let make: Make

  init(_ key: String, presence: Int = 100, nulls: Int = 0, _ make: @escaping Make) {
    self.key = key
    self.presence = presence
    self.nulls = nulls
    self.make = make
  }

  /// Adds the parameter to a payload, with the probability `presence`.
  func add(to payload: inout [String: EventValue], using random: inout SplitMix64) {
    guard random.chance(of: presence) else { return }
    payload[key] = random.chance(of: nulls) ? .null : make(&random)
  }
}
