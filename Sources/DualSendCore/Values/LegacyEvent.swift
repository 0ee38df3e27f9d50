/// An event of the old logger as written in a log: `{"name":…,"parameters":{…},"unitID":…,"time":…}`.
public struct LegacyEvent: Sendable, Hashable {
  /// The old name.
  public var name: String
  /// The old parameters.
  public var parameters: [String: EventValue]
  /// The installation or user that determines the bucket; `nil` if unknown.
  public var unitID: String?
  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` for the time of sending.
  public var time: Int64?
  /// The id for the new event; `nil` to let the tracker generate one.
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

  /// Compares all properties. Texts and keys are equal if their UTF-8 bytes are.
  public static func == (left: LegacyEvent, right: LegacyEvent) -> Bool {
    left.name.isExactly(right.name) && left.parameters.hasExactly(right.parameters)
      && left.unitID.map(ExactText.init) == right.unitID.map(ExactText.init) && left.time == right.time
      && left.id == right.id
  }

  /// Why a line is not a legacy event.
  public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message, without the event's values.
    public let description: String
    /// The byte offset of the fault in the line, if known.
    public let offset: Int?

    /// Creates an error.
    public init(description: String, offset: Int?) {
      self.description = description
      self.offset = offset
    }
  }

  /// Reads one line of JSON. `parameters`, `unitID` and `time` are optional or `null`; other keys are ignored.
  public init(reading line: some Sequence<UInt8>) throws(Malformed) {
    let value: EventValue
    do { value = try JSONReader().value(line) } catch {
      throw Malformed(description: error.description, offset: error.offset)
    }
    try self.init(value)
  }

  /// Reads a line that is already parsed, by the same rules.
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
