import DualSendCore

/// Takes the JSON form of a specification apart and reports what the format does not allow.
struct JSONSpecificationReader {
  static let formatVersion: Int64 = 1
  private static let descriptionKeys = ["description", "discussion"]

  private var reader: DocumentReader
  private var read: [(event: EventSpecification.Event, offset: Int, parameterOffsets: [Int])] = []

  init(_ bytes: some Sequence<UInt8>, name: String?) throws(DocumentError) {
    reader = try DocumentReader(bytes, name: name)
    readDocument()
  }

  var diagnostics: [DocumentDiagnostic] { reader.diagnostics }

  /// What was read, each with its place; goes once through the text.
  mutating func events() -> [PlacedEvent] {
    let source = reader.document.source
    let positions = source.positions(at: Set(read.flatMap { [$0.offset] + $0.parameterOffsets }))
    return read.map { entry in
      let path = EventPath([.key("specification"), .key(entry.event.name)])
      let parameters = zip(entry.event.parameters, entry.parameterOffsets).map { parameter, offset in
        PlacedEvent.Place(
          file: source.name, position: positions[offset],
          path: path.appending("parameters").appending(parameter.key))
      }
      return PlacedEvent(
        entry.event, at: PlacedEvent.Place(file: source.name, position: positions[entry.offset], path: path),
        parameters: parameters)
    }
  }

  private mutating func readDocument() {
    guard reader.hasFormat(Self.formatVersion) else { return }
    let root = reader.document.root
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
    var offsets: [Int] = []
    if let member = members["parameters"] {
      let path = path.appending("parameters")
      if case .object(let entries) = member.value.content {
        for entry in entries.withoutComments {
          guard let parameter = readParameter(entry, at: path.appending(entry.key)) else { continue }
          event.parameters.append(parameter)
          offsets.append(entry.keyOffset)
        }
      } else {
        reader.wrongType(member.value, at: path, expected: "an object")
      }
    }
    read.append((event, entry.keyOffset, offsets))
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

  private mutating func string(
    _ key: String, of members: [String: JSONNode.Member], at path: EventPath
  ) -> String? {
    members[key].flatMap { reader.string($0.value, at: path.appending(key)) }
  }
}
