public import DualSendCore

/// The specification of an app's events, from which ``EventCodeGenerator`` writes Swift.
///
/// Read from a folder of Markdown files or from a JSON file, and checked. A specification made in code is checked by
/// the generator.
public struct EventSpecification: Sendable {
  /// The events, sorted by the UTF-8 bytes of their names.
  public let events: [Event]

  /// Creates a specification without checking it.
  public init(events: [Event]) {
    self.events = events.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// Creates a specification from events that were read; throws if there are findings.
  init(checking events: [PlacedEvent], after found: BoundedFindings) throws(DocumentError) {
    var findings = found
    findings.add(SpecificationCheck.findings(in: events))
    guard findings.isEmpty else { throw DocumentError(findings.diagnostics) }
    self.init(events: events.map(\.event))
  }
}

extension EventSpecification {
  /// The specification of one event.
  public struct Event: Sendable {
    /// The old name.
    public var name: String
    /// The name of the Swift type; `nil` derives it from the event's name.
    public var swiftName: String?
    /// The meaning of the event, which becomes the type's documentation. May be empty.
    public var description: String
    /// The parameters, in the order of the initializer's arguments.
    public var parameters: [Parameter]
    /// Further documentation, after the description. May be empty.
    public var discussion: String

    /// Creates an event.
    public init(
      name: String, swiftName: String? = nil, description: String = "", parameters: [Parameter] = [],
      discussion: String = ""
    ) {
      self.name = name
      self.swiftName = swiftName
      self.description = description
      self.parameters = parameters
      self.discussion = discussion
    }
  }

  /// One parameter of an event: a top-level key of its payload.
  public struct Parameter: Sendable {
    /// The old key. A dot in it is literal.
    public var key: String
    /// The name of the Swift property; `nil` derives it from the key.
    public var swiftName: String?
    /// The type of its values, or of their elements.
    public var type: ParameterType
    /// Whether the parameter may be absent.
    public var isNullable: Bool
    /// The closed list of values, strings or integers; empty if any value is allowed.
    public var values: [EventValue]
    /// The meaning of the value. May be empty.
    public var description: String

    /// Creates a parameter.
    public init(
      key: String, swiftName: String? = nil, type: ParameterType, isNullable: Bool = false,
      values: [EventValue] = [], description: String = ""
    ) {
      self.key = key
      self.swiftName = swiftName
      self.type = type
      self.isNullable = isNullable
      self.values = values
      self.description = description
    }
  }
}

extension EventSpecification: Equatable {
  /// Compares the JSON forms by bytes.
  public static func == (left: EventSpecification, right: EventSpecification) -> Bool {
    left.json.isExactly(right.json)
  }
}
