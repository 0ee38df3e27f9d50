public import DualSendCore

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
