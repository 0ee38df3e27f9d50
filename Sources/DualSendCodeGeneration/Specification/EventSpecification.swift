public import DualSendCore

/// Which events an app sends and what each carries: what ``EventCodeGenerator`` writes Swift from.
///
/// It is read from a folder of Markdown files, one an event, or from one JSON file; both give the same value. A
/// specification that was read is checked as a whole; one that is put together in code is checked by the generator.
public struct EventSpecification: Sendable {
  /// The events, ordered by the UTF-8 bytes of their names.
  public let events: [Event]

  /// Puts a specification together, unchecked.
  public init(events: [Event]) {
    self.events = events.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// Takes over what was read if nothing of it is wrong.
  init(checking events: [PlacedEvent], after found: BoundedFindings) throws(DocumentError) {
    var findings = found
    findings.add(SpecificationCheck.findings(in: events))
    guard findings.isEmpty else { throw DocumentError(findings.diagnostics) }
    self.init(events: events.map(\.event))
  }
}

extension EventSpecification {
  /// One event: its name, what it means, what it carries.
  public struct Event: Sendable {
    /// The name that the old logger knows.
    public var name: String
    /// The name of the Swift type; `nil` makes one of the event's name.
    public var swiftName: String?
    /// What has happened when the event is sent: the first paragraphs of the type's documentation. May be empty.
    public var description: String
    /// The parameters, in the order of the initializer's arguments.
    public var parameters: [Parameter]
    /// Everything else worth knowing, behind the description. May be empty.
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

  /// One parameter of an event, a key at the top of its payload.
  public struct Parameter: Sendable {
    /// The key that the old logger knows; a dot in it is a dot.
    public var key: String
    /// The name of the Swift property; `nil` makes one of the key.
    public var swiftName: String?
    /// The type of its values, or of their elements.
    public var type: ParameterType
    /// Whether the parameter may be absent.
    public var isNullable: Bool
    /// The only values there are, strings or integers as the type says; empty if any value may come.
    public var values: [EventValue]
    /// What the value means. May be empty.
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
  /// Whether both are written the same, byte by byte.
  public static func == (left: EventSpecification, right: EventSpecification) -> Bool {
    left.json.isExactly(right.json)
  }
}
