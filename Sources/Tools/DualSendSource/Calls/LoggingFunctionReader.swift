package import DualSendCore

extension LoggingFunction {
  /// Reads a team's own logging functions.
  ///
  /// - Parameters:
  ///   - bytes: JSON in UTF-8: `{"formatVersion": 1, "calls": [{"function": "track(_:properties:)", "name": 0}]}`.
  ///   - name: the file's name in findings.
  /// - Throws: all errors of the file together.
  package static func functions(
    reading bytes: some Sequence<UInt8>, name: String?
  ) throws(DocumentError) -> [LoggingFunction] {
    var reader = try DocumentReader(bytes, name: name)
    let functions = reader.loggingFunctions()
    if reader.hasErrors { throw DocumentError(reader.diagnostics) }
    return functions
  }
}

extension DocumentDiagnostic.Code {
  /// A logging function cannot be read.
  package static let invalidLoggingFunction = DocumentDiagnostic.Code(rawValue: "DS1302")
}

extension DocumentReader {
  private typealias Members = [String: JSONNode.Member]

  fileprivate mutating func loggingFunctions() -> [LoggingFunction] {
    let (root, top) = (document.root, EventPath())
    guard hasFormat(1),
      let members = members(of: root, at: top, known: ["$schema", "formatVersion", "calls", "rules"]),
      let calls = member(
        "calls", of: members, in: root, at: top, help: "add `\"calls\": []` with an object for each function")
    else { return [] }
    let rules = members["rules"].map { textRules($0.value, at: top.appending("rules")) } ?? [:]
    var found: [LoggingFunction] = []
    for element in elements(calls.value, at: top.appending("calls")) ?? [] {
      guard var function = loggingFunction(element.node, at: element.path) else { continue }
      function.rules = rules
      if found.contains(where: { $0.fitsCalls(of: function) }) {
        report(
          "`\(function.signature)` is described twice, for the same calls", at: element.node.offset, element.path,
          help: "keep one of the descriptions, or give each its `type`")
      }
      found.append(function)
    }
    return found
  }

  /// Reads `{"snakeCased": "snake_case"}`: the rules of the app's own text properties.
  private mutating func textRules(_ node: JSONNode, at path: EventPath) -> [String: TextRule] {
    (entries(node, at: path) ?? []).reduce(into: [:]) { rules, one in
      rules[one.key] = word(one.value, at: path.appending(one.key), code: .invalidLoggingFunction, kind: "rule")
    }
  }

  private mutating func loggingFunction(_ node: JSONNode, at path: EventPath) -> LoggingFunction? {
    let known = [
      "function", "type", "name", "parameters", "event", "nameProperty", "parametersProperty", "fixedName", "textKey",
      "keyProperty", "argumentType",
    ]
    guard let members = members(of: node, at: path, known: known),
      let signature = member(
        "function", of: members, in: node, at: path, help: "write it with its labels: `track(_:properties:)`")
    else { return nil }
    let type = text("type", of: members, at: path)
    guard let text = text("function", of: members, at: path), let content = content(members, node, at: path) else {
      return nil
    }
    guard var function = LoggingFunction(text, of: type, content: content) else {
      report(
        "`\(text)` is not a function with its labels", at: signature.value.offset, path.appending("function"),
        help: "write `track(_:properties:)`, with `_` for an argument without a label")
      return nil
    }
    check(function, members, at: path)
    function.argumentType = self.text("argumentType", of: members, at: path)
    if let keys = members["keyProperty"], let text = string(keys.value, at: path.appending("keyProperty")) {
      function.hasRawValueKeys = text == "rawValue"
      if text != "rawValue" {
        report(
          "keys cannot be read from `\(text)`", at: keys.value.offset, path.appending("keyProperty"),
          help: "write \"rawValue\" if the keys are the raw values of an enum, else leave it out")
      }
    }
    return function
  }

  private mutating func text(_ key: String, of members: Members, at path: EventPath) -> String? {
    members[key].flatMap { string($0.value, at: path.appending(key)) }
  }

  private mutating func content(
    _ members: Members, _ node: JSONNode, at path: EventPath
  ) -> LoggingFunction.Content? {
    guard let event = members["event"] else {
      let help = "say which argument is the name: its label, or its position from 0"
      guard let name = member("name", of: members, in: node, at: path, help: help) else { return nil }
      let parameters = members["parameters"].flatMap { argument($0, at: path.appending("parameters")) }
      var form = LoggingFunction.NameForm()
      form.property = property("nameProperty", of: members, at: path)
      let fixed = ["fixedName", "textKey"].compactMap { text($0, of: members, at: path) }
      if fixed.count == 2 {
        form.fixed = .init(name: fixed[0], key: fixed[1])
      } else if let one = members["fixedName"] ?? members["textKey"] {
        report(
          "`fixedName` and `textKey` need each other", at: one.keyOffset, path,
          help: "give the name of all events, and the key of the text that the function takes")
      }
      return argument(name, at: path.appending("name")).map { .parts(name: $0, parameters: parameters, form: form) }
    }
    for key in ["name", "parameters", "fixedName", "textKey"] {
      if let other = members[key] {
        report(
          "`\(key)` and `event` exclude each other", at: other.keyOffset, path.appending(key),
          help: "an event brings its own name and parameters")
      }
    }
    let name = property("nameProperty", of: members, at: path) ?? "name"
    let parameters = property("parametersProperty", of: members, at: path) ?? "parameters"
    return argument(event, at: path.appending("event"), allowsReceiver: true).map {
      .event($0, nameProperty: name, parametersProperty: parameters)
    }
  }

  private mutating func property(
    _ key: String, of members: Members, at path: EventPath
  ) -> PropertyPath? {
    guard let value = members[key]?.value, let text = string(value, at: path.appending(key)) else { return nil }
    let property = PropertyPath(text)
    if property == nil {
      report(
        "`\(text)` is no property", at: value.offset, path.appending(key),
        help: "write the property's name, or names joined by dots: `name.rawValue`")
    }
    return property
  }

  private mutating func argument(
    _ member: JSONNode.Member, at path: EventPath, allowsReceiver: Bool = false
  ) -> LoggingFunction.Argument? {
    switch member.value.eventValue {
    case .int(let position) where (0..<256).contains(position): return .position(Int(position))
    case .string("self") where allowsReceiver: return .receiver
    case .string(let label) where !label.isEmpty: return .label(label)
    default:
      report(
        "this names no argument", at: member.value.offset, path,
        help: "write the argument's label, or its position from 0" + (allowsReceiver ? ", or \"self\"" : ""))
      return nil
    }
  }

  private mutating func report(_ text: String, at offset: Int, _ path: EventPath, help: String) {
    report(.invalidLoggingFunction, text, at: offset, path: path, help: help)
  }

  /// Reports arguments that the function does not have.
  private mutating func check(
    _ function: LoggingFunction, _ members: Members, at path: EventPath
  ) {
    let keys = members["event"] == nil ? ["name", "parameters"] : ["event"]
    for (key, argument) in zip(keys, function.content.arguments) {
      guard argument != .receiver, function.place(of: argument) == nil, let member = members[key] else { continue }
      report(
        "`\(function.signature)` has no such argument", at: member.value.offset, path.appending(key),
        help: "its labels are " + function.labels.joined(separator: ", "))
    }
  }
}

extension LoggingFunction {
  /// Whether a call with exactly these labels may mean both descriptions.
  fileprivate func fitsCalls(of other: LoggingFunction) -> Bool {
    name == other.name && labels == other.labels && (type == other.type || type == nil || other.type == nil)
  }
}
