public import DualSendCore
public import Foundation

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

// MARK: - JSON

extension EventSpecification {
  /// Reads a specification from a JSON file.
  ///
  /// - Parameters:
  ///   - bytes: the file, described by `Fixtures/schemas/specification.schema.json`.
  ///   - name: the name for diagnostics, usually the file's name.
  /// - Throws: all findings; at most 100, and the number of the others.
  public init(json bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try JSONSpecificationReader(bytes, name: name)
    let found = reader.diagnostics
    // The last finding counts those that were not kept.
    guard found.count <= DocumentReader.maximumFindings else { throw DocumentError(found) }
    try self.init(checking: reader.events(), after: BoundedFindings(found))
  }

  /// The specification as indented JSON. Reading it gives an equal specification.
  public var json: String {
    var text = "{\n  \"formatVersion\": \(JSONSpecificationReader.formatVersion),\n  \"specification\": {"
    for (index, event) in events.enumerated() {
      text += (index > 0 ? "," : "") + "\n    " + EventValue.string(event.name).canonicalText + ": " + event.json
    }
    return text + (events.isEmpty ? "}\n}\n" : "\n  }\n}\n")
  }
}

/// Keeps the author's order, because parameters become arguments.
private func object(_ members: [(key: String, json: String?)], indent: Int) -> String {
  let lines = members.compactMap { member in
    member.json.map {
      String(repeating: " ", count: indent + 2) + EventValue.string(member.key).canonicalText + ": " + $0
    }
  }
  return lines.isEmpty
    ? "{}" : "{\n" + lines.joined(separator: ",\n") + "\n" + String(repeating: " ", count: indent) + "}"
}

private func text(_ text: String) -> String? {
  text.isEmpty ? nil : EventValue.string(text).canonicalText
}

extension EventSpecification.Event {
  fileprivate var json: String {
    object(
      [
        ("swiftName", swiftName.flatMap(text)), ("description", text(description)),
        (
          "parameters",
          parameters.isEmpty ? nil : object(parameters.map { ($0.key, $0.json) }, indent: 6)
        ),
        ("discussion", text(discussion)),
      ], indent: 4)
  }
}

extension EventSpecification.Parameter {
  /// On one line, so that parameters are easy to compare.
  fileprivate var json: String {
    let members: [(String, String?)] = [
      ("type", EventValue.string(type.description).canonicalText), ("swiftName", swiftName.flatMap(text)),
      ("nullable", isNullable ? "true" : nil),
      ("values", values.isEmpty ? nil : "[" + values.map(\.canonicalText).joined(separator: ", ") + "]"),
      ("description", text(description)),
    ]
    return "{ " + members.compactMap { key, json in json.map { "\"\(key)\": \($0)" } }.joined(separator: ", ") + " }"
  }
}

// MARK: - Files

extension EventSpecification {
  /// Reads a specification: a folder of Markdown files, one for each event, or one JSON file.
  ///
  /// Reads all `.md` files in a folder and its subfolders, except `README.md`.
  ///
  /// - Parameter file: the folder or the file. Diagnostics use its relative path.
  /// - Throws: `DocumentError` for an invalid specification; Foundation's errors if it cannot be read.
  public init(contentsOf file: URL) throws {
    guard Self.isFolder(file) else {
      try self.init(json: Data(contentsOf: file), name: file.relativePath)
      return
    }
    let files = try Self.markdownFiles(in: file).map { path in
      try MarkdownFile(
        name: file.relativePath + "/" + path, bytes: Array(Data(contentsOf: file.appendingPathComponent(path))))
    }
    try self.init(markdown: files)
  }

  /// The relative paths of a folder's Markdown files, sorted by bytes.
  public static func markdownFiles(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { path in
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".md") && name != "README.md" && !name.hasPrefix(".")
      }
      .sorted(by: String.byteOrder)
  }

  /// Whether the URL is a folder.
  public static func isFolder(_ file: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
