import DualSendCore

/// One event of the imagined app: how its old logger sends it, and what the remapping table makes of it.
struct EventSketch: Sendable {
  /// The old name.
  let name: String
  /// The new name; `nil` keeps the old one.
  let newName: String?
  /// How often it happens, against the others.
  let weight: Int
  /// What its parameters hold.
  let parameters: [ParameterSketch]
  /// The table's rows: old key path to new path, `null` or a row object.
  let rows: [String: EventValue]
  /// The table's constants.
  let constants: [String: EventValue]
  /// The table's `unmapped`; `nil` leaves it to the default.
  let unmapped: String?

  init(
    _ name: String, as newName: String? = nil, weight: Int = 3, _ parameters: [ParameterSketch],
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

/// One parameter, and how often a call site forgets it.
struct ParameterSketch: Sendable {
  /// Makes one value.
  typealias Make = @Sendable (inout SplitMix64) -> EventValue

  let key: String
  /// Of 100 events, how many have the key.
  let presence: Int
  /// Of 100 events with the key, how many have `null`.
  let nulls: Int
  let make: Make

  init(_ key: String, presence: Int = 100, nulls: Int = 0, _ make: @escaping Make) {
    self.key = key
    self.presence = presence
    self.nulls = nulls
    self.make = make
  }

  /// Adds the parameter to a payload, or forgets it.
  func add(to payload: inout [String: EventValue], using random: inout SplitMix64) {
    guard random.chance(of: presence) else { return }
    payload[key] = random.chance(of: nulls) ? .null : make(&random)
  }
}
