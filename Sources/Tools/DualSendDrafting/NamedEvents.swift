package import DualSendCore
package import DualSendRemapping
package import DualSendSource

/// The events of one side with their keys.
package struct NamedEvents: Sendable {
  /// What is known of a key.
  struct Key: Sendable, Hashable {
    /// The most values of a key that may be a closed list.
    private static let maximumValues = 50

    /// Empty if unknown.
    var types: Set<ValueType> = []
    private var values: Set<ExactText> = []
    private var hasTooMany = false

    /// The values, if they are known and few enough for a closed list.
    var closedValues: Set<ExactText>? { hasTooMany || values.isEmpty ? nil : values }

    mutating func add(_ value: EventValue) {
      switch value {
      case .string(let text): values.insert(ExactText(text))
      case .int(let number): values.insert(ExactText(String(number)))
      case .null: return
      default: hasTooMany = true
      }
      if values.count > Self.maximumValues { (values, hasTooMany) = ([], true) }
    }

    mutating func merge(_ other: Key) {
      types.formUnion(other.types)
      values.formUnion(other.values)
      hasTooMany = hasTooMany || other.hasTooMany || values.count > Self.maximumValues
    }
  }

  typealias Keys = [ExactText: Key]

  private(set) var events: [ExactText: Keys] = [:]

  package init() {}

  /// Reads an inventory. Skips name patterns.
  package init(_ inventory: Inventory) {
    for event in inventory.callSites.flatMap(\.events) where !event.isPattern {
      add(event.name)
      for parameter in event.parameters {
        add(event.name, key: parameter.key, types: parameter.types.compactMap { ValueType(rawValue: $0.rawValue) })
      }
    }
  }

  /// Reads a tracking plan with the columns `new event` and `new key` (or `event` and `key`), and optionally `type`. An empty
  /// event is that of the line above.
  ///
  /// - Throws: the findings with their places.
  package init(csv bytes: [UInt8], name: String?) throws(DocumentError) {
    let sheet = try Sheet(bytes, name: name, known: TableSheet.columns, required: [])
    let (event, key) = sheet.columns.contains("new event") ? ("new event", "new key") : ("event", "key")
    var findings = sheet.findings
    if !sheet.columns.contains(event) {
      findings.add(.unfitColumns, "the column `event` is missing", at: 0, help: "name it in the first line")
    }
    try findings.throwIfAny()
    var lastEvent = ""
    for row in sheet.rows {
      // Merged cells: an empty one means the event above.
      if !row.name(event).isEmpty { lastEvent = row.name(event) }
      guard !lastEvent.isEmpty else { continue }
      add(lastEvent)
      let (path, type) = (row.name(key), row.text("type"))
      guard !path.isEmpty else { continue }
      if (try? KeyPathPattern(path)) == nil {
        findings.add(.unfitCell, "`\(path)` is not a path", at: row.offset(key), help: "write a literal dot as `\\.`")
      }
      if !type.isEmpty, ValueType(rawValue: type) == nil {
        let known = ValueType.allCases.map(\.rawValue)
        let nearest = nearestWord(to: type, among: known).map { "did you mean `\($0)`? " } ?? ""
        findings.add(
          .unfitCell, "unknown type `\(type)`", at: row.offset("type"),
          help: nearest + "one of " + known.joined(separator: ", ") + ", or nothing")
      }
      add(lastEvent, key: path, types: [ValueType(rawValue: type)].compactMap { $0 })
    }
    try findings.throwIfAny()
  }

  package var eventCount: Int { events.count }

  package mutating func add(_ event: String) {
    if events[ExactText(event)] == nil { events[ExactText(event)] = [:] }
  }

  package mutating func add(_ event: String, key: String, types: some Sequence<ValueType>) {
    events[ExactText(event), default: [:]][ExactText(key), default: Key()].types.formUnion(types)
  }

  /// Adds the values that a plan allows for a key.
  package mutating func add(_ event: String, key: String, values: some Sequence<EventValue>) {
    for value in values { events[ExactText(event), default: [:]][ExactText(key), default: Key()].add(value) }
  }

  /// Whether the values of a key are known.
  package var hasValues: Bool { events.values.contains { $0.values.contains { $0.closedValues != nil } } }
}

extension NamedEvents {
  /// Adds an event with all leaves and empty containers of its payload.
  package mutating func add(_ event: String, payload: [String: EventValue]) {
    add(event)
    var paths = PayloadPaths()
    paths.add(payload, in: nil)
    for (path, key) in paths.leaves { events[ExactText(event), default: [:]][path, default: Key()].merge(key) }
  }
}

/// The key paths of a payload, and the types of the values at each.
private struct PayloadPaths {
  /// The most elements of an array that are examined.
  private static let maximumElements = 50
  /// The most key paths. Further ones are considered data.
  private static let maximumPaths = 1000

  private var keys: NamedEvents.Keys = [:]
  private var parents: Set<ExactText> = []

  var leaves: NamedEvents.Keys { keys.filter { !parents.contains($0.key) } }

  mutating func add(_ members: [String: EventValue], in parent: ExactText?) {
    for (key, value) in members.sorted(by: { String.byteOrder($0.key, $1.key) }) {
      let step = KeyPathPattern(key: key).description
      add(value, at: ExactText(parent.map { $0.text + "." + step } ?? step), in: parent)
    }
  }

  private mutating func add(_ value: EventValue, at path: ExactText, in parent: ExactText?) {
    if keys[path] == nil {
      // The key of a comment cannot have a row.
      guard keys.count < Self.maximumPaths, path.text != "//", path.text != "_comment",
        (try? KeyPathPattern(path.text)) != nil
      else { return }
      keys[path] = NamedEvents.Key()
      if let parent { parents.insert(parent) }
    }
    if let type = value.writtenType { keys[path]?.types.insert(type) }
    keys[path]?.add(value)
    switch value {
    case .object(let members): add(members, in: path)
    case .array(let elements):
      for element in elements.prefix(Self.maximumElements) { add(element, at: ExactText(path.text + "[]"), in: path) }
    default: break
    }
  }
}

extension EventValue {
  /// The type of the value in JSON, where `1.0` is an integer and a date a text; `nil` for `null` and a container.
  fileprivate var writtenType: ValueType? {
    switch self {
    case .double(let number) where number.magnitude <= 0x1p53 && Int64(exactly: number) != nil: .int
    case .date: .string
    default: ValueType(rawValue: typeName)
    }
  }
}
