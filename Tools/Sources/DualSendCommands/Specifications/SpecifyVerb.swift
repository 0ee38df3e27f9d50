import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore

/// `dualsend specify`: drafts a specification from recorded events.
struct SpecifyVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "specify",
    abstract: "Draft a specification of events from legacy events.",
    discussion: """
      Reads {"name":…, "parameters":{…}} from each line of each file. A parameter gets the type that was seen, and is \
      nullable if it was absent or null in an event. Review the draft: it covers only the recorded events. No value of an \
      event is written unless --values asks for closed lists.
      Without --output, the draft is printed as JSON. --output names a file for JSON, or a folder (an existing one, or a \
      name that ends in `/`) for one Markdown file per event; no file is overwritten.
      Exit status 1 if something is left to decide, such as a parameter of several types, or lines were malformed.
      """
  )

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("The legacy events; - for standard input.", valueName: "file"))
  var fromEvents: [String]
  @Option(
    help: ArgumentHelp(
      "List the values of a parameter that has at most this many different strings or integers, each seen twice on average.",
      valueName: "number"))
  var values = 0
  @Option(name: .customLong("output"), help: ArgumentHelp("The output.", valueName: "file|folder"))
  var destination: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    if fromEvents.isEmpty { throw ValidationError("--from-events needs a file") }
    if !(0...100).contains(values) { throw ValidationError("--values is a number from 0 to 100") }
    try DocumentInput.checkStandardInput(fromEvents.count { $0 == "-" })
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var draft = EventSpecificationDraft(closedValuesLimit: values)
    var (events, malformed) = (0, 0)
    for file in fromEvents {
      var lines = try LegacyLines(file, input: terminal.input)
      try lines.forEach("specify", on: terminal) { draft.add(name: $0.event.name, parameters: $0.event.parameters) }
      lines.reportMalformed(on: terminal, format: format)
      events += lines.eventCount
      malformed += lines.malformedCount
    }
    let (specification, findings) = draft.finished()
    terminal.report(findings)
    let counted = "\(specification.events.count.counted("event")) specified from \(events.grouped)"
    if let destination {
      let files = try SpecificationOutput.write(specification, to: destination)
      if format == .json {
        terminal.result([
          "specified": .int(Int64(specification.events.count)), "events": .int(Int64(events)),
          "malformedLines": .int(Int64(malformed)), "files": .int(Int64(files)),
        ])
      } else {
        terminal.result("\(counted), \(files.counted("file")) written")
      }
    } else {
      terminal.document(specification.json)
      terminal.note(counted)
    }
    return findings.isEmpty && malformed == 0 ? .clean : .findings
  }
}
