import DualSendCore

/// Reads the JSON form of a specification, and reports what the format does not allow.
struct JSONSpecificationReader {
  /// A place in the document: the byte offset and the path.
  struct Place {
    let offset: Int
    let path: EventPath
  }

  static let formatVersion: Int64 = 1
  private static let descriptionKeys = ["description", "discussion"]

  var reader: DocumentReader
  var read: [(event: EventSpecification.Event, place: Place, parameters: [Place])] = []

  init(_ bytes: some Sequence<UInt8>, name: String?) throws(DocumentError) {
    reader = try DocumentReader(bytes, name: name)
    readDocument()
  }

  var diagnostics: [DocumentDiagnostic] { reader.diagnostics }

  /// The events with their places. Scans the text once.
  mutating func events() -> [PlacedEvent] {
    let source = reader.document.source
    let positions = source.positions(at: Set(read.flatMap { ([$0.place] + $0.parameters).map(\.offset) }))
    func placed(_ place: Place) -> PlacedEvent.Place {
      PlacedEvent.Place(file: source.name, position: positions[place.offset], path: place.path)
    }
    return read.map { PlacedEvent($0.event, at: placed($0.place), parameters: $0.parameters.map(placed)) }
  }

  private mutating func readDocument() {
    let root = reader.document.root
    if case .array(let events) = root.content {
      readList(events)
      return
    }
    guard reader.hasFormat(Self.formatVersion) else { return }
    let known = ["$schema", "formatVersion", "specification"]
    guard let members = reader.members(of: root, at: EventPath(), known: known) else { return }
    if let schema = members["$schema"] { _ = reader.string(schema.value, at: EventPath([.key("$schema")])) }
    let path = EventPath([.key("specification")])
    guard
      let member = reader.member(
        "specification", of: members, in: root, at: EventPath(),
        help: "add `\"specification\": {}` and an entry for each event")
    else { return }
    guard case .object(let entries) = member.value.content else {
      reader.wrongType(member.value, at: path, expected: "an object")
      return
    }
    for entry in entries.withoutComments { readEvent(entry, at: path.appending(entry.key)) }
    if entries.withoutComments.isEmpty {
      reader.report(
        .noEvents, "no event is specified", at: member.value.offset, path: path, help: "add an entry for each event")
    }
  }

  private mutating func readEvent(_ entry: JSONNode.Member, at path: EventPath) {
    let known = Self.descriptionKeys + ["swiftName", "parameters"]
    guard let members = reader.members(of: entry.value, at: path, known: known) else { return }
    var event = EventSpecification.Event(name: entry.key)
    event.swiftName = string("swiftName", of: members, at: path)
    event.description = string("description", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    event.discussion = string("discussion", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    var places: [Place] = []
    if let member = members["parameters"] {
      let path = path.appending("parameters")
      if case .object(let entries) = member.value.content {
        for entry in entries.withoutComments {
          let path = path.appending(entry.key)
          guard let parameter = readParameter(entry, at: path) else { continue }
          event.parameters.append(parameter)
          places.append(Place(offset: entry.keyOffset, path: path))
        }
      } else {
        reader.wrongType(member.value, at: path, expected: "an object")
      }
    }
    read.append((event, Place(offset: entry.keyOffset, path: path), places))
  }

  private mutating func readParameter(
    _ entry: JSONNode.Member, at path: EventPath
  ) -> EventSpecification.Parameter? {
    let known = ["type", "swiftName", "nullable", "values", "description"]
    guard let members = reader.members(of: entry.value, at: path, known: known) else { return nil }
    let swiftName = string("swiftName", of: members, at: path)
    let description = string("description", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    let isNullable = members["nullable"].flatMap { reader.bool($0.value, at: path.appending("nullable")) } ?? false
    let values = members["values"].map { readValues($0.value, at: path.appending("values")) } ?? []
    guard
      let type = reader.member(
        "type", of: members, in: entry.value, at: path, help: "add `\"type\": \"string\"`, or another type"),
      let word = reader.word(
        type.value, at: path.appending("type"), among: ParameterType.words, code: .unknownParameterWord, kind: "type"),
      let type = ParameterType(word)
    else { return nil }
    return EventSpecification.Parameter(
      key: entry.key, swiftName: swiftName, type: type, isNullable: isNullable, values: values,
      description: description)
  }

  private mutating func readValues(_ node: JSONNode, at path: EventPath) -> [EventValue] {
    guard let elements = reader.elements(node, at: path) else { return [] }
    if elements.isEmpty {
      reader.report(
        .unfitClosedValues, "the list of values is empty", at: node.offset, path: path,
        help: "leave `values` out: any value may come then")
    }
    return elements.map(\.node.eventValue)
  }

  mutating func string(
    _ key: String, of members: [String: JSONNode.Member], at path: EventPath
  ) -> String? {
    members[key].flatMap { reader.string($0.value, at: path.appending(key)) }
  }
}

// MARK: - Lists of Parchment's event generator

/// Reads the JSON format of Parchment's event generator: an array of events, each with an array of properties.
///
/// https://github.com/k-kohey/Parchment-swift/tree/main/EventGen
extension JSONSpecificationReader {
  private static let eventKeys = ["name", "properties", "description", "discussion"]
  private static let propertyKeys = ["name", "type", "nullable", "description"]

  mutating func readList(_ events: [JSONNode]) {
    for (index, event) in events.enumerated() { readEvent(event, at: EventPath([.index(index)])) }
    if events.isEmpty {
      let root = reader.document.root
      reader.report(
        .noEvents, "no event is specified", at: root.offset, path: EventPath(), help: "add an object for each event")
    }
  }

  private mutating func readEvent(_ node: JSONNode, at path: EventPath) {
    guard let members = reader.members(of: node, at: path, known: Self.eventKeys),
      let name = name(of: members, in: node, at: path)
    else { return }
    var event = EventSpecification.Event(name: name)
    event.description = string("description", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    event.discussion = string("discussion", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    var places: [Place] = []
    let properties = members["properties"].flatMap { reader.elements($0.value, at: path.appending("properties")) }
    for (node, path) in properties ?? [] {
      guard let parameter = readProperty(node, at: path) else { continue }
      event.parameters.append(parameter)
      places.append(Place(offset: node.offset, path: path))
    }
    read.append((event, Place(offset: node.offset, path: path), places))
  }

  private mutating func readProperty(_ node: JSONNode, at path: EventPath) -> EventSpecification.Parameter? {
    guard let members = reader.members(of: node, at: path, known: Self.propertyKeys) else { return nil }
    let name = name(of: members, in: node, at: path)
    let isNullable = members["nullable"].flatMap { reader.bool($0.value, at: path.appending("nullable")) } ?? false
    let description = string("description", of: members, at: path).map(SpecificationText.trimmed) ?? ""
    let typePath = path.appending("type")
    guard
      let type = reader.member(
        "type", of: members, in: node, at: path, help: "add `\"type\": \"string\"`, or another type"),
      let word = reader.word(
        type.value, at: typePath, among: ParameterType.parchmentWords, code: .unknownParameterWord, kind: "type"),
      let type = ParameterType.parchment(word), let name
    else { return nil }
    return EventSpecification.Parameter(key: name, type: type, isNullable: isNullable, description: description)
  }

  private mutating func name(
    of members: [String: JSONNode.Member], in node: JSONNode, at path: EventPath
  ) -> String? {
    reader.member("name", of: members, in: node, at: path)
      .flatMap { reader.string($0.value, at: path.appending("name")) }
  }
}
