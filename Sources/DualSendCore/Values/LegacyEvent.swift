/// An event of the old logger as it stands in a log: `{"name":…,"parameters":{…},"unitID":…,"time":…}`.
public struct LegacyEvent: Sendable, Hashable {
  /// The name that the old logger knows.
  public var name: String
  /// The parameters that the old logger knows.
  public var parameters: [String: EventValue]
  /// The installation or user that is bucketed; `nil` if it is not known.
  public var unitID: String?
  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` stands for the moment of sending.
  public var time: Int64?
  /// The id that the new event gets; `nil` lets the tracker make one.
  public var id: EventID?

  /// Creates an event.
  public init(
    name: String, parameters: [String: EventValue] = [:], unitID: String? = nil, time: Int64? = nil, id: EventID? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.unitID = unitID
    self.time = time
    self.id = id
  }

  /// Whether both are the same; texts and keys are if their UTF-8 bytes are.
  public static func == (left: LegacyEvent, right: LegacyEvent) -> Bool {
    left.name.isExactly(right.name) && left.parameters.hasExactly(right.parameters)
      && left.unitID.map(ExactText.init) == right.unitID.map(ExactText.init) && left.time == right.time
      && left.id == right.id
  }

  /// Why a line is not a legacy event.
  public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// One factual line without the event's values.
    public let description: String
    /// The byte of the line at which it is wrong, counted from 0, where that is known.
    public let offset: Int?

    /// Creates an error.
    public init(description: String, offset: Int?) {
      self.description = description
      self.offset = offset
    }
  }

  /// Reads one line of JSON. `parameters`, `unitID` and `time` may be absent or `null`; other keys are ignored.
  public init(reading line: some Sequence<UInt8>) throws(Malformed) {
    let value: EventValue
    do { value = try JSONReader().value(line) } catch {
      throw Malformed(description: error.description, offset: error.offset)
    }
    try self.init(value)
  }

  /// Takes a line that was read already, under the same rules.
  public init(_ value: EventValue) throws(Malformed) {
    guard case .object(let members) = value else {
      throw Malformed(description: "expected an object, found \(value.typeName)", offset: 0)
    }
    guard case .string(let name)? = members["name"] else {
      throw Malformed(description: "`name` is missing or not a string", offset: nil)
    }
    self.init(name: name)
    switch members["parameters"] {
    case nil, .null: break
    case .object(let parameters): self.parameters = parameters
    default: throw Malformed(description: "`parameters` is not an object", offset: nil)
    }
    switch members["unitID"] {
    case nil, .null: break
    case .string(let unitID): self.unitID = unitID
    default: throw Malformed(description: "`unitID` is not a string", offset: nil)
    }
    switch members["time"] {
    case nil, .null: break
    case .int(let time): self.time = time
    default: throw Malformed(description: "`time` is not a whole number of milliseconds", offset: nil)
    }
  }
}
