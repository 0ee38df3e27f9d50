import DualSendCore

/// Checks a specification of any form: names, duplicates and closed values.
struct SpecificationCheck {
  /// The longest name of an event or parameter, in bytes.
  static let longestName = 500
  private static let longestSwiftName = 200

  private var findings = BoundedFindings()

  /// All findings, unsorted.
  static func findings(in events: [PlacedEvent]) -> BoundedFindings {
    var check = SpecificationCheck()
    check.checkEvents(events)
    for event in events { check.checkParameters(of: event) }
    return check.findings
  }

  /// Whether a text can be the name of an event or a parameter.
  static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= longestName }

  private mutating func checkEvents(_ events: [PlacedEvent]) {
    // Uses Swift's `==`, which also finds canonically equivalent names.
    var names: [String: PlacedEvent] = [:]
    var types: [String: PlacedEvent] = [:]
    for event in events {
      checkName(event.event.name, "an event's name", at: event.place)
      checkSwiftName(event.event.swiftName, SwiftName.isType, at: event.place)
      if let other = names[event.event.name] {
        report(
          .repeatedEvent, "`\(event.event.name)` is specified twice", at: event.place, other: other.place,
          Self.hasSameBytes(event.event.name, other.event.name), help: "keep one of the two")
        continue
      }
      names[event.event.name] = event
      let type = event.event.typeName
      if let other = types[type] {
        report(
          .sameIdentifier, "`\(event.event.name)` becomes the Swift type `\(type)`, as `\(other.event.name)` does",
          at: event.place, other: other.place, help: "give one of them another Swift name")
      } else {
        types[type] = event
      }
    }
  }

  private mutating func checkParameters(of event: PlacedEvent) {
    var keys: [String: PlacedEvent.Place] = [:]
    var spellings: [String: String] = [:]
    var properties: [String: (key: String, place: PlacedEvent.Place)] = [:]
    var types: [String: (key: String, place: PlacedEvent.Place)] = [:]
    for (index, parameter) in event.event.parameters.enumerated() {
      let place = event.place(ofParameter: index)
      checkName(parameter.key, "a parameter's key", at: place)
      checkSwiftName(parameter.swiftName, SwiftName.isMember, at: place)
      checkValues(of: parameter, at: place)
      if let other = keys[parameter.key] {
        report(
          .repeatedParameter, "`\(parameter.key)` is specified twice", at: place, other: other,
          Self.hasSameBytes(parameter.key, spellings[parameter.key] ?? ""), help: "keep one of the two")
        continue
      }
      (keys[parameter.key], spellings[parameter.key]) = (place, parameter.key)
      let property = parameter.propertyName
      if let other = properties[property] {
        reportSame(property, "property", parameter.key, other, at: place)
      } else if !parameter.values.isEmpty, let other = types[parameter.typeName] {
        reportSame(parameter.typeName, "type", parameter.key, other, at: place)
      }
      properties[property] = (parameter.key, place)
      if !parameter.values.isEmpty { types[parameter.typeName] = (parameter.key, place) }
    }
  }

  private mutating func reportSame(
    _ identifier: String, _ kind: String, _ key: String, _ other: (key: String, place: PlacedEvent.Place),
    at place: PlacedEvent.Place
  ) {
    report(
      .sameIdentifier, "`\(key)` becomes the Swift \(kind) `\(identifier)`, as `\(other.key)` does", at: place,
      other: other.place, help: "give one of them another Swift name")
  }

  private mutating func checkName(_ name: String, _ what: String, at place: PlacedEvent.Place) {
    if name.isEmpty {
      findings.report(DocumentDiagnostic(.invalidName, "\(what) is empty", at: place))
    } else if name.utf8.count > Self.longestName {
      findings.report(
        DocumentDiagnostic(.invalidName, "\(what) has more than \(Self.longestName) bytes: `\(name)`", at: place))
    }
  }

  private mutating func checkSwiftName(
    _ name: String?, _ isValid: (String) -> Bool, at place: PlacedEvent.Place
  ) {
    guard let name, name.utf8.count > Self.longestSwiftName || !isValid(name) else { return }
    findings.report(
      DocumentDiagnostic(
        .invalidSwiftName, "`\(name)` cannot be a Swift name here", at: place,
        help: "use ASCII letters, digits and `_`, no digit first, and no word that Swift or generated code reserves"))
  }

  private mutating func checkValues(of parameter: EventSpecification.Parameter, at place: PlacedEvent.Place) {
    guard !parameter.values.isEmpty else { return }
    guard parameter.type.hasClosedValues else {
      findings.report(
        DocumentDiagnostic(
          .unfitClosedValues, "values of the type \(parameter.type) cannot be a closed list", at: place,
          help: "only `string` and `int` can"))
      return
    }
    var cases: [String: EventValue] = [:]
    // Uses Swift's `==`, which also compares the raw values of an enumeration.
    var texts: Set<String> = []
    for value in parameter.values {
      guard value.isClosedValue(of: parameter.type.element) else {
        findings.report(
          DocumentDiagnostic(
            .unfitClosedValues, "the parameter's type is \(parameter.type), this is \(value.typeName)", at: place))
        continue
      }
      let name = SwiftName.enumCase(value)
      let isNew = texts.insert(value.canonicalText).inserted
      if !isNew, cases[name] != value {
        findings.report(
          DocumentDiagnostic(
            .unfitClosedValues,
            "the value \(value.canonicalText) is canonically equivalent to another one, with other bytes", at: place))
      } else if let other = cases[name] {
        let isSame = other == value
        findings.report(
          DocumentDiagnostic(
            isSame ? .unfitClosedValues : .sameIdentifier,
            isSame
              ? "the value \(value.canonicalText) appears twice"
              : "the values \(other.canonicalText) and \(value.canonicalText) both become the case `\(name)`",
            at: place,
            help: isSame ? "keep one" : "do not close the list: the parameter is then a plain \(parameter.type)"))
      }
      cases[name] = value
    }
  }

  private mutating func report(
    _ code: DocumentDiagnostic.Code, _ message: String, at place: PlacedEvent.Place, other: PlacedEvent.Place,
    _ hasSameBytes: Bool = true, help: String
  ) {
    findings.report(
      DocumentDiagnostic(
        code, message + (hasSameBytes ? "" : ", in canonically equivalent spellings"), at: place,
        notes: (DocumentDiagnostic(code, "", at: other).place).map { ["the other one: " + $0] } ?? [], help: help))
  }

  private static func hasSameBytes(_ left: String, _ right: String) -> Bool {
    left.isExactly(right)
  }
}

