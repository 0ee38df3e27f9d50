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
  public init(reading bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
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
      try self.init(reading: Data(contentsOf: file), name: file.relativePath)
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

// MARK: - Markdown

extension EventSpecification {
  /// One Markdown file of a specification.
  public struct MarkdownFile: Sendable {
    /// The name for diagnostics, usually the path.
    public var name: String
    /// The file, UTF-8.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Reads the Markdown files of a specification, one for each event.
  ///
  /// - Parameter files: the files, in any order.
  /// - Throws: all findings in all files; at most 100, and the number of the others.
  public init(markdown files: [MarkdownFile]) throws(DocumentError) {
    var events: [PlacedEvent] = []
    var findings = BoundedFindings()
    for file in files.sorted(by: { String.byteOrder($0.name, $1.name) }) {
      let reader = MarkdownEventReader(file)
      if let event = reader.event { events.append(event) }
      findings.add(reader.findings)
    }
    if files.isEmpty {
      findings.report(
        DocumentDiagnostic(
          .error, .noEvents, "no event is specified",
          help: "write a Markdown file for each event; `README.md` and hidden files are passed over"))
    }
    try self.init(checking: events, after: findings)
  }
}

extension EventSpecification.Event {
  /// The event as a Markdown file; `nil` if a name, a key or a value cannot be written there, for example because it
  /// has a line break.
  public var markdown: String? {
    let texts = [name] + parameters.flatMap { [$0.key] + $0.values.map(\.plainText) }
    let swiftNames = ([swiftName] + parameters.map(\.swiftName)).compactMap { $0 }
    guard (texts + swiftNames).allSatisfy(CodeSpan.isWritable), isDescriptionWritable,
      parameters.allSatisfy({ Self.isWritable($0.description) && !$0.description.contains("\n\n") }),
      Self.isFree(discussion), !SpecificationText.lines(of: discussion).contains(where: MarkdownEventReader.isSection)
    else { return nil }
    var blocks = ["# " + CodeSpan.text(name)]
    if let swiftName { blocks.append("Swift name: " + CodeSpan.text(swiftName)) }
    if !description.isEmpty { blocks.append(description) }
    if !parameters.isEmpty {
      blocks.append("## Parameters")
      blocks.append(parameters.map(\.markdown).joined(separator: "\n"))
    }
    if !discussion.isEmpty { blocks += ["## Discussion", discussion] }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension EventSpecification.Event {
  private var isDescriptionWritable: Bool {
    Self.isFree(description) && !description.hasPrefix(MarkdownEventReader.swiftNamePrefix)
      && !SpecificationText.lines(of: description).contains { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
  }

  /// Whether a parameter's description round-trips: no blank and no indented lines.
  private static func isWritable(_ text: String) -> Bool {
    isFree(text) && !SpecificationText.lines(of: text).contains { $0.hasPrefix(" ") }
  }

  private static func isFree(_ text: String) -> Bool {
    SpecificationText.trimmed(text).isExactly(text) && !text.unicodeScalars.contains(where: MarkdownText.isForbidden)
  }
}

extension EventSpecification.Parameter {
  fileprivate var markdown: String {
    var words = [type.description]
    if isNullable { words.append("nullable") }
    if let swiftName { words.append("swift " + CodeSpan.text(swiftName)) }
    if !values.isEmpty { words.append("one of " + values.map { CodeSpan.text($0.plainText) }.joined(separator: ", ")) }
    let lines = description.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: "\n  ")
    return "- " + CodeSpan.text(key) + " (" + words.joined(separator: ", ") + ")" + (lines.isEmpty ? "" : ": " + lines)
  }
}

extension EventValue {
  /// Strings unchanged, other values as JSON.
  fileprivate var plainText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
