import DualSendCore

/// Reads one event from its Markdown file. Only a strict subset of Markdown is allowed; anything else is an error.
///
/// The file has a first-level heading with the name, paragraphs that describe the event, `## Parameters` with a list of
/// ``MarkdownParameter`` or ``NestedMarkdownParameter``, and `## Discussion` with any text to the end of the file.
struct MarkdownEventReader {
  static let parametersTitle = "Parameters"
  static let discussionTitle = "Discussion"
  static let swiftNamePrefix = "Swift name: "

  /// The event, if the file has its name.
  private(set) var event: PlacedEvent?
  private var text: MarkdownText
  private var parameters: [EventSpecification.Parameter] = []
  private var parameterPlaces: [PlacedEvent.Place] = []

  var findings: BoundedFindings { text.findings }

  init(_ file: EventSpecification.MarkdownFile) {
    text = MarkdownText(file)
    if text.isReadable { read() }
  }

  private mutating func read() {
    guard let heading = text.nextWritten(), heading.text.hasPrefix("# ") else {
      text.report(
        .invalidHeading, "the file does not start with a heading", line: max(1, text.lastLine),
        help: "start with `# ` and the event's name")
      return
    }
    guard let name = name(in: heading) else { return }
    var event = EventSpecification.Event(name: name)
    text.path = EventPath([.key(name)])
    event.swiftName = readSwiftName()
    event.description = description()
    readSections(of: &event)
    event.parameters = parameters
    self.event = PlacedEvent(
      event, at: text.place(line: heading.number), parameters: parameterPlaces)
  }

  private mutating func name(in heading: MarkdownText.Line) -> String? {
    let title = SpecificationText.trimmed(lines: [heading.text.dropFirst(2)]).drop { $0 == " " }
    guard title.hasPrefix("`") else {
      if !title.isEmpty { return String(title) }
      text.report(
        .invalidHeading, "the heading is empty", line: heading.number, help: "write the event's name after `# `")
      return nil
    }
    var rest = title.unicodeScalars
    if let name = CodeSpan.read(&rest), rest.isEmpty { return name }
    text.report(
      .invalidHeading, "there is text after the name in backticks", line: heading.number,
      help: "write nothing after the name")
    return nil
  }

  /// ``Swift name: `HomeTap` ``, directly after the heading.
  private mutating func readSwiftName() -> String? {
    guard let line = text.nextWritten(where: { $0.hasPrefix(Self.swiftNamePrefix) }) else { return nil }
    var rest = line.text.unicodeScalars.dropFirst(Self.swiftNamePrefix.unicodeScalars.count)
    if let name = CodeSpan.read(&rest), SpecificationText.withoutTrailingSpace(Substring(rest)).isEmpty { return name }
    text.report(
      .invalidSwiftName, "this line is not `Swift name: ` with a name in backticks", line: line.number,
      help: "such as: Swift name: `HomeTap`")
    return nil
  }

  private mutating func description() -> String {
    var lines: [Substring] = []
    while let line = text.next(where: { !$0.hasPrefix("## ") }) {
      if line.text.hasPrefix("# ") {
        text.report(
          .invalidHeading, "there is a second heading of the first level", line: line.number,
          help: "one file is about one event")
      }
      lines.append(line.text)
    }
    return SpecificationText.trimmed(lines: lines[...])
  }

  private mutating func readSections(of event: inout EventSpecification.Event) {
    var seen: Set<String> = []
    while let line = text.nextWritten() {
      let title = String(SpecificationText.withoutTrailingSpace(line.text.dropFirst(3)))
      if !seen.insert(title).inserted {
        text.report(
          .invalidSection, "there are two sections `\(title)`", line: line.number, help: "make one of them")
      }
      switch title {
      case Self.parametersTitle: readParameters()
      case Self.discussionTitle: event.discussion = discussion()
      default:
        let nearest = nearestWord(to: title, among: [Self.parametersTitle, Self.discussionTitle])
        text.report(
          .invalidSection, "unknown section `\(title)`", line: line.number,
          help: nearest.map { "did you mean `## \($0)`?" }
            ?? "the sections are `## Parameters` and `## Discussion`; put any other text into the latter")
        while text.next(where: { !$0.hasPrefix("## ") }) != nil {}
      }
    }
  }

  private mutating func discussion() -> String {
    var lines: [Substring] = []
    while let line = text.next() {
      if Self.isSection(line.text) {
        text.report(
          .invalidSection, "a section follows the discussion, which extends to the end of the file",
          line: line.number, help: "put it before `## Discussion`")
      }
      lines.append(line.text)
    }
    return SpecificationText.trimmed(lines: lines[...])
  }

  private mutating func readParameters() {
    while let line = text.nextWritten(where: { !$0.hasPrefix("## ") }) {
      guard line.text.hasPrefix("- ") || line.text.hasPrefix("* ") else {
        text.report(
          .invalidParameterLine, "this line does not describe a parameter", line: line.number,
          help: "write: - `key` (string): What it means. Further lines of it start with two spaces")
        continue
      }
      guard let parameter = readParameter(line) else { continue }
      parameters.append(parameter)
      var place = text.place(line: line.number)
      place.path = place.path.appending(parameter.key)
      parameterPlaces.append(place)
    }
  }

  private mutating func readParameter(_ line: MarkdownText.Line) -> EventSpecification.Parameter? {
    if NestedMarkdownParameter.isNested(line.text, before: text.upcoming) {
      var item = NestedMarkdownParameter(line)
      return item.read(into: &text)
    }
    var item = MarkdownParameter(line)
    var parameter = item.read(into: &text)
    var lines = [item.description].filter { !$0.isEmpty }
    while let more = text.next(where: { $0.hasPrefix("  ") && !$0.allSatisfy { $0 == " " } }) {
      lines.append(SpecificationText.withoutTrailingSpace(more.text.drop { $0 == " " }))
    }
    parameter?.description = lines.joined(separator: "\n")
    return parameter
  }

  /// Whether a line is the heading of a section.
  static func isSection(_ line: Substring) -> Bool {
    ["## " + parametersTitle, "## " + discussionTitle].contains { SpecificationText.withoutTrailingSpace(line) == $0 }
  }
}
