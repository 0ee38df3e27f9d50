import DualSendCore

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
