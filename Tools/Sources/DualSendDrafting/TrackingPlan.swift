package import DualSendCore

/// The events of another tool's tracking plan, as a specification.
///
/// Read are, by their public descriptions: plans of Segment Protocols and of typewriter (`rules.events`, each with `name` and
/// `rules`, a JSON Schema; and the newer `rules` with `type`, `key` and `jsonSchema`), a JSON Schema of one event by its
/// `title`, a self-describing schema of Snowplow's Iglu by `self.name`, and lists of these. Of a schema, `type`, `enum`,
/// `required`, `description` and `format: date-time` are read, and objects that have `properties` of their own are not.
package struct TrackingPlan: Sendable {
  /// The specification that `dualsend generate` and `dualsend table draft` read.
  package let specification: EventValue
  /// What is not read, and what was decided.
  package let findings: [DocumentDiagnostic]
  package let eventCount: Int

  /// Whether a document is such a plan.
  package static func isPlan(_ root: EventValue) -> Bool {
    guard case .object(let members) = root else { return false }
    if members.object("data") != nil { return isPlan(members["data"] ?? .null) }
    return members.object("rules")?["events"] != nil || members.list("rules")?.contains { $0.isRule } == true
      || members.object("self")?["vendor"] != nil || members["$schema"] != nil && members.object("properties") != nil
  }

  /// - Returns: `nil` if no plan is recognised.
  package init?(_ root: EventValue, name: String) {
    var reader = Reader(file: name)
    reader.read(root)
    guard !reader.events.isEmpty else { return nil }
    eventCount = reader.events.count
    findings = reader.findings
    specification = ["formatVersion": 1, "specification": .object(reader.events)]
  }

  private struct Reader {
    let file: String
    var events: [String: EventValue] = [:]
    var findings: [DocumentDiagnostic] = []

    mutating func read(_ root: EventValue) {
      if case .array(let plans) = root { return plans.forEach { read($0) } }
      guard case .object(let members) = root else { return }
      if let data = members["data"] { read(data) }
      if let events = members.object("rules")?.list("events") {
        for case .object(let event) in events {
          guard let name = event.text("name"), let schema = event.object("rules") else { continue }
          add(name, schema.payload, description: event.text("description"))
        }
      } else if let rules = members.list("rules") {
        for case .object(let rule) in rules {
          guard let type = rule.text("type"), let schema = rule.object("jsonSchema") else { continue }
          if type == "TRACK", let name = rule.text("key") {
            add(name, schema.payload, description: schema.text("description"))
          } else {
            warn("a rule of the type `\(type)` is not read", help: "only events that are tracked have a specification")
          }
        }
      } else if members.object("properties") != nil {
        if let name = members.object("self")?.text("name") ?? members.text("title") {
          add(name, members, description: members.text("description"))
        } else {
          warn("a schema without a `title` is not read", help: "give it the event's name as its title")
        }
      }
    }

    private mutating func add(_ name: String, _ schema: [String: EventValue], description: String?) {
      if events[name] != nil {
        return warn("`\(name)` is there twice: the first one is read", help: "remove one of them")
      }
      let required = Set((schema.list("required") ?? []).compactMap(\.plainText))
      var parameters: [String: EventValue] = [:]
      for (key, value) in schema.object("properties") ?? [:] {
        guard case .object(let property) = value else { continue }
        parameters[key] = parameter(key, property, of: name, isRequired: required.contains(key))
      }
      var event: [String: EventValue] = ["parameters": .object(parameters)]
      event["description"] = description.flatMap { $0.isEmpty ? nil : .string($0.oneLine) }
      events[name] = .object(event)
    }

    private mutating func parameter(
      _ key: String, _ property: [String: EventValue], of event: String, isRequired: Bool
    ) -> EventValue {
      var types = property.types
      let isNullable = types.contains("null") || !isRequired
      types.removeAll { $0 == "null" }
      if types.count != 1 {
        let seen = types.isEmpty ? "no type" : types.map { "`\($0)`" }.joined(separator: " and ")
        warn(
          "`\(key)` of `\(event)` has \(seen): it is read as a text", help: "write one type in the specification")
      }
      var type = Self.type(types.count == 1 ? types[0] : "string", property)
      if type == "array" {
        let items = property.object("items") ?? [:]
        type = Self.type(items.types.first ?? "string", items) + "[]"
      }
      var members: [String: EventValue] = ["type": .string(type)]
      if isNullable { members["nullable"] = true }
      if let text = property.text("description"), !text.isEmpty { members["description"] = .string(text.oneLine) }
      if ["string", "int"].contains(type), let values = property.list("enum") {
        let closed = values.filter { $0 != .null }
        if !closed.isEmpty, Set(closed).count == closed.count { members["values"] = .array(closed) }
      }
      return .object(members)
    }

    private static func type(_ word: String, _ property: [String: EventValue]) -> String {
      switch word {
      case "integer": "int"
      case "number": "double"
      case "boolean": "bool"
      case "string": property.text("format") == "date-time" ? "date" : "string"
      case "array", "object": word
      default: "string"
      }
    }

    private mutating func warn(_ message: String, help: String) {
      findings.append(DocumentDiagnostic(.warning, .unreadPlan, message, file: file, help: help))
    }
  }
}

extension DocumentDiagnostic.Code {
  /// A part of a tracking plan that is not read as it stands.
  static let unreadPlan = DocumentDiagnostic.Code(rawValue: "DS1104")
}

extension [String: EventValue] {
  fileprivate func object(_ key: String) -> [String: EventValue]? {
    if case .object(let members)? = self[key] { members } else { nil }
  }

  fileprivate func list(_ key: String) -> [EventValue]? {
    if case .array(let elements)? = self[key] { elements } else { nil }
  }

  fileprivate func text(_ key: String) -> String? { self[key]?.plainText }

  /// The schema of an event's own keys: below `properties.properties`, beside `context` and `traits`.
  fileprivate var payload: [String: EventValue] {
    object("properties")?.object("properties") ?? self
  }

  /// The words of `type`.
  fileprivate var types: [String] { list("type")?.compactMap(\.plainText) ?? text("type").map { [$0] } ?? [] }
}

extension EventValue {
  fileprivate var plainText: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var isRule: Bool {
    if case .object(let members) = self { members["jsonSchema"] != nil } else { false }
  }
}

extension String {
  fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