extension EventValue {
  /// Whether the value can be in a closed list of this type.
  fileprivate func isClosedValue(of type: ParameterType.Element) -> Bool {
    switch (type, self) {
    case (.string, .string), (.int, .int): true
    default: false
    }
  }
}

// MARK: - Places

/// An event with its places, for later checks.
struct PlacedEvent {
  /// A place in a file.
  struct Place {
    var file: String?
    var position: DocumentDiagnostic.Position?
    var path = EventPath()
  }

  let event: EventSpecification.Event
  let place: Place
  /// The places of the parameters, in their order.
  let parameterPlaces: [Place]

  init(_ event: EventSpecification.Event, at place: Place, parameters: [Place]) {
    self.event = event
    self.place = place
    parameterPlaces = parameters
  }

  /// An event made in code, which has a path and no file.
  init(_ event: EventSpecification.Event) {
    let path = EventPath([.key(event.name)])
    self.init(
      event, at: Place(path: path), parameters: event.parameters.map { Place(path: path.appending($0.key)) })
  }

  func place(ofParameter index: Int) -> Place {
    parameterPlaces.indices.contains(index) ? parameterPlaces[index] : place
  }
}

extension DocumentDiagnostic {
  /// Creates an error at a place.
  init(
    _ code: Code, _ message: String, at place: PlacedEvent.Place, notes: [String] = [], help: String? = nil
  ) {
    self.init(
      .error, code, message, file: place.file, position: place.position, path: place.path, notes: notes, help: help)
  }
}

// MARK: - Codes

extension DocumentDiagnostic.Code {
  /// A Markdown file that is not UTF-8, is too long, or contains control characters.
  static let unreadableMarkdown = DocumentDiagnostic.Code(rawValue: "DS0301")
  /// A Markdown file without exactly one first-level heading.
  static let invalidHeading = DocumentDiagnostic.Code(rawValue: "DS0302")
  /// An unknown or repeated section in a Markdown file.
  static let invalidSection = DocumentDiagnostic.Code(rawValue: "DS0303")
  /// A line in the parameter list that is not a parameter.
  static let invalidParameterLine = DocumentDiagnostic.Code(rawValue: "DS0304")
  /// An unknown type or option of a parameter.
  static let unknownParameterWord = DocumentDiagnostic.Code(rawValue: "DS0305")
  /// The name of an event or a key is empty or too long.
  static let invalidName = DocumentDiagnostic.Code(rawValue: "DS0306")
  /// Two events with the same name.
  static let repeatedEvent = DocumentDiagnostic.Code(rawValue: "DS0307")
  /// Two parameters with the same key.
  static let repeatedParameter = DocumentDiagnostic.Code(rawValue: "DS0308")
  /// Invalid closed values: empty, repeated, or of another type.
  static let unfitClosedValues = DocumentDiagnostic.Code(rawValue: "DS0309")
  /// Two names that give the same Swift identifier.
  static let sameIdentifier = DocumentDiagnostic.Code(rawValue: "DS0310")
  /// A Swift name that is not an identifier, or is reserved for generated code.
  static let invalidSwiftName = DocumentDiagnostic.Code(rawValue: "DS0311")
  /// A specification without any event.
  static let noEvents = DocumentDiagnostic.Code(rawValue: "DS0313")
  /// A decision that the examples of a drafted specification leave open.
  static let undecidedDraft = DocumentDiagnostic.Code(rawValue: "DS0315")
}

// MARK: - Specification text

/// Normalises descriptions and discussions, so that all forms give the same text.
enum SpecificationText {
  /// Converts line breaks to line feeds, and removes surrounding blank lines and trailing white space.
  static func trimmed(_ text: String) -> String {
    // Fast path: most texts are one line.
    let edges = [text.utf8.first, text.utf8.last].compactMap { $0 }
    if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }), edges.allSatisfy({ $0 != 0x20 && $0 != 0x09 }) {
      return text
    }
    return trimmed(lines: lines(of: text)[...])
  }

  static func trimmed(lines: ArraySlice<Substring>) -> String {
    let lines = lines.map(withoutTrailingSpace)
    let start = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let end = lines.lastIndex { !$0.isEmpty } ?? lines.startIndex
    return start < lines.endIndex ? lines[start...end].joined(separator: "\n") : ""
  }

  /// The lines of a text, separated by LF, CRLF or CR.
  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      if scalars[index] == "\n" {
        lines.append(text[start..<index])
        start = next
      } else if scalars[index] == "\r" {
        lines.append(text[start..<index])
        start = next < scalars.endIndex && scalars[next] == "\n" ? scalars.index(after: next) : next
        index = start
        continue
      }
      index = next
    }
    lines.append(text[start...])
    return lines
  }

  static func withoutTrailingSpace(_ line: some StringProtocol) -> Substring {
    let line = Substring(line)
    guard let end = line.utf8.lastIndex(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return ""
    }
    return Substring(line.utf8[...end])
  }
}
