package import DualSendCore
import DualSendRemapping

/// The events of another tool's tracking plan, as a specification.
///
/// Read are, by their public descriptions: plans of Segment Protocols and of typewriter (`rules.events`, each with `name` and
/// `rules`, a JSON Schema; and the newer `rules` with `type`, `key` and `jsonSchema`), the export and the webhook of Avo
/// (`events`, each with `name` and `rules`, https://www.avo.app/docs/reference/public-api/export-tracking-plan), a JSON Schema
/// of one event by its `title`, a self-describing schema of Snowplow's Iglu by `self.name`, and lists of these. Of a schema,
/// `type`, `enum`, `required`, `description` and `format: date-time` are read. An object is one parameter of the specification,
/// and its own `properties` are keys of their own among the ``names``.
package struct TrackingPlan: Sendable {
  /// The specification that `dualsend generate` and `dualsend table draft` read.
  package let specification: EventValue
  /// The events with the paths of all keys, also those inside of objects and of elements of arrays.
  package let names: NamedEvents
  /// What is not read, and what was decided.
  package let findings: [DocumentDiagnostic]
  package let eventCount: Int

  /// Whether a document is such a plan.
  package static func isPlan(_ root: EventValue) -> Bool {
    guard case .object(let members) = root else { return false }
    if members.object("data") != nil { return isPlan(members["data"] ?? .null) }
    return members.object("rules")?["events"] != nil || members.list("rules")?.contains { $0.isRule } == true
      || members.list("events")?.contains { $0.isEvent } == true || members.list("eventSchemas") != nil
      || members.object("self")?["vendor"] != nil || members["$schema"] != nil && members.object("properties") != nil
  }

  /// - Returns: `nil` if no plan is recognised.
  package init?(_ root: EventValue, name: String) {
    var reader = Reader(file: name)
    reader.read(root)
    guard !reader.events.isEmpty else { return nil }
    eventCount = reader.events.count
    findings = reader.findings
    names = reader.names
    specification = ["formatVersion": 1, "specification": .object(reader.events)]
  }

  private struct Reader {
    let file: String
    private(set) var events: [String: EventValue] = [:]
    private(set) var findings: [DocumentDiagnostic] = []
    private(set) var names = NamedEvents()
    /// Whether a name that a single destination has was reported.
    private var isMappingReported = false

    init(file: String) { self.file = file }

    mutating func read(_ root: EventValue) {
      if case .array(let plans) = root { return plans.forEach { read($0) } }
      guard case .object(let members) = root else { return }
      if let data = members["data"] { read(data) }
      if let schemas = members["eventSchemas"] { read(schemas) }
      if let events = members.object("rules")?.list("events") ?? members.list("events") {
        for case .object(let event) in events {
          guard let name = event.text("name"), let schema = event.object("rules") else { continue }
          add(name, schema.payload, description: event.text("description"))
          reportMapping(in: schema.object("properties") ?? [:], of: name)
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
      var schema = schema
      schema["properties"] = .object(withoutForks(schema.object("properties") ?? [:], of: name))
      var parameters: [String: EventValue] = [:]
      for (key, value) in schema.object("properties") ?? [:] {
        guard case .object(let property) = value else { continue }
        parameters[key] = parameter(key, property, of: name, isRequired: required.contains(key))
        reportMapping(in: property, of: name)
      }
      names.add(name)
      addNames(of: schema, at: nil, in: name)
      var event: [String: EventValue] = ["parameters": .object(parameters)]
      event["description"] = description.flatMap { $0.isEmpty ? nil : .string($0.oneLine) }
      events[name] = .object(event)
    }

    /// Leaves out keys with the words of another one, such as `site id` beside `siteId`: both would be one property in Swift.
    private mutating func withoutForks(_ keys: [String: EventValue], of event: String) -> [String: EventValue] {
      var keys = keys
      for same in Dictionary(grouping: keys.keys, by: { NameWords($0) }).values where same.count > 1 {
        // The one that other names are written like.
        let sorted = same.sorted {
          ($0.contains(" ") ? 1 : 0, ExactText($0)) < ($1.contains(" ") ? 1 : 0, ExactText($1))
        }
        for key in sorted.dropFirst() where !NameWords(key).words.isEmpty {
          keys[key] = nil
          warn(
            "`\(key)` of `\(event)` is left out: in Swift it is `\(sorted[0])`, which the event has too",
            help: "if both are logged, let the table make one key of them (`or`)")
        }
      }
      return keys
    }

    /// Adds the paths of a schema's properties; of a container without properties of its own, its own path.
    private mutating func addNames(of schema: [String: EventValue], at parent: String?, in event: String) {
      for (key, value) in schema.object("properties") ?? [:] {
        guard case .object(var property) = value, !key.isEmpty else { continue }
        var path = KeyPathPattern(key: key).description
        if let parent { path = parent + "." + path }
        while property.types.contains("array") {
          path += "[]"
          property = property.object("items") ?? [:]
        }
        if property.object("properties")?.isEmpty == false {
          addNames(of: property, at: path, in: event)
        } else {
          let types = property.types.filter { $0 != "null" }.map { Self.type($0, property) }
          names.add(event, key: path, types: types.compactMap { ValueType(rawValue: $0) })
          names.add(event, key: path, values: property.list("enum") ?? [])
        }
      }
    }

    /// Avo can give an event or a property another name for one destination.
    private mutating func reportMapping(in members: [String: EventValue], of event: String) {
      guard members["nameMapping"] != nil, !isMappingReported else { return }
      isMappingReported = true
      warn(
        "names for single destinations (`nameMapping`, first in `\(event)`) are not read",
        help: "if the new names are those, write them in the specification")
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

  fileprivate var isEvent: Bool {
    if case .object(let members) = self { members["name"] != nil && members.object("rules") != nil } else { false }
  }

  fileprivate var isRule: Bool {
    if case .object(let members) = self { members["jsonSchema"] != nil } else { false }
  }
}

extension String {
  fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
